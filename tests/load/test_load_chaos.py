"""Chosen trouble is in the report with its moment, or is loudly not there."""

import asyncio
from collections.abc import Callable
from time import perf_counter

import pytest
from msgspec.structs import replace

from push22.load.chaos import Trouble, troubled
from push22.load.driving import Driven
from push22.load.page import page
from push22.load.places import Casino, Place
from push22.load.report import Second
from push22.load.settings import Settings
from push22.load.summary import summary
from push22.load.whole import report_from
from tests.load.reports import SOUND, report_of, run_at

PLACE = Place(door="http://127.0.0.1:1", operators="")
NOW = Settings(chaos="slow-wallet", warm_up_s=0.0, seconds=0.0)
MADE = Trouble("slow-wallet", True, made_at=3.0, over_at=8.0, load_ended_at=20.0)
MISSED = Trouble("slow-wallet", is_made=False, why_not="it stands <still>")


class Breaking(Casino):
    """A casino that breaks at once, late or not at all; it counts what it was asked."""

    def __init__(self, after_s: float = 0.0, made: str = "", over: str = "") -> None:
        super().__init__(PLACE)
        self._after_s = after_s
        self._said = made, over
        self.asked: list[str] = []

    async def make_trouble(self, kind: str) -> str:
        await asyncio.sleep(self._after_s)
        self.asked.append(kind)
        return self._said[0]

    async def end_trouble(self) -> str:
        self.asked.append("end")
        return self._said[1]


async def _under_load(
    casino: Casino, settings: Settings, is_over: Callable[[], bool]
) -> list[Trouble]:
    async with troubled(casino, settings, perf_counter()) as found:
        async with asyncio.timeout(60):
            while not is_over():
                await asyncio.sleep(0.01)
    return found


def test_trouble_that_was_made_has_its_moment() -> None:
    """The casino is asked once, and its end is waited for."""
    casino = Breaking()

    found = asyncio.run(_under_load(casino, NOW, lambda: casino.asked[1:] == ["end"]))

    (trouble,) = found
    assert casino.asked == ["slow-wallet", "end"]
    assert trouble.is_made
    assert 0 < trouble.made_at <= trouble.over_at
    assert trouble.line.startswith("slow-wallet, second ")


@pytest.mark.parametrize(
    ("casino", "why"),
    [
        (Breaking(made="no such process"), "no such process"),
        (Breaking(over="the broker did not start"), "the broker did not start"),
        (Casino(PLACE), "only what was started here is broken"),
    ],
)
def test_trouble_that_was_not_made_says_why(casino: Casino, why: str) -> None:
    """Not made, begun and never over, or of a casino that is not ours to break."""
    begun = perf_counter()

    found = asyncio.run(_under_load(casino, NOW, lambda: perf_counter() > begun + 0.1))

    (trouble,) = found
    assert not trouble.is_made
    assert trouble.line.startswith("NOT MADE: slow-wallet: ")
    assert why in trouble.line


@pytest.mark.parametrize(
    ("ended", "line"),
    [
        ((2.0, 7.9), "slow-wallet, second 3.0 to 8.0, and no round ended afterwards"),
        ((7.9, 9.5, 8.4), "slow-wallet, second 3.0 to 8.0, the next round ended 0.4 s"),
    ],
)
def test_trouble_tells_how_soon_players_went_on(
    ended: tuple[float, ...], line: str
) -> None:
    """By the first round that ended once it was over, or that none did."""
    assert MADE.well_by(ended).line.startswith(line)
    assert MISSED.well_by(ended) == MISSED


def test_a_load_that_was_over_first_says_nothing_of_how_players_go_on() -> None:
    """Nobody was left to play: that is no sign of a casino that stands still."""
    late = replace(MADE, load_ended_at=7.0).well_by([6.0])

    assert (MADE.is_outlasted, late.is_outlasted, late.is_made) == (True, False, True)
    assert late.line.endswith("when the load had ended: how players go on is not known")


def test_trouble_after_the_load_is_none() -> None:
    """A machine so slow that the load was over before has shown nothing."""
    found = asyncio.run(_under_load(Breaking(after_s=0.2), NOW, lambda: True))

    (trouble,) = found
    assert not trouble.is_made
    assert "the load had ended" in trouble.line


def test_nothing_is_broken_where_nothing_was_chosen() -> None:
    """No trouble is asked for, and none is reported."""
    casino = Breaking()

    found = asyncio.run(_under_load(casino, Settings(), lambda: True))

    assert (found, casino.asked) == ([], [])


@pytest.mark.parametrize("chaos", [None, MADE])
def test_a_run_that_went_through_its_trouble_can_meet_its_goal(
    chaos: Trouble | None,
) -> None:
    """Trouble that was made changes no verdict by itself."""
    driven = Driven(runs=[run_at(10, 5)], chaos=chaos)

    report = report_from(PLACE, NOW, (driven, SOUND, None), {})

    assert (report.is_met, report.chaos) == (True, chaos)


def test_a_run_without_its_trouble_has_failed() -> None:
    """Exit status 1 follows: however fast it was, it was not what was asked for."""
    driven = Driven(runs=[run_at(10, 5)], chaos=MISSED)

    assert not report_from(PLACE, NOW, (driven, SOUND, None), {}).is_met


def test_the_page_shows_when_it_was_in_each_plot() -> None:
    """Its beginning and its end are rules across the plots of what changed."""
    seconds = tuple(Second(float(at), 1, 1, cpu={"wallet": 0.5}) for at in range(12))
    usual = page(report_of([run_at(10, 5)], seconds=seconds))
    text = page(report_of([run_at(10, 5)], seconds=seconds, chaos=MADE))

    rule, plots = '<line class="span"', 3  # rounds, processor, memory
    assert (usual.count(rule), text.count(rule)) == (0, 2 * plots)
    assert "with slow-wallet, second 3.0 to 8.0" in text


def test_the_summary_tells_of_trouble_and_of_what_went_wrong() -> None:
    """Whoever keeps that page alone knows what the figures come from."""
    errors = {"no answer": 3, "waited too long": 1}
    wrong = replace(run_at(10, 5), errors=errors, unfinished=2)

    text = summary(report_of([wrong, wrong], chaos=MADE.well_by([9.0])))

    assert "Chaos: slow-wallet, second 3.0 to 8.0, the next round ended 1.0 s" in text
    assert "Errors: no answer 6, not ended in time 4, waited too long 2." in text
    usual = summary(report_of([run_at(10, 5)]))
    assert "Chaos" not in usual
    assert "Errors: none." in usual


def test_the_page_says_before_any_figure_that_it_was_not_made() -> None:
    """In the colour of a violation, right after the audit."""
    report = report_of([run_at(10, 5)], chaos=MISSED)

    _, _, body = page(report).partition("<body>\n")
    first, second = body.splitlines()[:2]
    assert SOUND.line in first
    assert second.startswith('<p class="books wrong">NOT MADE: slow-wallet')
    assert "it stands &lt;still&gt;" in second
