"""What a soak finds, line by line, and what it does not know."""

import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from push22.bot import Wagers
from push22.casino import LOG_NAME, Casino
from push22.load.page import page
from push22.load.sampling import Sample, Use
from push22.load.soak import Observed, Soak, soak_of
from push22.load.stored import Span, Stored, held_bytes, stored_in
from push22.load.summary import summary
from push22.session import Session, Table
from tests.load.reports import report_of, run_at

MIB = 2**20
SECONDS = 200
QUIET = (30_000.0, 30_000.0)


def seen(mib_a_s: float = 0.0, bytes_a_s: tuple[float, float] = QUIET) -> Observed:
    """Return 200 seconds of one round a second, with these growths."""
    samples, size = [], 0.0
    for at in range(SECONDS):
        size += bytes_a_s[at >= 125]
        use = Use(0.0, int((100 + mib_a_s * at) * MIB))
        held = int(1e6 + size)
        samples.append(Sample(float(at), {"casino": use}, 0.0, 0.0, int(size), held))
    return Observed(samples, [at + 0.5 for at in range(SECONDS)], (10.0, 12.0))


def verdicts(soak: Soak) -> dict[str, str]:
    return {line.what: line.verdict for line in soak.lines}


def test_a_soak_that_only_grows_by_its_rounds_is_well_in_every_line() -> None:
    """Flat memory, as many bytes a round at the end, a steady tail, sound books."""
    soak = soak_of(seen())

    assert soak.findings == ()
    assert verdicts(soak) == {
        "memory of casino": "well",
        "log a round": "well",
        "p99 of an action": "well",
        "audit and verify": "well",
    }


def test_memory_that_grows_is_named_with_its_process_and_figure() -> None:
    """A tenth of a MiB a second is 360 an hour."""
    [finding] = soak_of(seen(0.1)).findings

    assert finding.startswith("memory of casino: +360 MiB an hour (+360 to +360)")
    assert finding.endswith("(not well)")


def test_a_slope_that_may_be_either_is_not_told() -> None:
    """Half of the samples are higher, by turns of a block: no line fits that."""
    usual = seen()
    samples = [
        replace(sample, uses={"casino": Use(0.0, (100 + 9 * (n // 13 % 2)) * MIB)})
        for n, sample in enumerate(usual.samples)
    ]
    soak = soak_of(replace(usual, samples=samples))

    assert verdicts(soak)["memory of casino"] == "not told"
    assert soak.findings


def test_a_minute_says_nothing_of_an_hour() -> None:
    """Too few samples are no pass."""
    few = replace(seen(), samples=seen().samples[:12])

    assert verdicts(soak_of(few))["memory of casino"] == "not told"
    assert verdicts(soak_of(Observed([], [], (0.0, 0.0)))) == {
        "log a round": "not told",
        "p99 of an action": "not told",
        "audit and verify": "well",
    }


def test_a_process_that_is_missing_at_the_end_is_still_judged() -> None:
    """One that did not answer the last time is not left out."""
    usual = seen()
    samples = [*usual.samples[:-1], replace(usual.samples[-1], uses={})]

    assert "memory of casino" in verdicts(soak_of(replace(usual, samples=samples)))


def test_a_log_a_tail_and_books_that_are_not_well_are_found() -> None:
    """Each by its own line."""
    assert verdicts(soak_of(seen(0.0, (30_000, 60_000))))["log a round"] == "not well"
    slow = soak_of(replace(seen(), p99_ms=(10.0, 20.0)))
    assert verdicts(slow)["p99 of an action"] == "not well"
    wrong = soak_of(replace(seen(), violations="NOT SOUND: audit: 1"))
    assert wrong.findings == ("audit and verify: NOT SOUND: audit: 1 (not well)",)


def counted(records: int, record_bytes: int, *, first: int = 2000) -> Stored:
    """Return a file: 50 s of 40 records a second, of 500 bytes and 250 beside each."""
    spans = (Span(first, first * 500), Span(records, record_bytes))
    return Stored(200, 20_000.0, {"records": 30_000.0}, spans)


@pytest.mark.parametrize(
    ("records", "of", "verdict"),
    [
        (5960, 500, "well"),
        (5960, 560, "well"),
        (5960, 400, "not well"),
        (5000, 500, "not well"),
        (7000, 500, "not well"),
    ],
)
def test_growth_is_held_against_the_records_of_its_time(
    records: int, of: int, verdict: str
) -> None:
    """Bytes of no record are found, and records whose bytes are in no file."""
    soak = soak_of(replace(seen(), stored=counted(records, records * of)))

    assert verdicts(soak)["log as computed"] == verdict
    [line] = [line for line in soak.lines if line.what == "log as computed"]
    assert f"{records:,} records of {of} bytes and 250 beside each" in line.seen


def test_what_begins_to_grow_later_is_found_though_rounds_cost_as_much() -> None:
    """The records of the rest are as before, and the files grow by a half more."""
    grown = replace(seen(0.0, (30_000, 60_000)), stored=counted(5960, 5960 * 500))

    assert verdicts(soak_of(grown))["log as computed"] == "not well"


def test_few_records_say_nothing_of_the_log() -> None:
    """Nor does a file without records of the rest; without a file there is no line."""
    few = soak_of(replace(seen(), stored=counted(5960, 5960 * 500, first=999)))
    none = soak_of(replace(seen(), stored=counted(0, 0)))

    assert verdicts(few)["log as computed"] == "not told"
    assert verdicts(none)["log as computed"] == "not told"
    assert "log as computed" not in verdicts(soak_of(seen()))


def test_the_summary_and_the_page_have_every_line_and_its_verdict() -> None:
    """What is kept beside the code says what was not well as well."""
    report = report_of([run_at(10, 5)], soak=soak_of(seen(0.1)))
    text = summary(report)

    assert text.startswith("# ")
    assert text.splitlines()[2] == report.books.line
    assert "| memory of casino | +360 MiB an hour" in text
    assert text.count("| well |") == 3
    assert text.count("| not well |") == 1
    assert "127.0.0.1" not in text
    assert "not well: +360 MiB an hour" in page(report)


async def played(folder: Path, rounds: int) -> None:
    """Let the bot play at a casino on disk, and close it."""
    casino = await Casino.open(folder, seed=5)
    wagers = Wagers((1,), (1000, 1000))
    session = Session(casino, Table("t1", "ny-switch-6d", "local.you", wagers))
    await session.open()
    for _ in range(rounds):
        await session.play(session.bot)
    await casino.close()


async def test_bytes_a_round_are_counted_in_the_file(tmp_path: Path) -> None:
    """All pages together are the file, and the records are the most of it."""
    await played(tmp_path, rounds=3)
    path = tmp_path / LOG_NAME
    stored = stored_in((str(path), f"{path}-wal"))

    assert stored is not None
    assert stored.rounds == 3
    assert 3 * sum(stored.page_bytes.values()) == pytest.approx(
        path.stat().st_size, rel=0.05
    )
    assert 0 < stored.record_bytes < stored.page_bytes["records"]
    later = int(1e6 * path.stat().st_mtime) + 10**6
    found = stored_in((str(path),), (0, later, later + 10**12))
    assert found is not None
    [before, after] = found.spans
    assert before.record_bytes == pytest.approx(3 * found.record_bytes)
    assert before.records > 3
    assert after == Span(0, 0)
    assert stored_in(()) is None
    assert stored_in((str(tmp_path / "nothing"),)) is None


async def sampled_casino(folder: Path) -> tuple[list[Sample], list[int]]:
    """Play thrice as long again as at first, looking at the file; return when."""
    path = folder / LOG_NAME
    casino = await Casino.open(folder, seed=5)
    session = Session(
        casino, Table("t1", "ny-switch-6d", "local.you", Wagers((1,), (1000, 1000)))
    )
    await session.open()
    samples, moments = [], []
    for at in range(13):
        samples.append(Sample(float(at), {}, held_bytes=held_bytes(path)))
        moments.append(time.time_ns() // 1000)
        for _ in range(20):
            await session.play(session.bot)
    await casino.close()
    return samples, [moments[0], moments[3], moments[-1]]


async def test_a_real_log_is_as_computed_and_not_with_ballast(tmp_path: Path) -> None:
    """Nothing but rounds in it; and a quarter more in its file after the first."""
    samples, moments = await sampled_casino(tmp_path)
    stored = stored_in((str(tmp_path / LOG_NAME),), moments)
    heavy = list(samples)
    ballast = (samples[-1].held_bytes - samples[0].held_bytes) // 4
    heavy[-1] = replace(samples[-1], held_bytes=samples[-1].held_bytes + ballast)
    said = [soak_of(Observed(s, [], (1.0, 1.0), stored)) for s in (samples, heavy)]

    assert [verdicts(soak)["log as computed"] for soak in said] == ["well", "not well"]
