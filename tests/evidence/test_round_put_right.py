"""A pack of a round after which support put money right."""

import asyncio
from pathlib import Path

import pytest
from played_rounds import ROUND, SCRIPTS, keys_of, pack_of, play, script_of
from spoiling import failed, private_key, signed_again, with_record

from contracts import desk as d
from contracts.desk import Role
from contracts.envelope import Actor
from push22.casino import KEYS_NAME, LOG_NAME, Casino
from push22.evidence import verify
from runtime.ambient import Ambient, KeyRing, ManualClock, SystemEntropy
from runtime.sqlite_file import SqliteFile

NAME = "three-boxes-of-two-players.round.toml"
CASE = "script-1-ab12"
ALICE, BOB = "local.alice", "local.bob"
APPROVED = b"desk.proposal_approved.v1"
RITA, ADAM = Actor("support", "rita"), Actor("support", "adam")


async def correct(data: Path, player: str, amount: int) -> None:
    clock = ManualClock()
    clock.advance(seconds=10_000)
    ambient = Ambient(clock, SystemEntropy(), KeyRing.load(data / KEYS_NAME))
    casino = Casino(SqliteFile.open(data / LOG_NAME), ambient)
    await casino.host.start()
    role = Role.RESOLVER
    for command, by in (
        (d.OpenCase(CASE, ROUND, "box 1", role, player=player), RITA),
        (d.ProposeCorrection(CASE, player, "EUR", amount, "slow", 0, role), RITA),
        (d.ApproveProposal(CASE, 1, role), ADAM),
    ):
        answer = await casino.host.submit(casino.envelope(command, by))
        assert answer.accepted, answer
        await casino.host.settle()
    await casino.close()


@pytest.fixture(scope="module", params=[1234, -1234])
def corrected(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    data = tmp_path_factory.mktemp("corrected")
    asyncio.run(play(script_of(SCRIPTS / NAME), data))
    asyncio.run(correct(data, ALICE, request.param))
    return data


@pytest.mark.parametrize("player", ["", ALICE, BOB])
def test_a_correction_is_no_part_of_the_rounds_result(
    player: str, corrected: Path
) -> None:
    """Whom it is for, and whom it is not, may show the pack to an arbiter."""
    pack = pack_of(corrected, player=player)
    verdict = verify.judge(verify.unzipped(pack.zip), keys_of(corrected))

    assert verdict.lines[-1].startswith("RIGHT"), "\n".join(verdict.lines)


@pytest.mark.parametrize("changed", ["9999", "1"])
def test_another_amount_than_was_approved_is_found(
    changed: str, corrected: Path
) -> None:
    """Each correction that is booked is one that somebody approved."""
    files = verify.unzipped(pack_of(corrected).zip)
    records = files["records.jsonl"]
    (approval,) = [x for x in records.split(b"\n") if APPROVED in x]
    amount = approval.split(b'"amount_minor":')[1].split(b",")[0]
    old = b'"amount_minor":' + amount + b',"reason":"slow"'
    new = old.replace(amount, changed.encode())
    forged = signed_again(with_record(files, old, new), private_key(corrected))

    assert "money" in failed(verify.judge(forged, keys_of(corrected)))
