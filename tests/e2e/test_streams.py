"""The comparison of two casinos' records finds what differs, and only that (H15)."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from blackjack.machine import Due, Offer
from blackjack.script import read_script
from contracts import catalog
from contracts import round_events as e
from contracts.base import Event, tag_of
from push22.casino import Casino
from push22.script_runner import ScriptTable
from push22.stacked import stacked_ambient
from tests.e2e.hosts import Embedded
from tests.e2e.streams import (
    Streams,
    Told,
    differences,
    in_box_order,
    streams_of,
    unpaid,
)

ROUND = "round-t-1"
PUT_IN_ORDER_BY = {
    tag_of(kind) for kind in (e.WagersPlaced, e.SettlementDue, e.PayoutsReceived)
}
"""Of another type, these leave answers without a question: an error, see below."""

SCRIPT = Path(__file__).parents[1] / "scripts" / "three-boxes-of-two-players.round.toml"


@pytest.fixture(scope="module")
def streams() -> Streams:
    """What the embedded casino records of a round of two players."""
    return asyncio.run(_played())


async def _played() -> Streams:
    script = read_script(SCRIPT.read_text("utf-8"))
    ambient, clock = stacked_ambient(script)
    casino = await Casino.in_memory(ambient)
    try:
        await ScriptTable(script, casino, clock).play()
        return streams_of(await Embedded(casino).records())
    finally:
        await casino.close()


def changed(streams: Streams, stream: str, records: Sequence[Told]) -> Streams:
    return streams | {stream: list(records)}


def test_every_altered_record_shows(streams: Streams) -> None:
    """One byte of any record's data, in any stream, is named with its place."""
    for name, records in streams.items():
        for at, told in enumerate(records):
            other = told._replace(data=told.data[:-1] + b" }")
            mutated = changed(streams, name, [*records[:at], other, *records[at + 1 :]])
            assert len(differences(streams, mutated)) == 1, (name, at)


def test_every_altered_type_shows(streams: Streams) -> None:
    """The type is compared for itself, whatever the data says."""
    for name, records in streams.items():
        for at, told in enumerate(records):
            if told.type in PUT_IN_ORDER_BY:
                continue
            other = told._replace(type=told.type.replace(".v1", ".v2"))
            mutated = changed(streams, name, [*records[:at], other, *records[at + 1 :]])
            assert len(differences(streams, mutated)) == 1, (name, at)


def test_every_missing_last_record_shows(streams: Streams) -> None:
    """A stream that is shorter differs, whichever side lacks the record."""
    for name, records in streams.items():
        shorter = changed(streams, name, records[:-1])
        assert len(differences(streams, shorter)) == 1
        assert len(differences(shorter, streams)) == 1


def test_a_missing_stream_shows(streams: Streams) -> None:
    """A stream that only one side has differs at its first record."""
    for name in streams:
        fewer = {stream: told for stream, told in streams.items() if stream != name}
        assert [line.split(":")[0] for line in differences(fewer, streams)] == [
            f"{name}@1"
        ]


def test_records_in_another_order_show(streams: Streams) -> None:
    """Neighbours may not change places, unless one is the answer of a wallet."""
    answer = tag_of(e.PayoutsReceived)
    for name, records in streams.items():
        for at in range(len(records) - 1):
            first, second = records[at : at + 2]
            if answer in (first.type, second.type) or first == second:
                continue
            swapped = [*records[:at], second, first, *records[at + 2 :]]
            assert differences(streams, changed(streams, name, swapped)), (name, at)


def told(event: Event) -> Told:
    return Told(tag_of(event), catalog.encode(event))


def placed(box: int, player: str) -> Told:
    return told(e.WagersPlaced(ROUND, box, player, "EUR", (100,), {}, "r", 100, 0))


def paid(part: int, player: str) -> Told:
    return told(e.PayoutsReceived(ROUND, part, player, 0))


def due(part: int, *players: str) -> Told:
    wager = Due(label="1", box=1, kind="side", stake_minor=100)
    dues = tuple(e.PlayerDue(player, wager) for player in players)
    return told(e.SettlementDue(ROUND, part, "ny-switch-6d", {}, "EUR", dues))


TURNED = told(e.HoleCardTurned(ROUND, "As"))
BETS = [placed(2, "local.ann"), placed(1, "local.zoe"), placed(3, "local.ann")]
ASKED = due(1, "local.ann", "local.zoe")
ANN, ZOE = paid(1, "local.ann"), paid(1, "local.zoe")


@pytest.mark.parametrize(
    "arrived",
    [
        [ASKED, ZOE, ANN, TURNED],
        [ASKED, ANN, ZOE, TURNED],
        [ASKED, ANN, TURNED, ZOE],
        [ASKED, TURNED, ANN, ZOE],
    ],
)
def test_answers_of_wallets_stand_by_box_behind_what_they_answer(
    arrived: list[Told],
) -> None:
    """Whenever they came: Zoe has box 1, Ann the boxes 2 and 3."""
    assert in_box_order([*BETS, *arrived]) == [*BETS, ASKED, ZOE, ANN, TURNED]


def test_answers_of_two_parts_do_not_mix() -> None:
    """Each stands behind its own part, though the first came after the second."""
    second = due(2, "local.ann")
    arrived = [ASKED, second, paid(2, "local.ann"), ZOE, ANN]
    assert in_box_order([*BETS, *arrived]) == [
        *BETS,
        ASKED,
        ZOE,
        ANN,
        second,
        paid(2, "local.ann"),
    ]


def test_an_answer_before_its_question_is_an_error() -> None:
    """It is no order that any host may have: nothing is put right silently."""
    with pytest.raises(KeyError):
        in_box_order([*BETS, ZOE, ASKED])


def offered(player_box: int, *, is_due: bool) -> Told:
    offer = Offer(str(player_box), player_box, (), due=is_due)
    return told(e.DecisionOpened(ROUND, 2, "turn", 0, (offer,)))


CLOSED = told(
    e.RoundClosed(ROUND, "t", "settled", ("local.ann", "local.zoe"), {}, 4, 9, False)
)


@pytest.mark.parametrize(
    ("records", "faults"),
    [
        ([ASKED, ANN, ZOE, offered(1, is_due=True), CLOSED], 0),
        ([ASKED, ZOE, offered(1, is_due=True), ANN, CLOSED], 0),
        ([ASKED, ZOE, offered(3, is_due=False), ANN, CLOSED], 0),
        ([ASKED, ZOE, offered(3, is_due=True), ANN, CLOSED], 1),
        ([ASKED, offered(1, is_due=True), ZOE, ANN, CLOSED], 1),
        ([ASKED, ZOE, CLOSED, ANN], 1),
    ],
)
def test_h6_who_does_not_wait_for_the_wallet_is_found(
    records: list[Told], faults: int
) -> None:
    """What the order by box would hide is looked at before it."""
    assert len(unpaid([*BETS, *records])) == faults
