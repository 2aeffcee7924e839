"""A real casino's logs: indexed, rebuilt, made again and accounted for."""

import asyncio
import sqlite3
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from small_casino import ALICE, BOB, PLAIN, REPLACED, TIMED_OUT, VOIDED, copy_of

from contracts import ENGINE_VERSION, catalog
from contracts import round_events as e
from contracts.round_search import Query, RoundRow
from push22.casino import Casino
from push22.commands.audit import audited
from push22.inspect.history import steps_in
from push22.inspect.parallel import joined, stretches, verify_all
from push22.inspect.reader import Reader
from push22.inspect.verify import Decisions, check_decisions, verify_round
from push22.round_index import find_all_rounds
from runtime.bus_memory import Delivery
from runtime.log import Record
from services.archive.index_tables import TABLES
from services.archive.project import ROUNDS
from services.archive.rebuild import NotRebuildable, balances_before, steps_of, view_at
from services.table_orchestrator import SERVICE


def silent(_: int) -> None:
    pass


def find_rounds(reader: Reader, query: Query) -> tuple[RoundRow, ...]:
    return find_all_rounds(reader.file, query)


@pytest.fixture
def reader(played: Path) -> Reader:
    return Reader.open(played)


def test_every_decision_follows_from_its_input(reader: Reader) -> None:
    """All that happened at the tables is made again, and every byte is equal."""
    found = verify_all(reader, silent)

    assert found.is_match
    assert found.decisions.checked + found.decisions.by_proof_only == reader.count()
    assert found.decisions.by_proof_only > 0
    assert found.decisions.engines.keys() == {ENGINE_VERSION}


@pytest.mark.parametrize("round_id", [PLAIN, VOIDED, TIMED_OUT, REPLACED])
def test_one_round_is_judged_by_its_own_streams(reader: Reader, round_id: str) -> None:
    """A round is made again with its settlement, wallets, table and shoe."""
    found = verify_round(reader, round_id, silent)
    own = [r for r in reader.of_round(round_id) if r.service != "shoe"]

    assert found.is_match
    assert found.decisions.checked >= len(own)


@pytest.mark.parametrize("count", [2, 5, 40])
def test_stretches_find_what_one_pass_finds(reader: Reader, count: int) -> None:
    """Cut anywhere, the parts check each record once and prove each card once."""
    whole = check_decisions(reader, silent)
    parts = joined(
        check_decisions(reader, silent, stretch)
        for stretch in stretches(reader.last_place(), count)
    )

    assert parts.differences == []
    assert parts.proof_faults == []
    assert _counts(parts) == _counts(whole)


def _counts(found: Decisions) -> tuple[int, int, int, int]:
    checked, by_proof = found.checked, found.by_proof_only
    return checked, by_proof, found.cards_proved, found.shoes


def test_every_cent_is_accounted_for(reader: Reader) -> None:
    """The audit, which asks no decider, agrees with the casino."""
    audit = audited(reader, silent)

    assert audit.finish() == ()
    assert audit.rounds_checked == 35


def test_a_casino_may_run_while_it_is_judged(played: Path, tmp_path: Path) -> None:
    """A reader sees the log as it stood; what is added meanwhile is the next one's."""
    copy_of(played, tmp_path).close()
    reader = Reader.open(tmp_path)
    before = reader.count()

    asyncio.run(deposited(tmp_path))

    assert reader.count() == before
    assert verify_all(reader, silent).is_match
    later = Reader.open(tmp_path)
    assert later.count() > before
    assert verify_all(later, silent).is_match


async def deposited(data: Path) -> None:
    casino = await Casino.open(data)
    await casino.deposit(ALICE, "EUR", 500)
    await casino.close()


def test_several_processes_find_what_one_finds(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large log is checked by several processes, with the same verdict."""
    alone = verify_all(Reader.open(played), silent)
    monkeypatch.setattr("push22.inspect.parallel._LARGE", 1)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    done: list[int] = []

    together = verify_all(Reader.open(played), done.append)

    assert together.logs == alone.logs
    assert _counts(together.decisions) == _counts(alone.decisions)
    assert sum(done) > 0


def test_another_engine_is_named(reader: Reader, monkeypatch: Any) -> None:
    """Where the running engine is not the recorded one, the verdict says so."""
    monkeypatch.setattr("push22.inspect.verify.ENGINE_VERSION", "2")

    assert check_decisions(reader, silent).other_engines == (ENGINE_VERSION,)


def test_a_round_is_rebuilt_at_each_of_its_events(reader: Reader) -> None:
    """What is seen after an event is what its own events make of it, no more."""
    steps = steps_in(reader, PLAIN)
    last = steps[-1].sequence

    phases = [view_at(steps, number).phase for number in range(1, last + 1)]

    assert phases[0] == "betting"
    assert phases[-1] == "settled"
    assert set(phases) >= {"betting", "betting closed", "dealing", "turns", "dealer"}


def test_a_card_that_lies_face_down_is_in_no_view(reader: Reader) -> None:
    """Before it is turned over the hole card is nowhere in view or record."""
    steps = steps_in(reader, PLAIN)
    turned = next(s for s in steps if isinstance(s.event, e.HoleCardTurned))
    before = view_at(steps, turned.sequence - 1)
    after = view_at(steps, turned.sequence)

    assert before.dealer.face_down
    assert len(before.dealer.cards) == 1
    assert not after.dealer.face_down
    assert turned.event.card in after.dealer.cards


def test_a_void_shows_who_ordered_it_and_gives_everything_back(reader: Reader) -> None:
    """Support's void stands in the round with its reason; the stakes are back."""
    steps = steps_in(reader, VOIDED)
    voided = next(s for s in steps if isinstance(s.event, e.RoundVoided))

    assert voided.record.actor.who == "carol"
    assert voided.event.reason == "the wrong shoe was on the table"
    assert view_at(steps, steps[-1].sequence).phase == "void"
    assert steps[-1].balances_minor == balances_before(steps)


def test_a_silent_player_is_decided_for_on_record(reader: Reader) -> None:
    """The record shows which decision the platform took (GLI-19 4.16.3)."""
    steps = steps_in(reader, TIMED_OUT)
    made = [s.record.actor.kind for s in steps if isinstance(s.event, e.Decision)]

    assert made == ["timeout"]


def test_a_damaged_round_is_not_rebuilt_but_named(reader: Reader) -> None:
    """A record that does not follow on those before it stops the rebuilding."""
    records = [r for r in reader.of_round(PLAIN) if r.version != 2]

    with pytest.raises(NotRebuildable, match=f"{PLAIN}@"):
        steps_of(PLAIN, records, SERVICE.deciders["round"])


def test_rounds_are_found_by_player_table_status_time_and_transfer(
    reader: Reader,
) -> None:
    """Each way to search finds the rounds that fit, newest first."""
    alices = find_rounds(reader, Query(player=ALICE))
    (void,) = find_rounds(reader, Query(status="void"))
    (by_transfer,) = find_rounds(reader, Query(transaction=f"{REPLACED}:bet:1:reserve"))
    later = find_rounds(reader, Query(table="t2", since=void.opened_at + 1))

    assert len(alices) == 31
    assert alices[0].opened_at > alices[-1].opened_at
    assert {found.table for found in alices} == {"t1"}
    assert (void.round_id, void.seats[0].net_minor) == (VOIDED, 0)
    assert (void.seats[0].staked_minor, void.seats[0].paid_minor) == (3000, 3000)
    assert by_transfer.round_id == REPLACED
    assert [found.round_id for found in later] == [REPLACED.replace("4", "5"), REPLACED]
    assert {seat.player for found in later for seat in found.seats} == {BOB}


def test_the_index_agrees_with_the_rounds_own_nets(reader: Reader) -> None:
    """Paid less staked, from the lines, is the net that the round reported."""
    for found in find_rounds(reader, Query(limit=100)):
        for seat in found.seats:
            assert seat.net_minor == seat.paid_minor - seat.staked_minor


def digest(file: sqlite3.Connection) -> str:
    """Return a digest of the whole content of the index."""
    text = sha256()
    for table in TABLES:
        for row in sorted(file.execute(f"SELECT * FROM {table}")):
            text.update(repr(row).encode())
    return text.hexdigest()


@pytest.mark.parametrize("order", ["place", "service, place", "service DESC, place"])
def test_the_index_is_the_same_when_filled_again(
    played: Path, tmp_path: Path, order: str
) -> None:
    """Dropped and filled from the logs it has equal content, in any order of logs."""
    file = copy_of(played, tmp_path)
    before = digest(file)
    for statement in (*ROUNDS.drop, *ROUNDS.ddl):
        file.execute(statement)
    assert digest(file) != before

    columns = "service, part, offset, stream, version, type, round_id, hash, hash, body"
    query = f"SELECT {columns} FROM records ORDER BY {order}"
    for record in map(Record._make, file.execute(query).fetchall()):
        if record.service in ROUNDS.sources and record.type in ROUNDS.heeds:
            ROUNDS.apply(file, Delivery(record))

    assert digest(file) == before


def test_no_secret_of_a_shoe_in_use_is_in_what_is_shown(reader: Reader) -> None:
    """No record of a round tells a card that still lies face down (law 5)."""
    for record in reader.of_round(VOIDED):
        event = catalog.decode_event(record)
        for card in getattr(event, "cards", ()):
            if getattr(card, "place", "") == "hole":
                assert not card.card
