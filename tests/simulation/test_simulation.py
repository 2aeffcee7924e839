"""The whole casino under fire, judged by an auditor that knows no decision."""

import asyncio
import os
import sqlite3
from pathlib import Path

import pytest

from push22.inspect.opening import opened
from push22.inspect.parallel import verify_all
from tests.simulation.auditor import audit
from tests.simulation.faults import Fuse
from tests.simulation.one_round import DOUBLED, INSURED, OneRound, story
from tests.simulation.world import counts, simulate

SEEDS = int(os.environ.get("PUSH22_SIMULATION_SEEDS", "20"))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, SEEDS + 1))
def test_h9_h10_no_money_is_lost_in_a_random_world(seed: int, folder: Path) -> None:
    """Crashes, repeats, delays, errors and voids leave nothing that is wrong."""
    world, found = asyncio.run(simulate(seed, folder))

    assert found == [], f"make simulate SEED={seed}"
    assert world.crashes > 0
    with opened(folder) as reader:
        verdict = verify_all(reader, lambda _: None)
    assert verdict.is_match, f"make simulate SEED={seed}: {verdict}"


def test_the_same_seed_is_the_same_world(folder: Path) -> None:
    """A world that failed can be played again, record by record."""
    stories = []
    for name in ("one", "two"):
        (folder / name).mkdir()
        world, _ = asyncio.run(simulate(99, folder / name, steps=60))
        stories.append(story(world.path))

    assert stories[0] == stories[1]
    assert len(stories[0]) > 50


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chance", "again"), [(DOUBLED, 0), (INSURED, 6)], ids=["doubled", "insured"]
)
def test_h14_a_crash_at_any_await_changes_no_record(
    chance: int, again: int, folder: Path
) -> None:
    """Killed before or after each call of a log, the round comes out the same.

    `again`: so many calls later, while it starts anew, it is killed once more.
    """
    fuse = Fuse()
    calm = OneRound(folder / "calm.sqlite3", fuse, chance=chance)
    asyncio.run(calm.play())
    expected = story(calm.path)
    assert any(item[2] == "table.round_closed.v1" for item in expected)

    for at in range(1, fuse.count + 1):
        for after in (False, True):
            path = folder / f"crash-{at}-{after}.sqlite3"
            blows = Fuse(at, at + again, after=after)
            asyncio.run(OneRound(path, blows, chance=chance).play())
            assert story(path) == expected, f"await {at}, after={after}"
            assert audit(path) == []


DAMAGES = {
    "says": ("wallet.deposited.v1", '"balance_minor":1', '"balance_minor":2'),
    "settles": ("table.settlement_due.v1", '"stake_minor":1', '"stake_minor":2'),
    "a second time": ("shoe.cards_dealt.v1", '"request":2', '"request":1'),
    "is not reserved": ("table.hand_doubled.v1", ":stake:1", ":stake:7"),
    "got": ("wallet.payouts_posted.v1", '"part":1', '"part":7'),
    "net": ("table.round_closed.v1", '"local.bot":', '"local.bot":1'),
    "other cards": ("shoe.cards_dealt.v1", '"place":"1.', '"place":"2.'),
    "the chain": ("table.round_closed.v1", '"settled"', '"SETTLED"'),
    "has no answer": ("table.player_ready.v1", '"caused_by":"', '"caused_by":"x'),
    "is negative": ("wallet.funds_reserved.v1", '"amount_minor":', '"amount_minor":9'),
}


@pytest.mark.parametrize("complaint", DAMAGES)
def test_the_auditor_sees_every_kind_of_damage(complaint: str, folder: Path) -> None:
    """One word changed in one kind of record is a violation: the auditor can fail."""
    path = folder / "casino.sqlite3"
    asyncio.run(OneRound(path, Fuse()).play())
    assert audit(path) == []
    assert counts(path)["table.hand_doubled.v1"] == 1
    kind, old, new = DAMAGES[complaint]
    sql = sqlite3.connect(path)
    sql.execute("DROP TRIGGER records_stay_unchanged")
    sql.execute(
        "UPDATE records SET body = CAST(replace(CAST(body AS TEXT), ?, ?) AS BLOB)"
        " WHERE type = ?",
        (old, new, kind),
    )
    sql.commit()
    sql.close()

    found = audit(path)

    assert any(complaint in line for line in found), found
