"""An operator's own wallet behind the distributed casino, and a wallet that dies."""

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from contracts.wallet_calls import OpenSession
from push22.casino import PLATFORM
from push22.operator.mock_server import MockOperator
from push22.remote import RemoteCasino
from push22.remote_play import next_move
from push22.session import CURRENCY, Player, Table
from push22.wagering import Wagers
from tests.e2e import images
from tests.e2e.conftest import local_kafka, local_postgres, running
from tests.e2e.distributed import ALL, ARCHIVE, Casino
from tests.e2e.marks import CASINO
from tests.operator.conftest import KEY_ID, SECRET_TEXT, an_operator

pytestmark = [*CASINO, pytest.mark.timeout(900)]
TABLES = ("w1", "w2", "w3")
ROUNDS = 3
WAIT_S = 120.0


class Guest(Player):
    """A player whose purse is the operator's."""

    async def fill_purse(self) -> None:
        """Nothing is deposited here."""

    async def enter(self) -> None:
        """Come with a token, and wait until the operator knows us."""
        who = self.table.player
        command = OpenSession(who, CURRENCY, f"token:{who}")
        answer = await self.follower.send(command, PLATFORM)
        assert answer.accepted, answer
        until = time.monotonic() + WAIT_S
        while not self.follower.balance_minor(who, CURRENCY):
            assert time.monotonic() < until, "no session"
            await asyncio.sleep(0.05)

    async def play_on(self, rounds: int) -> None:
        async def bot(round_id: str) -> object:
            wagers = self.table.wagers
            return next_move(self.follower, round_id, self.table.player, wagers)

        for _ in range(rounds):
            await self.play(bot)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def operators(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Casino, MockOperator]]:
    """A casino that has an operator, with two instances of its wallet."""
    folder = tmp_path_factory.mktemp("operator")
    settings = folder / "operators.toml"
    with (
        an_operator(folder) as (mock, url),
        running(local_kafka, images.Kafka) as kafka,
        running(local_postgres, images.Postgres) as postgres,
    ):
        settings.write_text(
            f'[operators.acme]\nurl = "{url}"\nkey_id = "{KEY_ID}"\n'
            f'secret = "{SECRET_TEXT}"\n'
        )
        casino = Casino(folder, kafka, postgres)
        casino.environment["PUSH22_OPERATORS"] = str(settings)
        casino.prepare()
        try:
            casino.start_all()
            second = casino.start_second("wallet")
            yield casino, mock
            casino.end_second(second)
        finally:
            casino.stop_all()


async def test_h10_stakes_and_wins_cross_to_the_operator_whoever_dies(
    operators: tuple[Casino, MockOperator], tmp_path: Path
) -> None:
    """Each partition's holder calls; one of two wallets is killed while they play."""
    casino, mock = operators
    door = await RemoteCasino.open(casino.settings)
    guests = [
        Guest(
            door, Table(name, "ny-switch-6d", f"acme.{name}", Wagers((1,), (1000,) * 2))
        )
        for name in TABLES
    ]
    for guest in guests:
        await guest.open()
        await guest.enter()

    async def kill() -> None:
        await asyncio.sleep(1)
        await asyncio.to_thread(casino.kill, "wallet")
        casino.start("wallet")

    await asyncio.gather(kill(), *(guest.play_on(ROUNDS) for guest in guests))
    await door.close()
    await asyncio.to_thread(casino.wait, "wallet")

    found = await asyncio.to_thread(settled_audit, casino, mock, tmp_path)
    assert found["violations"] == []
    assert found["rounds"] >= len(TABLES) * ROUNDS
    assert mock.seen["debit"] >= len(TABLES) * ROUNDS
    assert all(casino.status(name, "live") == 200 for name in ALL)


def settled_audit(
    casino: Casino, mock: MockOperator, folder: Path
) -> dict[str, object]:
    """Audit the archive's copy against the operator, once every call has ended.

    What he books after he wrote his statement is a difference: then once more.
    """
    until = time.monotonic() + WAIT_S
    statement = folder / "acme.jsonl"
    while True:
        casino.wait(ARCHIVE)
        lines = map(msgspec.json.encode, mock.books.statement())
        statement.write_bytes(b"\n".join(lines))
        words = ("--json", "--data", casino.archive, "--statement", str(statement))
        said = casino.told("audit", *words)
        found = json.loads(said)
        is_over = not found["open_operator_calls"] and not found["violations"]
        if is_over or time.monotonic() > until:
            return found
        time.sleep(0.5)
