"""The Table: its rules, its shoe, who may enter, and the next round.

State, evolve and decide of one small stream stand together in one file.
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from blackjack.rule_sets import (
    RuleSet,
    RuleSetError,
    digest,
    effective_limits,
    rule_set,
)
from contracts import ENGINE_VERSION, identities
from contracts import round_events as e
from contracts import shoe as s
from contracts import table as t
from contracts import table_events as te
from contracts.table import TableReason
from runtime.service import Context, Decided, Rejected
from services.table_orchestrator import entry
from services.table_orchestrator.entry import History
from services.table_orchestrator.terms import limits_of

_AMOUNT_MAX = 10**12
"""Minor units: any stake times any odds stays exact for every reader (2^53)."""

_TIME_MS_MAX = 24 * 3600 * 1000

HouseCommand = (
    t.CloseTable | t.ChangeLimits | t.ChangeDealer | t.SetPlayerMaximum | t.ReserveSeat
)


class TableState(msgspec.Struct, frozen=True):
    """`opened` is `None` until the table is open. Counts begin at 1.

    `new_dealer`: no round that was dealt burned a card for the dealer (NY-5);
    `burns_for_dealer`: the round that was called does. `called_min_minor`: the minimum
    posted for that round. `started_at`: when a round's first cards were last asked
    for, at a table with a minimum cycle. `maximums_minor`: players with their own
    (LV-8).
    """

    opened: te.TableOpened | None = None
    limits: t.TableLimits = t.TableLimits()
    closed: bool = False
    shoes: int = 0
    shoe: te.ShoeInstalled | None = None
    rounds: int = 0
    in_round: bool = False
    first_of_shoe: bool = True
    new_dealer: bool = False
    burns_for_dealer: bool = False
    called_min_minor: int = 0
    started_at: int = 0
    maximums_minor: dict[str, int] = {}
    history: History = History()


def initial_table(stream: str) -> TableState:
    del stream
    return TableState()


def evolve_table(state: TableState, event: Any) -> TableState:
    match event:
        case te.TableOpened():
            return replace(state, opened=event, limits=event.limits)
        case te.TableClosed():
            return replace(state, closed=True)
        case te.LimitsChanged():
            return replace(state, limits=event.after)
        case te.DealerChanged():
            return replace(state, new_dealer=True, burns_for_dealer=False)
        case te.PlayerMaximumSet():
            return _with_maximum(state, event)
        case te.SeatReserved():
            history = entry.reserve(state.history, event.player)
            return replace(state, history=history)
        case te.ShoeRequested():
            return replace(state, shoes=state.shoes + 1, shoe=None)
        case te.ShoeInstalled():
            history = entry.shuffled(state.history)
            return replace(state, shoe=event, first_of_shoe=True, history=history)
        case te.RoundCalled():
            return replace(
                state,
                rounds=event.terms.number,
                in_round=True,
                burns_for_dealer=state.new_dealer,
                called_min_minor=event.terms.limits.min_minor,
            )
        case te.RoundRecorded():
            started_at = event.started_at or state.started_at
            return _record(replace(state, started_at=started_at), event)
        case te.ShoeDiscarded():
            return replace(state, shoe=None)
    return state


def _with_maximum(state: TableState, event: te.PlayerMaximumSet) -> TableState:
    maximums = dict(state.maximums_minor)
    maximums.pop(event.player, None)
    if event.max_minor:
        maximums[event.player] = event.max_minor
    return replace(state, maximums_minor=maximums)


def _record(state: TableState, event: te.RoundRecorded) -> TableState:
    """A dealer who came after the call has not dealt and burns for the next round."""
    if event.all_passed:
        history = entry.passed(state.history)
        return replace(state, in_round=False, history=history)
    if not event.dealt:
        return replace(state, in_round=False)
    return replace(
        state,
        in_round=False,
        first_of_shoe=False,
        new_dealer=state.new_dealer and not state.burns_for_dealer,
        history=entry.played(
            state.history, event.players, event.starting_hands, state.called_min_minor
        ),
    )


def decide_table(message: Any, state: TableState, context: Context) -> Decided:
    match message:
        case t.OpenTable():
            return _open(message, state, context)
        case (
            t.CloseTable()
            | t.ChangeLimits()
            | t.ChangeDealer()
            | t.SetPlayerMaximum()
            | t.ReserveSeat()
        ):
            return _change(message, state, context)
        case s.ShoeCommitted():
            return _install(message, state)
        case e.RoundClosed():
            return _next(message, state)
        case _:
            return ()


def _open(command: t.OpenTable, state: TableState, context: Context) -> Decided:
    reason = _opening_refusal(command, state, context)
    if reason:
        return Rejected(reason, command.table)
    rules = rule_set(command.rule_set, command.options)
    opened = te.TableOpened(
        table=command.table,
        rule_set=command.rule_set,
        options=command.options,
        rule_set_digest=digest(rules),
        engine=ENGINE_VERSION,
        currency=command.currency,
        limits=command.limits,
        timings=command.timings,
    )
    return (opened, _shoe_requested(evolve_table(state, opened)))


def _opening_refusal(
    command: t.OpenTable, state: TableState, context: Context
) -> TableReason | None:
    if context.actor.kind not in ("platform", "support"):
        return TableReason.NOT_AUTHORIZED
    if not identities.is_table_id(command.table):
        return TableReason.INVALID_NAME
    if state.opened is not None:
        return TableReason.TABLE_EXISTS
    if not identities.is_currency(command.currency):
        return TableReason.INVALID_NAME
    if not _known(command.rule_set):
        return TableReason.UNKNOWN_RULE_SET
    try:
        rule_set(command.rule_set, command.options)
    except RuleSetError:
        return TableReason.INVALID_OPTIONS
    rules = rule_set(command.rule_set, command.options)
    if not limits_are_valid(rules, command.limits):
        return TableReason.INVALID_LIMITS
    if not _timings_are_valid(command.timings):
        return TableReason.INVALID_TIMINGS
    return None


def _known(name: str) -> bool:
    try:
        rule_set(name, {})
    except RuleSetError:
        return False
    return True


def limits_are_valid(rules: RuleSet, limits: t.TableLimits) -> bool:
    """Posted limits are in order, and within the rule set's bounds a bet is left."""
    if not 1 <= limits.min_minor <= limits.max_minor <= _AMOUNT_MAX:
        return False
    bounds = effective_limits(rules, limits_of(limits))
    in_bounds = bounds.min_minor <= bounds.max_minor
    return in_bounds and 1 <= limits.side_min_minor <= _AMOUNT_MAX


def _timings_are_valid(timings: t.Timings) -> bool:
    waits = msgspec.structs.asdict(timings)
    cycle = waits.pop("min_cycle_ms")
    is_cycle = 0 <= cycle <= _TIME_MS_MAX
    return is_cycle and all(1 <= wait <= _TIME_MS_MAX for wait in waits.values())


def _change(
    command: HouseCommand,
    state: TableState,
    context: Context,
) -> Decided:
    if context.actor.kind not in ("platform", "support"):
        return Rejected(TableReason.NOT_AUTHORIZED, command.table)
    if state.opened is None:
        return Rejected(TableReason.UNKNOWN_TABLE, command.table)
    if state.closed:
        return Rejected(TableReason.TABLE_CLOSED, command.table)
    table, round_ = command.table, _open_round(state)
    match command:
        case t.CloseTable():
            return _close(command, state)
        case t.ChangeDealer():
            return (te.DealerChanged(table, command.dealer, round_),)
        case t.ChangeLimits():
            if not limits_are_valid(_rules(state), command.limits):
                return Rejected(TableReason.INVALID_LIMITS, table)
            return (te.LimitsChanged(table, state.limits, command.limits, round_),)
        case t.SetPlayerMaximum():
            return _set_maximum(command, state)
        case t.ReserveSeat():
            return _reserve(command, state)


def _set_maximum(command: t.SetPlayerMaximum, state: TableState) -> Decided:
    """Record another maximum for one player, where the rules know that (LV-8)."""
    player, most = command.player, command.max_minor
    if not identities.is_player_id(player):
        return Rejected(TableReason.INVALID_NAME, player)
    rules = _rules(state)
    if not rules.player_maximum:
        return Rejected(TableReason.NO_PLAYER_MAXIMUM, player)
    least = effective_limits(rules, limits_of(state.limits)).min_minor
    if most and not least <= most <= _AMOUNT_MAX:
        return Rejected(TableReason.INVALID_LIMITS, player)
    round_ = _open_round(state)
    return (te.PlayerMaximumSet(command.table, player, most, round_),)


def _reserve(command: t.ReserveSeat, state: TableState) -> Decided:
    """Agree to keep a seat, in time: before its player has let a round pass (MA-5)."""
    player = command.player
    if not identities.is_player_id(player):
        return Rejected(TableReason.INVALID_NAME, player)
    if not entry.has_return_rule(_rules(state)):
        return Rejected(TableReason.NO_RETURN_RULE, player)
    if player in state.history.left:
        return Rejected(TableReason.SEAT_GIVEN_UP, player)
    return (te.SeatReserved(command.table, player),)


def _rules(state: TableState) -> RuleSet:
    assert state.opened is not None
    return rule_set(state.opened.rule_set, state.opened.options)


def _open_round(state: TableState) -> str:
    assert state.opened is not None
    if not state.in_round:
        return ""
    return identities.round_id(state.opened.table, state.rounds)


def _close(command: t.CloseTable, state: TableState) -> Decided:
    closed = te.TableClosed(command.table, command.reason, _open_round(state))
    if state.in_round or state.shoe is None:
        return (closed,)
    return (closed, te.ShoeDiscarded(command.table, state.shoe.shoe))


def _install(message: s.ShoeCommitted, state: TableState) -> Decided:
    """Put the committed shoe in use and call the next round."""
    wanted = identities.shoe_stream(message.table, state.shoes)
    if message.shoe != wanted or state.shoe is not None:
        return ()
    installed = te.ShoeInstalled(
        message.table, message.shoe, message.root, message.reserve_hash
    )
    if state.closed:
        return (installed, te.ShoeDiscarded(message.table, message.shoe))
    return (installed, _called(evolve_table(state, installed)))


def _next(message: e.RoundClosed, state: TableState) -> Decided:
    """Record a finished round; then a new shoe, a new round, or nothing more."""
    current = identities.round_id(message.table, state.rounds)
    if message.round_id != current or not state.in_round:
        return ()
    assert state.opened is not None
    assert state.shoe is not None
    dealt = message.dealt
    recorded = te.RoundRecorded(
        table=message.table,
        round_id=message.round_id,
        players=message.players,
        starting_hands=message.starting_hands,
        dealt=dealt,
        all_passed=message.all_passed,
        started_at=message.started_at,
    )
    after = evolve_table(state, recorded)
    if after.closed:
        return (recorded, te.ShoeDiscarded(message.table, state.shoe.shoe))
    if message.all_passed or (dealt and _shuffle_due(message, after)):
        discarded = te.ShoeDiscarded(message.table, state.shoe.shoe)
        return (recorded, discarded, _shoe_requested(evolve_table(after, discarded)))
    return (recorded, _called(after))


def _shuffle_due(message: e.RoundClosed, state: TableState) -> bool:
    rules = _rules(state)
    limit = entry.rounds_per_shuffle(rules, state.history)
    by_rounds = limit is not None and state.history.rounds >= limit
    cut_card_at = entry.cut_card_at(rules)
    by_cut_card = cut_card_at > 0 and message.cards_out >= cut_card_at
    return message.cut_card_reached or by_cut_card or by_rounds


def _shoe_requested(state: TableState) -> te.ShoeRequested:
    assert state.opened is not None
    opened = state.opened
    rules = _rules(state)
    return te.ShoeRequested(
        table=opened.table,
        shoe=identities.shoe_stream(opened.table, state.shoes + 1),
        decks=rules.decks,
        cut_card_at=entry.cut_card_at(rules),
    )


def _called(state: TableState) -> te.RoundCalled:
    assert state.opened is not None
    assert state.shoe is not None
    opened = state.opened
    rules = _rules(state)
    number = state.rounds + 1
    burn = rules.burn_per_shuffle if state.first_of_shoe else 0
    if state.new_dealer:
        burn += rules.burn_per_dealer
    terms = te.RoundTerms(
        table=opened.table,
        number=number,
        rule_set=opened.rule_set,
        options=opened.options,
        rule_set_digest=opened.rule_set_digest,
        engine=opened.engine,
        currency=opened.currency,
        limits=state.limits,
        timings=opened.timings,
        shoe=state.shoe.shoe,
        shoe_root=state.shoe.root,
        shoe_reserve_hash=state.shoe.reserve_hash,
        first_of_shoe=state.first_of_shoe,
        burn=burn,
        entry=entry.entry_of(
            rules, state.history, state.limits.min_minor, state.maximums_minor
        ),
        not_before=_not_before(state, opened.timings),
    )
    return te.RoundCalled(identities.round_id(opened.table, number), terms)


def _not_before(state: TableState, timings: t.Timings) -> int:
    return state.started_at + timings.min_cycle_ms * 1000 if state.started_at else 0
