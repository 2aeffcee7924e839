"""Whether the facts of one ended round agree: each broken rule is one complaint."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from services.archive.round_book import Booked, Reservation, RoundBook, Stake


class Complaint(NamedTuple):
    """A broken rule: `check` is its name in `audit.CHECKS`."""

    check: str
    text: str


def complaints(book: RoundBook) -> Iterator[Complaint]:
    """Yield what is wrong with a round that has ended."""
    book.resolve_replacements()
    yield from _reservations(book)
    yield from _in_play(book)
    yield from _stakes(book)
    yield from _lines(book)
    yield from _void(book)
    yield from _postings(book)
    yield from _nets(book)


def _reservations(book: RoundBook) -> Iterator[Complaint]:
    for name, reservation in book.reservations.items():
        yield from _asked_for(name, reservation)
        yield from _ended_once(name, reservation)
    for name, _ in book.returned:
        text = f"{name} returned a stake, but replaces no reservation"
        yield Complaint("reservation_end", text)


def _asked_for(name: str, reservation: Reservation) -> Iterator[Complaint]:
    asked, held = reservation.asked, reservation.held
    if asked is None:
        text = f"{name} was never asked for by its round"
        yield Complaint("reservation_round", text)
    elif held is not None and held != asked:
        text = f"{name} holds {_stake(held)}, asked was {_stake(asked)}"
        yield Complaint("reservation_round", text)
    if asked is not None and reservation.answers == 0:
        text = f"{name} was asked for and the wallet never answered"
        yield Complaint("reservation_end", text)


def _ended_once(name: str, reservation: Reservation) -> Iterator[Complaint]:
    held, releases = reservation.held, reservation.releases
    if held is None:
        if releases or reservation.accepted:
            text = f"{name} was returned or accepted, but never held"
            yield Complaint("reservation_end", text)
        return
    if any(amount != held.amount_minor for amount in releases):
        text = f"{name} holds {held.amount_minor}, returned were {releases}"
        yield Complaint("reservation_end", text)
    ends = len(releases) + reservation.is_staked
    if ends != 1:
        text = f"{name} has {ends} ends: {len(releases)} returns, " + (
            "staked" if reservation.is_staked else "not staked"
        )
        yield Complaint("reservation_end", text)


def _stake(stake: Stake) -> str:
    return f"{stake.amount_minor} of {stake.player}"


def _in_play(book: RoundBook) -> Iterator[Complaint]:
    for account, amount in book.in_play.items():
        if amount:
            yield Complaint("in_play", f"{account} is {amount} after the end")


def _stakes(book: RoundBook) -> Iterator[Complaint]:
    """All that a player staked was settled or returned, and nothing more."""
    staked: Counter[str] = Counter()
    for reservation in book.reservations.values():
        if reservation.is_staked and reservation.asked is not None:
            staked[reservation.asked.player] += reservation.asked.amount_minor
    ended: Counter[str] = Counter()
    for items in book.lines.values():
        for item in items:
            ended[item.player] += item.line.stake_minor
    for refunds in book.refunds.values():
        for refund in refunds:
            ended[refund.player] += refund.stake_minor - refund.lost_minor
    for player in sorted(staked.keys() | ended.keys()):
        if staked[player] != ended[player]:
            text = f"{player} staked {staked[player]}, settled are {ended[player]}"
            yield Complaint("stakes_settled", text)


def _lines(book: RoundBook) -> Iterator[Complaint]:
    """Each wager that was due has one line, and each line was due."""
    for label in sorted(book.dues.keys() | book.lines.keys()):
        due = book.dues.get(label, [])
        lines = [
            Stake(item.player, item.line.stake_minor)
            for item in book.lines.get(label, [])
        ]
        if due != lines or len(lines) != 1:
            text = f"wager {label}: due {_list(due)}, lines {_list(lines)}"
            yield Complaint("one_line", text)


def _list(stakes: list[Stake]) -> str:
    return ", ".join(_stake(stake) for stake in stakes) or "none"


def _void(book: RoundBook) -> Iterator[Complaint]:
    """A void takes back nothing won and returns every other stake once (H2)."""
    if book.status != "void":
        if book.refunds:
            text = f"refunds of {', '.join(book.refunds)}, but no void"
            yield Complaint("one_line", text)
        return
    for label in sorted(book.void_stakes.keys() | book.refunds.keys()):
        stakes = book.void_stakes.get(label, [])
        back = sum(item.line.payout_minor for item in book.lines.get(label, []))
        refunds = book.refunds.get(label, [])
        back += sum(refund.stake_minor for refund in refunds)
        wanted = sum(stake.amount_minor for stake in stakes)
        if len(stakes) != 1 or len(refunds) > 1 or back < wanted:
            text = f"void: {label} staked {_list(stakes)}, came back {back}"
            yield Complaint("one_line", text)


def _postings(book: RoundBook) -> Iterator[Complaint]:
    """What settlement says comes back is booked once, and nothing else is."""
    for part, player in sorted(book.owed.keys() | book.posted.keys()):
        name = f"part {part} for {player}"
        booked = book.posted.get((part, player), [])
        if len(booked) > 1:
            yield Complaint("paid_once", f"{name} is booked {len(booked)} times")
            continue
        owed = book.owed.get((part, player), [0, 0])
        moved = booked[0] if booked else Booked(0, 0, 0)
        if [moved.to_player, moved.from_in_play] != owed:
            text = (
                f"{name}: settled are {owed[0]} to the player out of stakes of "
                f"{owed[1]}, booked {moved.to_player} out of {moved.from_in_play}"
            )
            yield Complaint("payouts_booked", text)


def _nets(book: RoundBook) -> Iterator[Complaint]:
    """The round reports the nets that were booked, part by part and as a whole."""
    total: Counter[str] = Counter()
    for part, player in sorted(book.posted.keys() | book.received.keys()):
        posted = [item.net_of_house for item in book.posted.get((part, player), [])]
        received = book.received.get((part, player), [])
        total[player] += sum(posted)
        if posted != received:
            text = f"part {part} for {player}: booked {posted}, received {received}"
            yield Complaint("payouts_received", text)
    lines = _nets_of_lines(book)
    for player in sorted(total.keys() | book.nets_minor.keys() | lines.keys()):
        reported = book.nets_minor.get(player, 0)
        if not reported == total[player] == lines[player]:
            text = (
                f"{player}: the round reports {reported}, "
                f"the lines {lines[player]}, the wallet {total[player]}"
            )
            yield Complaint("nets", text)


def _nets_of_lines(book: RoundBook) -> Counter[str]:
    nets: Counter[str] = Counter()
    for items in book.lines.values():
        for item in items:
            nets[item.player] += item.line.payout_minor - item.line.stake_minor
    for refunds in book.refunds.values():
        for refund in refunds:
            nets[refund.player] += refund.lost_minor
    return nets
