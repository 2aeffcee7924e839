"""What settlement answers: lines for decided wagers, and one answer to a void (H2).

Each wager is decided once. Whatever comes after the end of the round is quiet, but
for a void, which is told that it came too late.
"""

from functools import lru_cache
from typing import assert_never

import msgspec

from blackjack.rule_sets import RuleSet, rule_set
from blackjack.settlement import settle
from contracts.round_events import OpenStake, PlayerDue, RoundVoided, SettlementDue
from contracts.settlement import (
    PlayerLine,
    Refund,
    RoundVoidSettled,
    VoidRefused,
    WagersSettled,
)
from contracts.table_events import Options
from runtime.service import Context, Decided
from services.settlement.state import (
    Settled,
    SettledWager,
    Settlement,
    Settling,
    Voided,
)

Message = SettlementDue | RoundVoided

ROUND_SETTLED = "round_settled"


def decide(message: Message, state: Settlement, context: Context) -> Decided:
    del context
    assert message.round_id == state.round_id, f"{message.round_id} is another round"
    match message:
        case SettlementDue():
            return settle_wagers(message, state)
        case RoundVoided():
            return settle_void(message, state)
        case _:
            assert_never(message)


def settle_wagers(message: SettlementDue, state: Settlement) -> Decided:
    """Decide each wager by itself, and say by which clauses (C-55)."""
    if isinstance(state, Voided):
        return ()
    if message.part in state.parts:
        return ()
    assert isinstance(state, Settling), f"part {message.part} comes after the end"

    rules = rules_of(message.rule_set, message.options)
    lines = tuple(_line(rules, item) for item in message.dues)
    labels = [item.line.label for item in lines]
    assert len(set(labels)) == len(labels), f"a wager is due twice in {labels}"
    assert state.wagers.keys().isdisjoint(labels), f"settled before: {labels}"
    return (
        WagersSettled(
            round_id=state.round_id,
            part=message.part,
            currency=message.currency,
            lines=lines,
            final=message.final,
        ),
    )


def _line(rules: RuleSet, item: PlayerDue) -> PlayerLine:
    line = settle(rules, item.due)
    assert line.label == item.due.label, f"{item.due.label} became {line.label}"
    assert line.stake_minor > 0, f"{line.label} has no stake"
    assert line.payout_minor >= 0, f"{line.label} pays less than nothing"
    return PlayerLine(item.player, line)


def settle_void(message: RoundVoided, state: Settlement) -> Decided:
    """Return every stake that was not won, lost ones included (H2)."""
    match state:
        case Voided():
            return ()
        case Settled():
            return _refuse(message, state)
        case Settling():
            _assert_complete(message, state)
            refunds = (_refund(s, state.wagers.get(s.label)) for s in message.stakes)
            return (
                RoundVoidSettled(
                    round_id=state.round_id,
                    part=message.part,
                    currency=message.currency,
                    refunds=tuple(refund for refund in refunds if refund),
                    order=message.order,
                ),
            )
        case _:
            assert_never(state)


def _refuse(message: RoundVoided, state: Settled) -> Decided:
    if message.part in state.voids_refused:
        return ()
    refused = VoidRefused(state.round_id, message.part, ROUND_SETTLED, message.order)
    return (refused,)


def _assert_complete(message: RoundVoided, state: Settling) -> None:
    """A void names every accepted stake once, also those decided before."""
    stakes = {s.label: (s.player, s.stake_minor) for s in message.stakes}
    assert len(stakes) == len(message.stakes), "a void names a stake twice"
    for label, wager in state.wagers.items():
        known = (wager.player, wager.stake_minor)
        assert stakes.get(label) == known, f"void: {label} was settled as {known}"


def _refund(stake: OpenStake, wager: SettledWager | None) -> Refund | None:
    """What a stake has not brought back yet; what was won already stands."""
    if wager is None:
        return Refund(stake.player, stake.label, stake.stake_minor)
    lost_minor = wager.stake_minor - wager.payout_minor
    if lost_minor <= 0:
        return None
    return Refund(stake.player, stake.label, lost_minor, lost_minor)


def rules_of(name: str, options: Options) -> RuleSet:
    """Return the rule set; equal options share one value."""
    return _rules(name, msgspec.json.encode(options, order="deterministic"))


@lru_cache(maxsize=256)
def _rules(name: str, options: bytes) -> RuleSet:
    return rule_set(name, msgspec.json.decode(options, type=dict[str, object]))
