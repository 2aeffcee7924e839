"""An auditor that knows the contracts and nothing of how anything is decided.

Reads every record of a casino's file in commit order and adds everything up again.
"""

import hashlib
import sqlite3
from collections import defaultdict
from pathlib import Path
from typing import Any

from contracts import catalog
from contracts import round_events as e
from contracts import settlement as st
from contracts import shoe as s
from contracts import wallet as w
from contracts.envelope import Envelope


class Auditor:
    """Collects what it has seen, and what cannot be."""

    def __init__(self) -> None:
        self.violations: list[str] = []
        self.accounts: dict[str, int] = defaultdict(int)
        self.transfers: set[str] = set()
        self.open: dict[str, int] = {}
        self.ended: set[str] = set()
        self.paid: set[tuple[str, int, str]] = set()
        self.parts: set[tuple[str, int]] = set()
        self.dealt: set[tuple[str, int, int]] = set()
        self.nets: dict[tuple[str, str], int] = defaultdict(int)
        self.commands: set[tuple[str, str]] = set()
        self.closed: dict[str, e.RoundClosed] = {}

    def wrong(self, envelope: Envelope, text: str) -> None:
        self.violations.append(f"{envelope.id}: {text}")

    def see(self, envelope: Envelope, event: Any) -> None:
        cause = envelope.cause
        if cause is not None and cause.kind == "command":
            key = (f"{envelope.actor.kind}:{envelope.actor.who}", cause.id)
            if key in self.commands:
                self.wrong(envelope, f"command {cause.id} took effect twice")
            self.commands.add(key)
        for transfer in _transfers(event):
            self._book(envelope, transfer)
        self._see_wallet(envelope, event)
        self._see_round(envelope, event)

    def _book(self, envelope: Envelope, transfer: w.Transfer) -> None:
        if transfer.id in self.transfers:
            self.wrong(envelope, f"transfer {transfer.id} is booked twice")
        if transfer.amount_minor <= 0:
            self.wrong(envelope, f"transfer {transfer.id} moves nothing")
        self.transfers.add(transfer.id)
        self.accounts[transfer.debit] -= transfer.amount_minor
        self.accounts[transfer.credit] += transfer.amount_minor
        for account in (transfer.debit, transfer.credit):
            if account.startswith("player:") and self.accounts[account] < 0:
                self.wrong(envelope, f"{account} is negative")

    def _see_wallet(self, envelope: Envelope, event: Any) -> None:
        balance = getattr(event, "balance_minor", None)
        if balance is not None:
            account = f"player:{event.player}:{event.currency}"
            if balance != self.accounts[account]:
                self.wrong(envelope, f"says {balance}, is {self.accounts[account]}")
        match event:
            case w.FundsReserved():
                self.open[event.reservation] = event.transfer.amount_minor
                if event.returned is not None:
                    self._end(envelope, event.returned.id.removesuffix(":release"))
            case w.ReservationCancelled() if event.transfer is not None:
                self._end(envelope, event.reservation)
            case w.PayoutsPosted():
                key = (event.round_id, event.part, event.player)
                if key in self.paid:
                    self.wrong(envelope, f"{key} is paid twice")
                self.paid.add(key)

    def _end(self, envelope: Envelope, reservation: str) -> None:
        if reservation in self.ended or reservation not in self.open:
            self.wrong(envelope, f"{reservation} has more than one end")
        self.ended.add(reservation)

    def _see_round(self, envelope: Envelope, event: Any) -> None:
        match event:
            case st.WagersSettled():
                if (event.round_id, event.part) in self.parts:
                    self.wrong(envelope, f"part {event.part} is settled twice")
                self.parts.add((event.round_id, event.part))
                for item in event.lines:
                    net = item.line.payout_minor - item.line.stake_minor
                    self.nets[event.round_id, item.player] += net
            case st.RoundVoidSettled():
                for refund in event.refunds:
                    self.nets[event.round_id, refund.player] += refund.lost_minor
            case s.CardsDealt():
                for card in event.cards:
                    place = (event.shoe, card.order, card.index)
                    if place in self.dealt:
                        self.wrong(envelope, f"{place} is dealt twice")
                    self.dealt.add(place)
            case e.RoundClosed():
                self.closed[event.round_id] = event

    def finish(self) -> list[str]:
        """Say what does not add up in the end."""
        if sum(self.accounts.values()):
            self.violations.append("the accounts do not sum to zero")
        for round_id, event in self.closed.items():
            for account, amount in self.accounts.items():
                if account.startswith(f"in_play:{round_id}:") and amount:
                    self.violations.append(f"{account} holds {amount} after the end")
            for name, net in event.nets_minor.items():
                if net != self.nets[round_id, name]:
                    self.violations.append(
                        f"{round_id}: {name} net {net}, lines {self.nets[round_id, name]}"
                    )
        return self.violations


def _transfers(event: Any) -> list[w.Transfer]:
    found = [getattr(event, name, None) for name in ("transfer", "returned")]
    return [x for x in found if x is not None] + list(getattr(event, "transfers", ()))


def audit(path: Path) -> list[str]:
    """Audit a casino's file: the chains of its logs, then every record."""
    sql = sqlite3.connect(path)
    auditor = Auditor()
    links: dict[str, tuple[int, bytes]] = {}
    versions: dict[str, int] = defaultdict(int)
    query = "SELECT service, offset, hash, body FROM records ORDER BY place"
    for service, offset, link, body in sql.execute(query):
        before, previous = links.get(service, (0, bytes(32)))
        envelope = catalog.decode_envelope(body)
        digest = hashlib.sha256(previous + hashlib.sha256(body).digest()).digest()
        if offset != before + 1 or digest != link:
            auditor.wrong(envelope, "the chain is broken")
        links[service] = (offset, link)
        versions[envelope.stream] += 1
        if envelope.version != versions[envelope.stream]:
            auditor.wrong(envelope, f"version {envelope.version} out of order")
        auditor.see(envelope, catalog.decode_event(envelope))
    parked = sql.execute("SELECT stream, reason FROM parked").fetchall()
    auditor.violations += [f"set aside: {row}" for row in parked if row[0]]
    sql.close()
    return auditor.finish()
