"""What a round's settlement is after each of its events. Nothing is decided here."""

from typing import assert_never

from msgspec.structs import replace

from contracts.settlement import RoundVoidSettled, VoidRefused, WagersSettled
from services.settlement.state import (
    Settled,
    SettledWager,
    Settlement,
    Settling,
    Voided,
)

SettlementEvent = WagersSettled | RoundVoidSettled | VoidRefused


def evolve(state: Settlement, event: SettlementEvent) -> Settlement:
    match event:
        case WagersSettled():
            assert isinstance(state, Settling), "nothing is settled after the end"
            return _settle(state, event)
        case RoundVoidSettled():
            return Voided(event.round_id)
        case VoidRefused():
            assert isinstance(state, Settled), "only the end refuses a void"
            return replace(state, voids_refused=(*state.voids_refused, event.part))
        case _:
            assert_never(event)


def _settle(state: Settling, event: WagersSettled) -> Settlement:
    parts = (*state.parts, event.part)
    if event.final:
        return Settled(state.round_id, parts)
    settled = {
        item.line.label: SettledWager(
            item.player, item.line.stake_minor, item.line.payout_minor
        )
        for item in event.lines
    }
    return replace(state, wagers={**state.wagers, **settled}, parts=parts)
