"""A door that begins at the archive's copy knows what one that heard all knows."""

from pathlib import Path

import pytest
from house import House, house

from contracts.envelope import Actor
from push22.answers import Asked, heard_of
from push22.casino import LOG_NAME
from push22.door import past
from push22.door.copy import Copy
from runtime.bus_memory import Delivery
from runtime.mirror import Mirror
from runtime.mirror_mark import IsNoMirror
from runtime.sqlite_file import SqliteFile

DEPOSITS = "/operator/v1/players/alice/deposits"
WALLET = "wallet-acme.alice.EUR"
MONEY = {"currency": "EUR", "amount_minor": 700}
MANY = 300
"""More than a look at a wallet's end takes in at once."""


def copied(the: House, folder: Path) -> Copy:
    """Mirror all logs of a house, as the archive does."""
    path = folder / LOG_NAME
    file = SqliteFile.open(path)
    mirror = Mirror(file)
    source = the.casino.host.file
    for service in source.services():
        mirror.offer(source.records_of_log(service, 0, 0, 100_000))
    file.close()
    return Copy.open(path)


async def test_tables_and_heads_are_of_one_moment(tmp_path: Path) -> None:
    """What the tables need is there, and hearing goes on right after it."""
    async with house(tmp_path / "casino") as the:
        await the.open_table("t1")
        (tmp_path / "copy").mkdir()
        copy = copied(the, tmp_path / "copy")
        begun = copy.begun()
        file = the.casino.host.file
        wanted = [x.record.body for x in past.of_tables(file)]
        heads = dict(
            file.query("SELECT service, offset - 1 FROM heads WHERE offset > 1")
        )

        assert [x.record.body for x in begun.tables] == wanted
        assert begun.since is not None
        assert {name: at for (name, _), at in begun.since.heads.items()} == heads
        assert begun.since.at < the.clock.now()
        copy.close()


async def test_a_balance_is_found_at_any_version(tmp_path: Path) -> None:
    """Also behind more records than are looked at first; a stranger has nothing."""
    async with house(tmp_path / "casino") as the:
        for _ in range(MANY):
            await the.ask("POST", DEPOSITS, MONEY)
        (tmp_path / "copy").mkdir()
        copy = copied(the, tmp_path / "copy")

        assert copy.has("wallet", WALLET)
        assert not copy.has("wallet", "wallet-acme.nobody.EUR")
        assert copy.balance(WALLET).minor == MANY * 700
        assert copy.balance(WALLET, before=11).minor == 10 * 700
        assert copy.balance(WALLET, before=1).minor == 0
        assert copy.balance("wallet-acme.nobody.EUR").minor == 0
        copy.close()


async def test_a_repeat_is_answered_as_its_first_was(tmp_path: Path) -> None:
    """By its own actor and id alone."""
    async with house(tmp_path / "casino") as the:
        key = "deposit-0001"
        told = await the.ask("POST", DEPOSITS, MONEY, idempotency_key=key)
        await the.ask("POST", DEPOSITS, MONEY)
        (tmp_path / "copy").mkdir()
        copy = copied(the, tmp_path / "copy")
        [first, *_] = the.casino.host.file.records_of_stream("wallet", WALLET, 0)
        known = heard_of(Delivery(first))
        assert known is not None

        assert copy.answer(WALLET, known.asked) == known
        assert known.answer.version == told["version"]
        stranger = Asked("wallet", Actor("operator", "rival"), key)
        assert copy.answer(WALLET, stranger) is None
        unknown = known.asked._replace(command_id="deposit-0002")
        assert copy.answer(WALLET, unknown) is None
        copy.close()


async def test_a_casinos_own_file_is_no_copy(tmp_path: Path) -> None:
    """It is written by a host of its own: what Kafka tells is not its history."""
    async with house(tmp_path) as the:
        await the.open_table("t1")
        with pytest.raises(IsNoMirror):
            Copy.open(tmp_path / LOG_NAME)
