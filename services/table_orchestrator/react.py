"""Whose stream a foreign record concerns. Nothing is decided here."""

import re
from typing import Any

from contracts import identities
from contracts import round_events as e
from contracts import settlement as st
from contracts import shoe as s
from contracts import table as t
from contracts import table_events as te
from contracts import wallet as w
from contracts.base import tag_of
from contracts.desk import ProposalApproved, ProposalKind
from contracts.envelope import Envelope
from runtime.service import To

_ROUND = re.compile(r"round-[a-z0-9][a-z0-9_]{0,31}-[1-9][0-9]{0,15}")
_NOWHERE = "round-nowhere-0"
"""Where commands for what can't be a round are refused: no such round ever is."""

_TO_ROUND = (
    s.CardsDealt,
    s.CutCardReached,
    s.HoleLooked,
    s.HoleRevealed,
    st.RoundVoidSettled,
    st.VoidRefused,
    w.FundsReserved,
    w.FundsRefused,
    w.PayoutsPosted,
    te.RoundCalled,
)
_FOR_TABLE = (
    t.OpenTable,
    t.CloseTable,
    t.ChangeLimits,
    t.ChangeDealer,
    t.SetPlayerMaximum,
    t.ReserveSeat,
)
_TO_TABLE = (s.ShoeCommitted, e.RoundClosed)
_TO_ROUND_IN_BETTING = (
    te.TableClosed,
    te.LimitsChanged,
    te.DealerChanged,
    te.PlayerMaximumSet,
)

HEEDS = frozenset(
    tag_of(kind)
    for kind in (*_TO_ROUND, *_TO_TABLE, *_TO_ROUND_IN_BETTING, ProposalApproved)
)


def react(envelope: Envelope, event: Any) -> tuple[To, ...]:
    del envelope
    if isinstance(event, _TO_ROUND):
        return (To(event.round_id, event),)
    if isinstance(event, _TO_TABLE):
        return (To(identities.table_stream(event.table), event),)
    if isinstance(event, ProposalApproved):
        is_void = event.kind is ProposalKind.VOID
        return (To(event.round_id, event),) if is_void else ()
    assert isinstance(event, _TO_ROUND_IN_BETTING), f"not heeded: {type(event)}"
    if not event.round_id:
        return ()
    return (To(event.round_id, event),)


def address(command: Any) -> str:
    """Return the stream that a command is for."""
    if isinstance(command, _FOR_TABLE):
        return identities.table_stream(command.table)
    round_id: str = command.round_id
    return round_id if _ROUND.fullmatch(round_id) else _NOWHERE
