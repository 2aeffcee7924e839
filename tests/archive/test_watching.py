"""A running casino tells of its rounds and money."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from push22.bot import Wagers
from push22.casino import Casino
from push22.session import Session, Table
from push22.watching import Follower, Watching
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy

BET = Wagers((1,), (1000, 1000))
GROUP = {"rule_set": "ny-switch-6d", "currency": "EUR"}


@pytest.fixture
def watching() -> Iterator[Watching]:
    clock = ManualClock()
    made = Watching(clock.now)
    made.clock = clock
    yield made
    made.end()


def told(name: str, **labels: str) -> float | None:
    return REGISTRY.get_sample_value(f"push22_{name}", labels)


async def opened(clock: ManualClock) -> tuple[Casino, Session]:
    ambient = Ambient(clock, SeededEntropy(7), KeyRing.in_memory())
    casino = await Casino.in_memory(ambient)
    session = Session(casino, Table("t1", "ny-switch-6d", "local.alice", BET))
    await session.open()
    await session.fill_purse()
    return casino, session


async def test_rounds_and_money_are_told(watching: Watching) -> None:
    """As many rounds as were played, with what was staked and paid, and no fault."""
    casino, session = await opened(watching.clock)
    watching.begin(casino.host.file)
    casino.host.subscribe(watching.hear)
    for _ in range(3):
        await session.play(session.bot)

    query = "SELECT sum(staked_minor), sum(paid_minor) FROM archive_players"
    staked, paid = casino.host.file.query(query)[0]
    assert told("rounds_total", outcome="settled") == 3
    assert told("stakes_minor_total", **GROUP) == staked > 0
    assert told("payouts_minor_total", **GROUP) == paid
    assert told("return_actual_ratio", **GROUP) == paid / staked
    assert told("ledger_invariant_violations") == 0
    await casino.close()


async def test_an_open_round_grows_old(watching: Watching) -> None:
    """Also one that was opened before the process began."""
    casino, session = await opened(watching.clock)
    await session.play(session.bot)
    watching.begin(casino.host.file)
    assert told("rounds_open") == 1
    age = told("round_age_seconds_max")
    watching.clock.advance(seconds=30)
    assert told("round_age_seconds_max") == pytest.approx(age + 30)
    await casino.close()


async def test_a_copy_is_heard_from_where_it_stands(watching: Watching) -> None:
    """What it had at the start is not counted again; what comes then is."""
    casino, session = await opened(watching.clock)
    await session.play(session.bot)
    follower = Follower(watching, casino.host.file, casino.host.bus)
    follower.start()
    assert not await follower.cycle()
    await session.play(session.bot)
    while await follower.cycle():
        pass
    assert told("rounds_total", outcome="settled") == 1
    assert told("ledger_invariant_violations") == 0
    await casino.close()


def test_every_metric_of_rounds_is_explained(watching: Watching) -> None:
    """Each name stands in docs/metrics.md."""
    page = (Path(__file__).parents[2] / "docs" / "metrics.md").read_text()
    names = [family.name for family in watching.collect()]
    assert len(names) >= 7
    assert all(f"`{name}" in page for name in names)
    REGISTRY.register(watching)
