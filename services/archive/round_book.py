"""What one round did with money, collected from the records of three services.

Every fact may come in any order: table, settlement and wallet are different logs.
Whether the facts agree is judged in `round_checks`. No decider and no rule book is
asked: this knows what was staked, settled and booked, not how a hand is judged.
"""

from collections import Counter, defaultdict
from typing import Any, NamedTuple

from contracts import round_events as e
from contracts import settlement as st
from contracts import wallet as w
from contracts import wallet_calls as c
from contracts.identities import player_account
from contracts.operator_wallet import CORRECTION


class Stake(NamedTuple):
    player: str
    amount_minor: int


class Booked(NamedTuple):
    """What one `payouts_posted` moved for a player, in minor units."""

    to_player: int
    from_in_play: int
    net_of_house: int


class Reservation:
    """One stake's way: asked for, answered by the wallet, accepted, ended."""

    __slots__ = ("accepted", "answers", "asked", "dropped", "held", "releases")

    def __init__(self) -> None:
        self.asked: Stake | None = None
        self.held: Stake | None = None
        self.answers = 0
        self.accepted = False
        self.dropped = False
        self.releases: list[int] = []

    @property
    def is_staked(self) -> bool:
        """The stake counts: the table accepted it and did not let it go again."""
        return self.accepted and not self.dropped


Part = tuple[int, str]
"""A part of the settlement and the player it is booked for."""


class RoundBook:
    """The money of one round. `status` is empty until the round has ended."""

    def __init__(self, round_id: str) -> None:
        self.round_id = round_id
        self.is_opened = False
        self.currency = ""
        self.status = ""
        self.nets_minor: dict[str, int] = {}
        self.reservations: defaultdict[str, Reservation] = defaultdict(Reservation)
        self.replaces: dict[str, str] = {}
        self.returned: list[tuple[str, int]] = []
        self.in_play: Counter[str] = Counter()
        self.transfers: Counter[str] = Counter()
        self.dues: defaultdict[str, list[Stake]] = defaultdict(list)
        self.lines: defaultdict[str, list[st.PlayerLine]] = defaultdict(list)
        self.void_stakes: defaultdict[str, list[Stake]] = defaultdict(list)
        self.refunds: defaultdict[str, list[st.Refund]] = defaultdict(list)
        self.owed: defaultdict[Part, list[int]] = defaultdict(lambda: [0, 0])
        self.posted: defaultdict[Part, list[Booked]] = defaultdict(list)
        self.received: defaultdict[Part, list[int]] = defaultdict(list)

    def add(self, event: Any) -> None:
        """Take in one event of the table, of settlement or of a wallet."""
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            handler(self, event)

    def transfers_of(self, event: Any) -> tuple[w.Transfer, ...]:
        """Note a wallet event's transfers as moves of the money in play."""
        moves = transfers_in(event)
        for move in moves:
            self.transfers[move.id] += 1
            if move.credit.startswith("in_play:"):
                self.in_play[move.credit] += move.amount_minor
            if move.debit.startswith("in_play:"):
                self.in_play[move.debit] -= move.amount_minor
        return moves

    def reservation_released(self, name: str, amount_minor: int) -> None:
        self.reservations[name].releases.append(amount_minor)

    def resolve_replacements(self) -> None:
        """Give each returned stake to the bet that was replaced, once it is known."""
        waiting = []
        for name, amount_minor in self.returned:
            if replaced := self.replaces.get(name):
                self.reservation_released(replaced, amount_minor)
            else:
                waiting.append((name, amount_minor))
        self.returned = waiting
        for name, replaced in self.replaces.items():
            if self.reservations[name].accepted:
                self.reservations[replaced].dropped = True


def transfers_in(event: Any) -> tuple[w.Transfer, ...]:
    """Return every transfer that a wallet event books."""
    match event:
        case w.Deposited() | w.Withdrawn() | w.CorrectionPosted():
            return (event.transfer,)
        case w.FundsReserved() if event.returned is not None:
            return (event.returned, event.transfer)
        case w.FundsReserved():
            return (event.transfer,)
        case w.ReservationCancelled() | c.CallEnded() if event.transfer is not None:
            return (event.transfer,)
        case w.PayoutsPosted():
            return event.transfers
        case _:
            return ()


def is_correcting(event: Any) -> bool:
    """Tell what a case put right afterwards: no part of the round's result."""
    call = getattr(event, "call", None)
    if isinstance(call, c.OperatorCall):
        return call.reason == CORRECTION
    return isinstance(event, w.CorrectionPosted | w.CorrectionRefused)


def gain_minor(move: w.Transfer, account: str) -> int:
    """Return what a transfer adds to an account; less than 0 where it takes."""
    return move.amount_minor * ((move.credit == account) - (move.debit == account))


def players_gain_minor(event: Any) -> int:
    """Return what a wallet event's transfers do to its player's balance."""
    account = player_account(event.player, event.currency)
    return sum(gain_minor(move, account) for move in transfers_in(event))


def _opened(book: RoundBook, event: e.RoundOpened) -> None:
    book.is_opened = True
    book.currency = event.terms.currency


def _asked(book: RoundBook, event: e.WagersPlaced | e.FundsRequested) -> None:
    stake = Stake(event.player, event.amount_minor)
    book.reservations[event.reservation].asked = stake
    if isinstance(event, e.WagersPlaced) and event.replaces:
        book.replaces[event.reservation] = event.replaces


def _accepted(book: RoundBook, event: e.WagersAccepted | e.PaidDecision) -> None:
    if event.reservation:
        book.reservations[event.reservation].accepted = True


def _dropped(
    book: RoundBook, event: e.WagersRefused | e.WagersWithdrawn | e.FundsDeclined
) -> None:
    book.reservations[event.reservation].dropped = True


def _reserved(book: RoundBook, event: w.FundsReserved) -> None:
    reservation = book.reservations[event.reservation]
    reservation.answers += 1
    reservation.held = Stake(event.player, event.transfer.amount_minor)
    if event.returned is not None:
        book.returned.append((event.reservation, event.returned.amount_minor))


def _refused(book: RoundBook, event: w.FundsRefused) -> None:
    book.reservations[event.reservation].answers += 1


def _cancelled(book: RoundBook, event: w.ReservationCancelled) -> None:
    book.reservations[event.reservation].answers += event.transfer is None
    if event.transfer is not None:
        book.reservation_released(event.reservation, event.transfer.amount_minor)


def _due(book: RoundBook, event: e.SettlementDue) -> None:
    for item in event.dues:
        book.dues[item.due.label].append(Stake(item.player, item.due.stake_minor))


def _settled(book: RoundBook, event: st.WagersSettled) -> None:
    for item in event.lines:
        book.lines[item.line.label].append(item)
        owed = book.owed[event.part, item.player]
        owed[0] += item.line.payout_minor
        owed[1] += item.line.stake_minor


def _voided(book: RoundBook, event: e.RoundVoided) -> None:
    for stake in event.stakes:
        book.void_stakes[stake.label].append(Stake(stake.player, stake.stake_minor))


def _refunded(book: RoundBook, event: st.RoundVoidSettled) -> None:
    for refund in event.refunds:
        book.refunds[refund.label].append(refund)
        owed = book.owed[event.part, refund.player]
        owed[0] += refund.stake_minor
        owed[1] += refund.stake_minor - refund.lost_minor


def _posted(book: RoundBook, event: w.PayoutsPosted) -> None:
    to_player = from_in_play = net = 0
    for move in event.transfers:
        to_player += move.amount_minor * move.credit.startswith("player:")
        from_in_play += move.amount_minor * move.debit.startswith("in_play:")
        net += move.amount_minor * move.debit.startswith("house:")
        net -= move.amount_minor * move.credit.startswith("house:")
    booked = Booked(to_player, from_in_play, net)
    book.posted[event.part, event.player].append(booked)


def _received(book: RoundBook, event: e.PayoutsReceived) -> None:
    book.received[event.part, event.player].append(event.net_minor)


def _closed(book: RoundBook, event: e.RoundClosed) -> None:
    book.status = event.status
    book.nets_minor = event.nets_minor


_HANDLERS: dict[type, Any] = {
    e.RoundOpened: _opened,
    e.WagersPlaced: _asked,
    e.FundsRequested: _asked,
    e.WagersAccepted: _accepted,
    e.HandInsured: _accepted,
    e.HandDoubled: _accepted,
    e.HandSplit: _accepted,
    e.WagersRefused: _dropped,
    e.WagersWithdrawn: _dropped,
    e.FundsDeclined: _dropped,
    e.SettlementDue: _due,
    e.RoundVoided: _voided,
    e.PayoutsReceived: _received,
    e.RoundClosed: _closed,
    st.WagersSettled: _settled,
    st.RoundVoidSettled: _refunded,
    w.FundsReserved: _reserved,
    w.FundsRefused: _refused,
    w.ReservationCancelled: _cancelled,
    w.PayoutsPosted: _posted,
}
"""What each event means for the money; other events mean nothing for it."""

HEEDED = frozenset(_HANDLERS)
