"""What two casinos have recorded, stream by stream, and where they differ (H15).

Compared is each record's (type, data) in its stream's order. Only wallets' answers have
no order of their own, as they book while the shoe deals on: each is put behind the
`settlement_due` it answers, by box. What must wait for them is held to it by `unpaid`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from contracts import catalog
from contracts import round_events as e
from contracts.base import tag_of
from runtime.log import Record


class Told(NamedTuple):
    """What of a record must not depend on the host."""

    type: str
    data: bytes


Streams = dict[str, list[Told]]

_ANSWER = tag_of(e.PayoutsReceived)
_PLACED = tag_of(e.WagersPlaced)
_OFFERED = tag_of(e.DecisionOpened)
_CLOSED = tag_of(e.RoundClosed)
_ASKS = frozenset({tag_of(e.SettlementDue), tag_of(e.RefundsAwaited)})


class _Part(msgspec.Struct):
    """What of a question to the wallets, or an answer, says which one it is."""

    part: int
    player: str = ""
    dues: tuple[e.PlayerDue, ...] = ()
    players: tuple[str, ...] = ()


_part = msgspec.json.Decoder(_Part).decode
_placed = msgspec.json.Decoder(e.WagersPlaced).decode
_offered = msgspec.json.Decoder(e.DecisionOpened).decode


def streams_of(records: Iterable[Record]) -> Streams:
    """Return the streams of logs that were read in the order of their partitions."""
    found: Streams = {}
    for record in records:
        told = Told(record.type, bytes(catalog.decode_envelope(record.body).data))
        found.setdefault(record.stream, []).append(told)
        assert len(found[record.stream]) == record.version, f"a hole: {record.stream}"
    return found


def in_box_order(stream: Sequence[Told]) -> list[Told]:
    """Put each wallet's answer behind what it answers, in the order of the boxes."""
    boxes = {player: box for box, player in reversed(_owners(stream).items())}
    answers: dict[int, list[Told]] = {}
    found: list[list[Told]] = []
    for told in stream:
        if told.type == _ANSWER:
            answers[_part(told.data).part].append(told)
            continue
        found.append([told])
        if told.type in _ASKS:
            found.append(answers.setdefault(_part(told.data).part, []))
    for group in answers.values():
        group.sort(key=lambda told: boxes[_part(told.data).player])
    return [told for group in found for told in group]


def _owners(stream: Sequence[Told]) -> dict[int, str]:
    """Return whose each box is, by box."""
    events = [_placed(told.data) for told in stream if told.type == _PLACED]
    return {bet.box: bet.player for bet in sorted(events, key=lambda bet: bet.box)}


def unpaid(stream: Sequence[Told]) -> list[str]:
    """Name what did not wait for a wallet's answer as it must (H6).

    Nobody is waited for while something is being booked for them, and a round is
    closed when everything is.
    """
    owners = _owners(stream)
    open_: set[tuple[int, str]] = set()
    found: list[str] = []
    for told in stream:
        if told.type in _ASKS:
            part = _part(told.data)
            due = {item.player for item in part.dues} | set(part.players)
            open_ |= {(part.part, player) for player in due}
        elif told.type == _ANSWER:
            part = _part(told.data)
            open_.discard((part.part, part.player))
        elif told.type == _CLOSED and open_:
            found.append(f"closed before {sorted(open_)}")
        elif told.type == _OFFERED:
            offers = _offered(told.data).offers
            asked = {owners[offer.box] for offer in offers if offer.due}
            early = sorted(item for item in open_ if item[1] in asked)
            found += [f"offered before {early}"] if early else []
    return found


def differences(one: Streams, other: Streams) -> list[str]:
    """Name each stream that differs, at its first record that does."""
    return [
        line
        for stream in sorted(one.keys() | other.keys())
        for line in _first(
            stream,
            in_box_order(one.get(stream, [])),
            in_box_order(other.get(stream, [])),
        )
    ]


def _first(stream: str, one: list[Told], other: list[Told]) -> Iterator[str]:
    for version, (mine, theirs) in enumerate(zip(one, other, strict=False), 1):
        if mine != theirs:
            yield f"{stream}@{version}: {_shown(mine)} | {_shown(theirs)}"
            return
    if len(one) != len(other):
        shorter = min(len(one), len(other))
        more = (one if len(one) > shorter else other)[shorter]
        yield f"{stream}@{shorter + 1}: {len(one)} | {len(other)}: {_shown(more)}"


def _shown(told: Told) -> str:
    return f"{told.type} {told.data.decode()[:300]}"
