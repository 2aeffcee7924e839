"""What a round waits for: read from the state alone, so a restart is nothing special.

Where all are ready and wait for the minimum cycle alone, its end deals (RTS 14G).
A decision's clock stands still while its funds are pending (H1); each reservation
has a deadline of its own.
"""

from runtime.service import Deadline, Owed
from services.table_orchestrator.state import Betting, Playing, RoundState


def resume_round(state: RoundState) -> Owed:
    match state:
        case Betting():
            return Owed(state.decision, (*_betting_clock(state), *_funds(state)))
        case Playing():
            return Owed(state.decision, (*_clock(state), *_funds(state)))
        case _:
            return Owed(0)


def _betting_clock(state: Betting) -> tuple[Deadline, ...]:
    if not state.due_at or state.pending or state.voiding:
        return ()
    clock = Deadline("seeds" if state.opening else "betting", state.due_at)
    if state.closed or not state.all_ready:
        return (clock,)
    return (clock, Deadline("start", state.terms.not_before))


def _clock(state: Playing) -> tuple[Deadline, ...]:
    if not state.offered or state.clock is None or state.pending or state.voiding:
        return ()
    return (Deadline("decision", state.clock.due_at),)


def _funds(state: Betting | Playing) -> tuple[Deadline, ...]:
    return tuple(
        Deadline(f"funds:{item.reservation}", item.funds_due_at)
        for item in state.pending
    )
