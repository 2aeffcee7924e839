"""A client of a casino elsewhere: commands sent until answered, records heard once."""

from collections.abc import Sequence
from typing import Any

import pytest
from test_bus_kafka import arrived

from contracts import catalog
from contracts.envelope import Answer
from contracts.wallet import Deposit
from push22 import remote
from push22.answers import Asked, Heard
from push22.casino import PLATFORM, CasinoDoor
from push22.command_sender import Sent
from push22.hearing import Hearing
from push22.remote import RemoteCasino, RemoteHost
from runtime.commands import digest_of
from runtime.kafka_records import Arrived, Beacon
from runtime.kafka_settings import KafkaSettings
from runtime.log import LogUnavailable


class Sender:
    """Takes commands; `unheard` of them never lead to anything."""

    def __init__(self, host: RemoteHost, unheard: int) -> None:
        self.host = host
        self.unheard = unheard
        self.sent: list[Sent] = []

    async def send(self, command: Sent) -> bool:
        self.sent.append(command)
        if len(self.sent) > self.unheard:
            ((waiting,),) = self.host._waiting.values()
            envelope = catalog.decode_command_envelope(command.body)
            answer = Answer("c1", accepted=True, stream="s")
            heard = Heard(Asked.of(envelope), digest_of(envelope), answer)
            waiting.set_result(heard)
        return True

    async def stop(self) -> None:
        pass


async def client(unheard: int, **options: Any) -> tuple[CasinoDoor, Sender]:
    host = RemoteHost(KafkaSettings("127.0.0.1:1"), **options)
    await host._consumer.stop()
    sender: Any = Sender(host, unheard)
    host._sender = sender
    return RemoteCasino(host), sender


async def test_h4_a_command_is_sent_again_with_the_same_bytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Until its event is heard: an answer that was lost is no reason to decide anew."""
    monkeypatch.setattr(remote, "RESEND_S", 0.01)
    door, sender = await client(unheard=3)
    body = door.envelope(Deposit("local.a", "EUR", 5), PLATFORM, "c1")
    answer = await door.host.submit(body)

    assert answer.accepted
    assert [command.body for command in sender.sent] == [body] * 4
    assert len({(command.topic, command.stream) for command in sender.sent}) == 1


async def test_a_command_that_nobody_answers_ends_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And is not waited for any more."""
    monkeypatch.setattr(remote, "RESEND_S", 0.01)
    door, sender = await client(unheard=10**6, answer_s=0.1)
    body = door.envelope(Deposit("local.a", "EUR", 5), PLATFORM, "c1")
    with pytest.raises(TimeoutError):
        await door.host.submit(body)

    assert {command.body for command in sender.sent} == {body}
    assert sender.host._waiting == {}


@pytest.fixture
def toy_records() -> list[Arrived]:
    """The first records of a log, as they come over Kafka."""
    return arrived(5)


class Log:
    """Asked for what is missing, as a service is."""

    def __init__(self, items: Sequence[Arrived]) -> None:
        self.items = items
        self.is_away = False

    async def pull(self, service: str, part: int, after: int, to: int) -> Any:
        if self.is_away:
            raise LogUnavailable("away")
        return self.items[after : min(to, after + 2)]


def heard_by(items: Sequence[Arrived], log: Any) -> tuple[list[int], Hearing]:
    found: list[int] = []
    return found, Hearing(lambda item: found.append(item.record.offset), log)


async def test_h5_what_did_not_come_is_asked_for_and_heard_in_order(
    toy_records: list[Arrived],
) -> None:
    """Each once; while the service is away nothing further on is heard."""
    log = Log(toy_records)
    found, hearing = heard_by(toy_records, log)
    hearing.take(toy_records[0])
    hearing.take(toy_records[4])
    log.is_away = True
    await hearing.fill()
    assert found == [1]
    log.is_away = False
    await hearing.fill()
    hearing.take(toy_records[2])

    assert found == [1, 2, 3, 4, 5]
    assert hearing.missing() == []


async def test_re5_a_beacon_shows_that_the_last_one_did_not_come(
    toy_records: list[Arrived],
) -> None:
    """Nothing would come after it to show that."""
    found, hearing = heard_by(toy_records, Log(toy_records))
    hearing.take(toy_records[0])
    last = toy_records[2].record
    hearing.take(Beacon("toy", "first", 0, last.offset, last.hash))
    await hearing.fill()

    assert found == [1, 2, 3]


async def test_who_may_not_ask_goes_on_with_what_came(
    toy_records: list[Arrived],
) -> None:
    """A stranger without the token hears what the topic still has."""
    found, hearing = heard_by(toy_records, None)
    for number in (0, 3, 1, 4):
        hearing.take(toy_records[number])
    await hearing.fill()

    assert found == [1, 4, 5]
