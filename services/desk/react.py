"""Which case a foreign record answers. Nothing is decided here."""

from typing import Any

from contracts import desk as d
from contracts import round_events as e
from contracts import settlement as st
from contracts import wallet as w
from contracts.base import tag_of
from contracts.envelope import Envelope
from contracts.identities import access_stream, case_stream, is_case_id
from runtime.service import To

_OF_WALLET = (w.CorrectionPosted, w.CorrectionRefused)
_OF_VOID = (e.VoidOrderRefused, st.RoundVoidSettled, st.VoidRefused)
_NOWHERE = "nowhere-0-0"
"""Where commands for what can't be a case are refused: no such case ever is."""

HEEDS = frozenset(tag_of(kind) for kind in (*_OF_WALLET, *_OF_VOID))


def react(envelope: Envelope, event: Any) -> tuple[To, ...]:
    """Tell a case what came of its order; a void that no case ordered is no matter."""
    del envelope
    if isinstance(event, _OF_WALLET):
        return (To(case_stream(event.case), event),)
    assert isinstance(event, _OF_VOID), f"not heeded: {type(event)}"
    if event.order is None:
        return ()
    return (To(case_stream(event.order.case), event),)


def address(command: Any) -> str:
    """Return the stream that a command is for."""
    if isinstance(command, d.RecordAccess):
        return access_stream(command.person)
    case: str = command.case
    return case_stream(case if is_case_id(case) else _NOWHERE)
