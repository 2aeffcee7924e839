"""Which round a record of the table concerns. Nothing is decided here."""

from typing import Any

from contracts.base import tag_of
from contracts.envelope import Envelope
from contracts.identities import settlement_stream
from contracts.round_events import RoundVoided, SettlementDue
from runtime.service import To

HEEDS = frozenset({tag_of(SettlementDue), tag_of(RoundVoided)})


def react(envelope: Envelope, event: Any) -> tuple[To, ...]:
    del envelope
    assert isinstance(event, SettlementDue | RoundVoided), f"not heeded: {type(event)}"
    return (To(settlement_stream(event.round_id), event),)
