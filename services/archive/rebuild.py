"""A round at any of its sequence numbers, folded from the log and nothing else.

The round's decider is handed in; `evolve` makes the state, and a view shows what may
be seen of it: never a card that lies face down or in the shoe.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from blackjack import machine
from blackjack.hands import is_soft, total
from blackjack.machine import Hand, Offer
from contracts import catalog
from contracts import round_events as e
from contracts.envelope import Envelope, Micros
from runtime.service import Decider
from services.archive.inputs import REFUSALS
from services.archive.order import in_order
from services.archive.round_book import is_correcting, players_gain_minor


class Step(NamedTuple):
    """A record, its event, and how round and balances stand after it.

    `foreign` records are other services'; they leave the state as it is.
    """

    sequence: int
    foreign: bool
    record: Envelope
    event: Any
    state: Any
    balances_minor: dict[str, int]


class NotRebuildable(Exception):
    """A record of a round does not follow on those before it; the text names it."""


class HandView(msgspec.Struct, frozen=True):
    label: str
    cards: tuple[str, ...]
    total: int
    soft: bool
    natural: bool
    status: str
    stake_minor: int


class BoxView(msgspec.Struct, frozen=True):
    """A box: before the deal it has no hands, only wagers."""

    box: int
    player: str
    confirmed: bool
    wagers_minor: tuple[int, ...]
    side_wagers_minor: dict[str, int]
    hands: tuple[HandView, ...] = ()
    insurance_minor: int = 0


class DealerView(msgspec.Struct, frozen=True):
    """`face_down`: a card lies there that may not be seen yet.

    `total` is 0 where the cards are those of several dealer rounds (MA-20).
    """

    cards: tuple[str, ...] = ()
    total: int = 0
    soft: bool = False
    face_down: bool = False


class RoundView(msgspec.Struct, frozen=True):
    """Everything there is to see of a round after event `sequence`."""

    round_id: str
    sequence: int
    phase: str
    boxes: tuple[BoxView, ...] = ()
    dealer: DealerView = DealerView()
    offers: tuple[Offer, ...] = ()
    due_at: Micros = 0
    pending: tuple[str, ...] = ()
    nets_minor: dict[str, int] = {}
    balances_minor: dict[str, int] = {}


def steps_of(
    round_id: str, records: Iterable[Envelope], decider: Decider
) -> tuple[Step, ...]:
    """Put a round's records in order and fold its state along.

    Raises NotRebuildable where a record is damaged.
    """
    state = decider.initial(round_id)
    balances: dict[str, int] = {}
    found = []
    for sequence, foreign, record in in_order(round_id, records):
        try:
            event = catalog.decode_event(record)
            if not foreign and type(event) not in REFUSALS:
                state = decider.evolve(state, event)
        except Exception as error:
            raise NotRebuildable(f"{record.id} does not follow: {error}") from error
        if tells_balance(event):
            balances = {**balances, event.player: event.balance_minor}
        found.append(Step(sequence, foreign, record, event, state, balances))
    return tuple(found)


def tells_balance(event: Any) -> bool:
    """Tell events that name a balance of the round: an owed or failed call does not.

    What a case put right names one too, of a time when the round was long over.
    """
    return hasattr(event, "balance_minor") and not is_correcting(event)


def balances_before(steps: Iterable[Step]) -> dict[str, int]:
    """Return each player's balance before the round's first transfer of theirs."""
    found: dict[str, int] = {}
    for step in steps:
        event = step.event
        if not tells_balance(event) or event.player in found:
            continue
        found[event.player] = event.balance_minor - players_gain_minor(event)
    return found


def view_at(steps: tuple[Step, ...], sequence: int) -> RoundView:
    """Return the round after that event and all that hangs under it."""
    past = [step for step in steps if step.sequence <= sequence]
    assert past, f"a round has no event before {sequence}"
    last = past[-1]
    closed = next((s.event for s in past if isinstance(s.event, e.RoundClosed)), None)
    if closed is None:
        return view_of(last.state, last.sequence, last.balances_minor)
    # The last state before the end still holds hands and cards.
    state = next(s.state for s in reversed(past) if _tag(s.state) != "ended")
    view = view_of(state, last.sequence, last.balances_minor)
    return msgspec.structs.replace(
        view,
        phase=closed.status,
        offers=(),
        due_at=0,
        pending=(),
        nets_minor=closed.nets_minor,
    )


def _tag(state: Any) -> str:
    return str(state.__struct_config__.tag)


def view_of(state: Any, sequence: int, balances_minor: dict[str, int]) -> RoundView:
    """Show a state of the round's decider."""
    match _tag(state):
        case "betting":
            return _view_of_betting(state, sequence, balances_minor)
        case "playing":
            return _view_of_play(state, sequence, balances_minor)
        case phase:
            return RoundView(getattr(state, "round_id", ""), sequence, phase)


def _view_of_betting(
    state: Any, sequence: int, balances_minor: dict[str, int]
) -> RoundView:
    phase = (
        "seeds" if state.opening else "betting closed" if state.closed else "betting"
    )
    bets = [(bet, True) for bet in state.bets] + [(bet, False) for bet in state.pending]
    return RoundView(
        round_id=state.round_id,
        sequence=sequence,
        phase=phase,
        boxes=tuple(
            BoxView(
                box=bet.box,
                player=bet.player,
                confirmed=confirmed,
                wagers_minor=bet.wagers_minor,
                side_wagers_minor=bet.side_wagers_minor,
            )
            for bet, confirmed in sorted(bets, key=lambda item: item[0].box)
        ),
        due_at=state.due_at,
        pending=tuple(bet.reservation for bet in state.pending),
        balances_minor=balances_minor,
    )


_PHASES = {
    "deal": "dealing",
    "insurance": "insurance",
    "look": "hole check",
    "play": "turns",
    "hole": "dealer",
    "dealer": "dealer",
    "over": "settling",
}


def _view_of_play(
    state: Any, sequence: int, balances_minor: dict[str, int]
) -> RoundView:
    game: machine.Round = state.game
    offered = state.offered and not state.voiding
    is_one_hand = sorted(game.dealer) == sorted(game.dealer_hand)
    return RoundView(
        round_id=state.round_id,
        sequence=sequence,
        phase="void" if state.voiding else _PHASES[game.stage],
        boxes=tuple(_box(game, box, state.owners[box.number]) for box in game.boxes),
        dealer=DealerView(
            cards=game.dealer,
            total=total(game.dealer_hand) if is_one_hand else 0,
            soft=is_one_hand and is_soft(game.dealer_hand),
            face_down=game.hole_down,
        ),
        offers=machine.offers(game) if offered else (),
        due_at=state.clock.due_at if offered and state.clock else 0,
        pending=tuple(item.reservation for item in state.pending),
        nets_minor=state.nets_minor,
        balances_minor=balances_minor,
    )


def _box(game: machine.Round, box: machine.Box, player: str) -> BoxView:
    insured = sum(i.stake_minor for i in game.insurances if i.box == box.number)
    return BoxView(
        box=box.number,
        player=player,
        confirmed=True,
        wagers_minor=tuple(sum(hand.wagers) for hand in box.hands),
        side_wagers_minor=dict(box.sides),
        hands=tuple(hand_view(hand) for hand in box.hands),
        insurance_minor=insured,
    )


def hand_view(hand: Hand) -> HandView:
    return HandView(
        label=hand.label,
        cards=hand.cards,
        total=hand.total,
        soft=is_soft(hand.cards),
        natural=hand.natural,
        status=hand.status,
        stake_minor=sum(hand.wagers) + sum(hand.added),
    )
