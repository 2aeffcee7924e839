"""Whose wallet a foreign record concerns. Nothing is decided here."""

from typing import Any

from contracts.base import tag_of
from contracts.desk import ProposalApproved, ProposalKind
from contracts.envelope import Envelope
from contracts.identities import wallet_stream
from contracts.round_events import (
    FundsDeclined,
    FundsRequested,
    WagersPlaced,
    WagersRefused,
    WagersWithdrawn,
)
from contracts.settlement import RoundVoidSettled, WagersSettled
from contracts.wallet import Deposit, Withdraw
from contracts.wallet_calls import OpenSession, RecordCall, RefreshBalance, RetryCall
from runtime.service import To

_OF_ONE_PLAYER = (
    WagersPlaced,
    FundsRequested,
    WagersWithdrawn,
    WagersRefused,
    FundsDeclined,
)
_OF_ALL_PLAYERS = (WagersSettled, RoundVoidSettled)

HEEDS = frozenset(
    tag_of(kind) for kind in (*_OF_ONE_PLAYER, *_OF_ALL_PLAYERS, ProposalApproved)
)


def react(envelope: Envelope, event: Any) -> tuple[To, ...]:
    """Give a settlement whole to each player in it: all of one's lines at once."""
    del envelope
    if isinstance(event, _OF_ONE_PLAYER):
        return (To(wallet_stream(event.player, event.currency), event),)
    if isinstance(event, ProposalApproved):
        if event.kind is not ProposalKind.CORRECTION:
            return ()
        return (To(wallet_stream(event.player, event.currency), event),)
    assert isinstance(event, _OF_ALL_PLAYERS), f"not heeded: {type(event)}"
    items = event.lines if isinstance(event, WagersSettled) else event.refunds
    players = dict.fromkeys(item.player for item in items)
    return tuple(To(wallet_stream(player, event.currency), event) for player in players)


def address(
    command: Deposit | Withdraw | OpenSession | RefreshBalance | RetryCall | RecordCall,
) -> str:
    """Return the stream that a command is for."""
    return wallet_stream(command.player, command.currency)
