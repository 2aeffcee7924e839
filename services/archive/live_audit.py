"""The audit of a running casino: each round is judged as it ends.

It may begin in the middle of a log: what it needs is the records of the rounds that are
open then. Memory is bounded by open rounds and by the wallets that it remembers. The
audit of everything from the first record is `audit.py`.
"""

from collections import Counter, OrderedDict
from collections.abc import Iterable
from typing import Any, NamedTuple

from contracts import round_events as e
from contracts import settlement as st
from contracts.base import tag_of
from contracts.envelope import Envelope, Micros
from services.archive import round_checks
from services.archive.round_book import HEEDED, RoundBook, players_gain_minor

HEEDS = frozenset(tag_of(kind) for kind in HEEDED)
"""The tags of what concerns rounds; every record of a wallet does besides."""

GRACE_US = 60 * 1_000_000
"""The services' logs come apart: so long an ended round may not agree yet."""

_WALLETS_KEPT = 100_000


class Group(NamedTuple):
    """What returns are counted by."""

    rule_set: str
    currency: str


class OpenRound:
    """A round that has not ended in order yet."""

    __slots__ = ("book", "group", "is_over", "opened_at", "seen_at")

    def __init__(self, round_id: str, seen_at: Micros) -> None:
        self.book = RoundBook(round_id)
        self.group = Group("", "")
        self.opened_at: Micros = 0
        self.seen_at = seen_at
        """When what is to be judged came: the end, or what belongs to no open round."""
        self.is_over = False


class LiveAudit:
    """Takes in events in the order of each log; says what is open and what is wrong."""

    def __init__(self) -> None:
        self._rounds: dict[str, OpenRound] = {}
        self._balances: OrderedDict[str, int] = OrderedDict()
        self.ended: Counter[str] = Counter()
        self.stakes_minor: Counter[Group] = Counter()
        self.payouts_minor: Counter[Group] = Counter()
        self.broken: Counter[str] = Counter()
        """How often each rule of `audit.CHECKS` was broken."""
        self.last_broken = ""

    def learn(self, records: Iterable[tuple[Envelope, Any]]) -> None:
        """Take in what is known of open rounds: it is counted as history, not again."""
        for envelope, event in records:
            self._follow(envelope, event)

    def see(self, envelope: Envelope, event: Any) -> None:
        """Take in what was committed just now."""
        if isinstance(event, st.WagersSettled):
            self._count(event)
        if isinstance(event, e.RoundClosed):
            self.ended[event.status] += 1
        if envelope.service == "wallet":
            self._see_wallet(envelope, event)
        self._follow(envelope, event)

    def _follow(self, envelope: Envelope, event: Any) -> None:
        round_id: str = getattr(event, "round_id", "")
        if not round_id or type(event) not in HEEDED:
            return
        found = self._rounds.get(round_id)
        if found is None:
            found = self._rounds[round_id] = OpenRound(round_id, envelope.recorded_at)
        found.book.add(event)
        if envelope.service == "wallet":
            found.book.transfers_of(event)
        if isinstance(event, e.RoundOpened):
            found.opened_at = envelope.recorded_at
            found.group = Group(event.terms.rule_set, event.terms.currency)
        if isinstance(event, e.RoundClosed):
            found.seen_at, found.is_over = envelope.recorded_at, True
        if found.is_over and _is_in_order(found.book):
            del self._rounds[round_id]

    def _count(self, event: st.WagersSettled) -> None:
        known = self._rounds.get(event.round_id)
        group = known.group if known is not None else Group("", "")
        for item in event.lines:
            self.stakes_minor[group] += item.line.stake_minor
            self.payouts_minor[group] += item.line.payout_minor

    def _see_wallet(self, envelope: Envelope, event: Any) -> None:
        """A balance is never negative, and the last one and what moved since."""
        stated = getattr(event, "balance_minor", None)
        if stated is None:
            return
        moved = players_gain_minor(event)
        before = self._balances.pop(envelope.stream, stated - moved)
        self._balances[envelope.stream] = stated
        if len(self._balances) > _WALLETS_KEPT:
            self._balances.popitem(last=False)
        if stated < 0 or stated != before + moved:
            text = f"{before} and {moved} moved make {before + moved}, stated {stated}"
            self._break("balance", f"{envelope.id}: {text}")

    def look(self, now: Micros) -> None:
        """Judge what ended a while ago and still does not agree.

        Money that moves for a round that nobody opened, or that has ended in order, is
        wrong by itself.
        """
        for round_id, found in list(self._rounds.items()):
            is_open = found.book.is_opened and not found.is_over
            if is_open or now - found.seen_at <= GRACE_US:
                continue
            del self._rounds[round_id]
            if not found.book.is_opened:
                self._break("reservation_round", f"{round_id}: not open")
                continue
            for check, text in round_checks.complaints(found.book):
                self._break(check, f"{round_id}: {text}")

    def _break(self, check: str, text: str) -> None:
        self.broken[check] += 1
        self.last_broken = text

    def open_rounds(self) -> list[Micros]:
        """Return when each open round was opened."""
        return [
            x.opened_at for x in self._rounds.values() if x.opened_at and not x.is_over
        ]


def _is_in_order(book: RoundBook) -> bool:
    return book.is_opened and not any(round_checks.complaints(book))
