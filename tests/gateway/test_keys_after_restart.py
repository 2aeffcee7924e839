"""A door restarted on a copy refuses a key that was used for something else."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from contracts.envelope import Actor, Answer
from contracts.wallet import Deposit, Withdraw
from push22.casino import LOG_NAME, Casino
from push22.door.copy import Copy
from push22.door.past_answers import newest_answers
from push22.door.port import CommandMaker
from push22.door.remote import RemotePort
from push22.remote import RemoteCasino, RemoteHost
from runtime.ambient import Ambient, KeyRing, SeededEntropy, SystemClock
from runtime.kafka_settings import KafkaSettings
from runtime.mirror import Mirror
from runtime.sqlite_file import SqliteFile

KEY = "deposit-0001"
OPERATOR, RIVAL = Actor("platform", "acme"), Actor("platform", "rival")
FIRST = Deposit("acme.bob", "EUR", 700)
REUSED = Answer(KEY, accepted=False, stream="", reason="command_id_reused")


class Silent:
    """Sends commands that nobody answers: a service knows the id and records none."""

    async def send(self, command: Any) -> bool:
        return True

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


def _copy(casino: Casino, folder: Path) -> Copy:
    file = SqliteFile.open(folder / LOG_NAME)
    mirror = Mirror(file)
    source = casino.host.file
    for service in source.services():
        mirror.offer(source.records_of_log(service, 0, 0, 100_000))
    file.close()
    return Copy.open(folder / LOG_NAME)


async def first(casino: Casino, name: str) -> Answer:
    """Deposit under this id; return what was answered."""
    body = CommandMaker(casino).envelope(FIRST, OPERATOR, name)
    return await casino.host.submit(body)


async def _door(copy: Copy) -> RemotePort:
    host = RemoteHost(KafkaSettings("127.0.0.1:1"), answer_s=3)
    await host._consumer.stop()
    sender: Any = Silent()
    host._sender = sender
    return RemotePort(RemoteCasino(host), copy)


@contextlib.asynccontextmanager
async def restarted(tmp_path: Path) -> AsyncIterator[tuple[RemotePort, Answer]]:
    """A casino answered one command; a door begins at the archive's copy of it."""
    ambient = Ambient(SystemClock(), SeededEntropy(1), KeyRing.in_memory())
    casino = await Casino.in_memory(ambient)
    answer = await first(casino, KEY)
    copy = _copy(casino, tmp_path)
    yield await _door(copy), answer
    copy.close()
    await casino.close()


async def asked(door: RemotePort, command: msgspec.Struct, by: Actor) -> Answer:
    return await door.submit(door.envelope(command, by, KEY))


@pytest.mark.parametrize(
    "other",
    [
        Deposit("acme.bob", "EUR", 701),
        Deposit("acme.carol", "EUR", 700),
        Deposit("acme.bob", "USD", 700),
        Withdraw("acme.bob", "EUR", 700),
        Withdraw("acme.carol", "USD", 1),
    ],
    ids=["amount", "player", "currency", "kind", "all"],
)
async def test_h4_a_key_used_for_something_else_is_refused(
    other: msgspec.Struct, tmp_path: Path
) -> None:
    """Also where the other command is for another stream than the first."""
    async with restarted(tmp_path) as (door, _):
        assert await asked(door, other, OPERATOR) == REUSED


async def test_h4_the_same_again_is_answered_as_before(tmp_path: Path) -> None:
    """The restart makes no difference to it."""
    async with restarted(tmp_path) as (door, answer):
        assert answer.accepted
        assert await asked(door, FIRST, OPERATOR) == answer


async def test_h4_the_key_of_somebody_else_is_his(tmp_path: Path) -> None:
    """Nothing was recorded under it: the command is sent, and waited for."""
    async with restarted(tmp_path) as (door, _):
        with pytest.raises(TimeoutError):
            await asked(door, FIRST, RIVAL)


async def test_what_a_door_remembers_is_bounded(tmp_path: Path) -> None:
    """The newest records are looked at, in their order, and no more."""
    ambient = Ambient(SystemClock(), SeededEntropy(1), KeyRing.in_memory())
    casino = await Casino.in_memory(ambient)
    for number in range(9):
        name = f"deposit-{number:04}"
        await first(casino, name)
    file = casino.host.file
    whole = [found.asked.command_id for found in newest_answers(file)]
    assert whole == [f"deposit-{number:04}" for number in range(9)]
    few = [found.asked.command_id for found in newest_answers(file, 3)]
    assert few == whole[-3:]
    await casino.close()
