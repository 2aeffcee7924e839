"""An auditor that knows the contracts and nothing of how anything is decided.

Reads every record of a casino's file in commit order and adds everything up again.
"""

import hashlib
import sqlite3
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import msgspec

from contracts import catalog
from contracts import round_events as e
from contracts import settlement as st
from contracts import shoe as s
from contracts import wallet as w
from contracts.envelope import Answer, Envelope

Key = tuple[Any, ...]


class Auditor:
    """Collects what it has seen, and what cannot be."""

    def __init__(self) -> None:
        self.violations: list[str] = []
        self.once: set[Key] = set()
        self.accounts: dict[str, int] = defaultdict(int)
        self.held: dict[str, int] = {}
        self.in_play: dict[tuple[str, str], int] = defaultdict(int)
        self.owed: dict[Key, int] = defaultdict(int)
        self.posted: dict[Key, int] = defaultdict(int)
        self.nets: dict[tuple[str, str], int] = defaultdict(int)
        self.parts: Counter[str] = Counter()
        self.dues: dict[tuple[str, int], list[Key]] = {}
        self.settled: dict[tuple[str, int], list[Key]] = {}
        self.asked: dict[tuple[str, int], tuple[str, ...]] = {}
        self.cards: dict[str, dict[int, str]] = defaultdict(dict)
        self.closed: dict[str, e.RoundClosed] = {}
        self.commands: dict[Key, tuple[str, int]] = {}

    def wrong(self, envelope: Envelope, text: str) -> None:
        self.violations.append(f"{envelope.id}: {text}")

    def first(self, envelope: Envelope, *key: Any) -> None:
        """Whatever has this key may be in the logs once only."""
        if key in self.once:
            self.wrong(envelope, f"{key} a second time")
        self.once.add(key)

    def see(self, envelope: Envelope, event: Any) -> None:
        self._see_cause(envelope)
        ended = envelope.stream in self.closed
        if ended and not envelope.type.endswith(".command_refused.v1"):
            self.wrong(envelope, "after the end of its round")
        for transfer in _transfers(event):
            self._book(envelope, transfer)
        self._see_wallet(envelope, event)
        self._see_stakes(envelope, event)
        self._see_settlement(envelope, event)
        self._see_cards(envelope, event)

    def _see_cause(self, envelope: Envelope) -> None:
        who = f"{envelope.actor.kind}:{envelope.actor.who}"
        key = (envelope.service, who, envelope.caused_by)
        cause = envelope.cause
        if cause is not None and cause.kind == "command":
            self.first(envelope, "command", *key)
            self.commands[key] = (envelope.stream, envelope.version)
        elif cause is not None:
            # An input that answered once in a stream never does so again.
            self.first(envelope, envelope.stream, cause.kind, cause.id, cause.now)
        elif self.commands.get(key, ("", 0))[0] == envelope.stream:
            self.commands[key] = (envelope.stream, envelope.version)

    def _book(self, envelope: Envelope, transfer: w.Transfer) -> None:
        self.first(envelope, "transfer", transfer.id)
        if transfer.amount_minor <= 0 or transfer.debit == transfer.credit:
            self.wrong(envelope, f"transfer {transfer.id} moves nothing")
        self.accounts[transfer.debit] -= transfer.amount_minor
        self.accounts[transfer.credit] += transfer.amount_minor
        for account in (transfer.debit, transfer.credit):
            if account.startswith(("player:", "in_play:")) and (
                self.accounts[account] < 0
            ):
                self.wrong(envelope, f"{account} is negative")

    def _see_wallet(self, envelope: Envelope, event: Any) -> None:
        balance = getattr(event, "balance_minor", None)
        if balance is not None:
            account = f"player:{event.player}:{event.currency}"
            if balance != self.accounts[account]:
                self.wrong(envelope, f"says {balance}, is {self.accounts[account]}")
        match event:
            case w.FundsReserved():
                if event.returned is not None:
                    self._release(envelope, event.round_id, event.returned)
                self.first(envelope, "reserved", event.reservation)
                amount = event.transfer.amount_minor
                self.held[event.reservation] = amount
                self.in_play[event.round_id, event.player] += amount
            case w.ReservationCancelled() if event.transfer is not None:
                self._release(envelope, event.round_id, event.transfer)
            case w.PayoutsPosted():
                key = (event.round_id, event.part, event.player)
                self.first(envelope, "paid", *key)
                own = f"player:{event.player}:{event.currency}"
                self.posted[key] = sum(
                    x.amount_minor for x in event.transfers if x.credit == own
                )

    def _release(self, envelope: Envelope, round_id: str, transfer: w.Transfer) -> None:
        reservation = transfer.id.removesuffix(":release")
        amount = self.held.pop(reservation, None)
        if amount != transfer.amount_minor:
            self.wrong(envelope, f"{reservation} held {amount}, got another end")
        player = transfer.credit.split(":")[1]
        self.in_play[round_id, player] -= transfer.amount_minor

    def _see_stakes(self, envelope: Envelope, event: Any) -> None:
        """A stake counts only while its money is reserved (law 4)."""
        match event:
            case e.WagersAccepted():
                reservation = event.reservation
            case e.PaidDecision(reservation=str() as reservation) if reservation:
                pass
            case _:
                return
        self.first(envelope, "accepted", reservation)
        if reservation not in self.held:
            self.wrong(envelope, f"{reservation} counts and is not reserved")

    def _see_settlement(self, envelope: Envelope, event: Any) -> None:
        if isinstance(event, e.SettlementDue | e.RoundVoided):
            self.parts[event.round_id] = max(self.parts[event.round_id], event.part)
        match event:
            case e.SettlementDue():
                part = (event.round_id, event.part)
                self.first(envelope, "due", *part)
                dues = [(x.player, x.due.label, x.due.stake_minor) for x in event.dues]
                self.dues[part] = dues
            case st.WagersSettled():
                self._settle(envelope, event)
            case st.RoundVoidSettled():
                part = (event.round_id, event.part)
                self.first(envelope, "settled", *part)
                for back in event.refunds:
                    open_minor = back.stake_minor - back.lost_minor
                    self.in_play[event.round_id, back.player] -= open_minor
                    self.nets[event.round_id, back.player] += back.lost_minor
                    self.owed[*part, back.player] += back.stake_minor
            case e.RoundClosed():
                self.closed[event.round_id] = event
                self._close(envelope, event)

    def _settle(self, envelope: Envelope, event: st.WagersSettled) -> None:
        part = (event.round_id, event.part)
        self.first(envelope, "settled", *part)
        found = []
        for item in event.lines:
            line, player = item.line, item.player
            self.first(envelope, "line", event.round_id, line.label)
            found.append((player, line.label, line.stake_minor))
            net = line.payout_minor - line.stake_minor
            self.nets[event.round_id, player] += net
            self.in_play[event.round_id, player] -= line.stake_minor
            self.owed[*part, player] += line.payout_minor
        if found != self.dues.get(part):
            self.wrong(envelope, f"settles {found}, due {self.dues.get(part)}")
        self.settled[part] = found

    def _close(self, envelope: Envelope, event: e.RoundClosed) -> None:
        """All is paid, so every stake has had its one end by now."""
        round_id = event.round_id
        is_void = event.status == "void"
        for part in [(round_id, n) for n in range(1, self.parts[round_id] + 1)]:
            if part in self.dues and part not in self.settled and not is_void:
                self.wrong(envelope, f"{part} was never settled")
            for player in event.players:
                owed = self.owed.pop((*part, player), None)
                posted = self.posted.pop((*part, player), None)
                # Where all was lost only a capture is posted; a void has none.
                if owed != posted and not (is_void and (owed, posted) == (0, None)):
                    self.wrong(envelope, f"{part}: {player} got {posted} of {owed}")
        for name, net in event.nets_minor.items():
            if net != self.nets[round_id, name]:
                self.wrong(envelope, f"{name} net {net}, {self.nets[round_id, name]}")

    def _see_cards(self, envelope: Envelope, event: Any) -> None:
        match event:
            case e.CardsRequested():
                key = (event.round_id, event.request)
                self.first(envelope, "request", *key)
                self.asked[key] = event.places
            case s.CardsDealt():
                key = (event.round_id, event.request)
                self.first(envelope, "answer", *key)
                if tuple(card.place for card in event.cards) != self.asked.get(key):
                    self.wrong(envelope, "deals other cards than were asked for")
                for card in event.cards:
                    self.first(envelope, "card", event.shoe, card.order, card.index)
                    self._note(event.shoe, card)
            case s.CardBurned():
                self.first(envelope, "card", event.shoe, event.order, event.index)
            case s.HoleLooked() | s.HoleRevealed():
                self.first(envelope, envelope.type, event.round_id)
                if isinstance(event, s.HoleRevealed):
                    self._note(event.shoe, event.card)
            case s.ShoeRetired():
                for index, shown in self.cards[event.shoe].items():
                    if event.order[2 * index : 2 * index + 2] != shown:
                        self.wrong(envelope, f"index {index} was shown as {shown}")

    def _note(self, shoe: str, card: s.DealtCard) -> None:
        if card.card and not card.order:
            self.cards[shoe][card.index] = card.card

    def answered(self, service: str, actor: str, answer: Answer) -> None:
        """A recorded answer names the last event that its command led to."""
        place = self.commands.pop((service, actor, answer.command_id), None)
        if place != (answer.stream, answer.version):
            self.violations.append(f"{actor} {answer.command_id}: {place}, {answer}")

    def finish(self) -> list[str]:
        """Say what does not add up in the end."""
        self.violations += [f"{key} has no answer" for key in self.commands]
        for (round_id, player), amount in self.in_play.items():
            if amount and round_id in self.closed:
                self.violations.append(f"{round_id}: {player} {amount} has no end")
        for account, amount in self.accounts.items():
            kind, _, rest = account.partition(":")
            if kind == "in_play" and amount and rest.split(":")[0] in self.closed:
                self.violations.append(f"{account} holds {amount} after the end")
        if sum(self.accounts.values()):
            self.violations.append("the accounts do not sum to zero")
        return self.violations


def _transfers(event: Any) -> list[w.Transfer]:
    found = [getattr(event, name, None) for name in ("returned", "transfer")]
    return [x for x in found if x is not None] + list(getattr(event, "transfers", ()))


def audit(path: Path) -> list[str]:
    """Audit a casino's file: the chains of its logs, then every record."""
    sql = sqlite3.connect(path)
    auditor = Auditor()
    links: dict[str, tuple[int, bytes]] = {}
    versions: Counter[tuple[str, str]] = Counter()
    query = "SELECT service, offset, hash, body FROM records ORDER BY place"
    for service, offset, link, body in sql.execute(query):
        before, previous = links.get(service, (0, bytes(32)))
        envelope = catalog.decode_envelope(body)
        digest = hashlib.sha256(previous + hashlib.sha256(body).digest()).digest()
        if (offset, envelope.offset) != (before + 1, before + 1) or digest != link:
            auditor.wrong(envelope, "the chain is broken")
        links[service] = (offset, link)
        versions[service, envelope.stream] += 1
        if envelope.version != versions[service, envelope.stream]:
            auditor.wrong(envelope, f"version {envelope.version} out of order")
        auditor.see(envelope, catalog.decode_event(envelope))
    for service, actor, outcome in sql.execute(
        "SELECT service, actor, outcome FROM answers"
    ):
        answer = msgspec.json.decode(outcome, type=Answer)
        auditor.answered(service, actor, answer)
    parked = sql.execute("SELECT stream, reason FROM parked").fetchall()
    auditor.violations += [f"set aside: {row}" for row in parked if row[0]]
    sql.close()
    return auditor.finish()
