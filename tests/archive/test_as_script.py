"""A recorded round, written as a script, plays again to the same lines (V12)."""

import asyncio
from pathlib import Path

import pytest
from small_casino import PLAIN, TIMED_OUT, VOIDED

from blackjack.rule_sets import RULE_SETS, default_limits, rule_set
from blackjack.script import read_script
from contracts import settlement as st
from push22.bot import Wagers
from push22.casino import Casino
from push22.commands.script import play_text
from push22.inspect.history import steps_in
from push22.inspect.reader import Reader
from push22.script_runner import TABLE, ScriptTable
from push22.session import Session, Table
from push22.stacked import stacked_ambient
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy
from services.archive.as_script import as_script
from services.archive.rebuild import Step

ROUNDS = 12
SCRIPTS = sorted((Path(__file__).parents[1] / "scripts").glob("*.round.toml"))


def lines_of(steps: tuple[Step, ...]) -> dict[str, tuple[str, int, int]]:
    return {
        item.line.label: (
            item.line.result,
            item.line.stake_minor,
            item.line.payout_minor,
        )
        for step in steps
        if isinstance(step.event, st.WagersSettled)
        for item in step.event.lines
    }


async def check(steps: tuple[Step, ...]) -> None:
    """Play a round's script and compare all that it says; net and result by label."""
    text = as_script(steps)
    outcome = await play_text("export", text)
    lines = lines_of(steps)

    assert outcome.failures == [], text
    assert outcome.refused == [], text
    assert outcome.net == {x: paid - staked for x, (_, staked, paid) in lines.items()}
    assert outcome.outcome == {label: result for label, (result, *_) in lines.items()}


def wagers_for(name: str) -> Wagers:
    rules = rule_set(name)
    least = default_limits(rules).min_minor
    count = rules.wagers_max if rules.dealer_rounds > 1 else rules.hands_per_box
    boxes = (1, 2) if rules.boxes_per_player > 1 else (1,)
    side = {rules.side.name: rules.side.minimum_minor or 100} if rules.side else {}
    return Wagers(boxes, (least,) * count, side)


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_round_of_a_bot_plays_again(name: str) -> None:
    """Whatever the rule set, an exported round has the lines of the recorded one."""

    async def played() -> int:
        ambient = Ambient(ManualClock(), SeededEntropy(11), KeyRing.in_memory())
        casino = await Casino.in_memory(ambient)
        try:
            table = Table("t1", name, "local.alice", wagers_for(name))
            session = Session(casino, table)
            await session.open()
            rounds = [await session.play(session.bot) for _ in range(ROUNDS)]
            reader = Reader(casino.host.file)
            for round_id in rounds:
                await check(steps_in(reader, round_id))
            return len(rounds)
        finally:
            await casino.close()

    assert asyncio.run(played()) == ROUNDS


FINISHED = [x for x in SCRIPTS if "pending" not in read_script(x.read_text()).expect]


@pytest.mark.parametrize("path", FINISHED, ids=lambda path: path.name.split(".")[0])
def test_a_script_written_back_says_the_same(path: Path) -> None:
    """Script to log to script: splits, switches back, late holes, several players."""

    async def there_and_back() -> None:
        script = read_script(path.read_text())
        ambient, clock = stacked_ambient(script)
        casino = await Casino.in_memory(ambient)
        try:
            await ScriptTable(script, casino, clock).play()
            steps = steps_in(Reader(casino.host.file), f"round-{TABLE}-1")
        finally:
            await casino.close()
        if as_script(steps):
            await check(steps)

    asyncio.run(there_and_back())


def test_what_the_clock_decided_is_written_too(played: Path) -> None:
    """A silent player's round and a voided one are scripts; the void one is open."""
    reader = Reader.open(played)
    silent, voided, plain = (
        steps_in(reader, name) for name in (TIMED_OUT, VOIDED, PLAIN)
    )
    asyncio.run(check(silent))
    asyncio.run(check(plain))

    assert "pending = " in as_script(voided)
    assert asyncio.run(play_text("void", as_script(voided))).ok
    reader.close()
