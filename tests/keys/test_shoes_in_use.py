"""No stake is taken on a shoe that the casino's sealing keys don't open."""

import base64
import json
from pathlib import Path

import pytest

from push22.__main__ import run
from push22.bot import Wagers
from push22.casino import KEYS_NAME, Casino
from push22.inspect.reader import Reader
from push22.session import Session, Table
from push22.shoes_in_use import check_opens
from runtime.ambient import KeyMissing, KeyRing

Told = pytest.CaptureFixture[str]
OTHER = base64.b64encode(bytes(32)).decode()
TABLES = ("t1", "t1_2", "t2")


async def _round(data: Path, table: str, rules: str = "ny-switch-6d") -> None:
    casino = await Casino.open(data, seed=22)
    wagers = Wagers((1,), (1000, 1000))
    session = Session(casino, Table(table, rules, f"local.{table}", wagers))
    try:
        await session.open()
        await session.fill_purse()
        await session.play(session.bot)
    finally:
        await casino.close()


def _records(data: Path) -> int:
    reader = Reader.open(data)
    try:
        return reader.count()
    finally:
        reader.close()


def _ring(active: str, keys: dict[str, str], *lost: str) -> str:
    return json.dumps({"active": active, "keys": keys, "lost": list(lost)})


@pytest.mark.parametrize("key_id", ["k1", "1"])
async def test_keys_of_the_environment_that_open_nothing_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key_id: str
) -> None:
    """They go before the file, right or wrong, also under the right one's name."""
    await _round(tmp_path, "t1")
    before = _records(tmp_path)
    monkeypatch.setenv("PUSH22_SEAL_KEYS", _ring(key_id, {key_id: OTHER}))
    with pytest.raises(KeyMissing, match=r"shoe-t1-1 .*'k1'.*seal-keys\.json"):
        await Casino.open(tmp_path)
    assert _records(tmp_path) == before
    monkeypatch.delenv("PUSH22_SEAL_KEYS")
    await _round(tmp_path, "t1")
    assert _records(tmp_path) > before


def test_play_says_which_key_is_missing_and_what_to_do(
    tmp_path: Path, capsys: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line, no traceback, and no stake is reserved."""
    words = ["play", "--auto", "--rounds", "1", "--data", str(tmp_path)]
    assert run(words) == 0
    capsys.readouterr()
    monkeypatch.setenv("PUSH22_SEAL_KEYS", _ring("1", {"1": OTHER}))
    assert run(words) == 1
    told = capsys.readouterr()
    assert "key 'k1' is not in the key ring: bring its sealing keys back" in told.err
    assert told.err.count("\n") == 1


@pytest.mark.parametrize("table", TABLES)
async def test_one_missing_key_of_many_tables_is_found(
    tmp_path: Path, table: str
) -> None:
    """Whichever table it is whose shoe was sealed under another key."""
    for other in TABLES:
        if other != table:
            await _round(tmp_path, other)
    path = tmp_path / KEYS_NAME
    whole = json.loads(path.read_text())
    path.write_text(_ring("k2", {**whole["keys"], "k2": OTHER}))
    await _round(tmp_path, table)
    path.write_text(json.dumps(whole))
    with pytest.raises(KeyMissing, match=rf"shoe-{table}-1 is in use, .*'k2'"):
        await Casino.open(tmp_path)


async def test_the_shoe_in_use_is_found_among_many(tmp_path: Path) -> None:
    """A key of retired shoes alone may be missing: nothing is dealt from them."""
    path = tmp_path / KEYS_NAME
    casino = await Casino.open(tmp_path, seed=22)
    wagers = Wagers((1,), (1000, 1000))
    session = Session(casino, Table("t1", "ny-switch-6d", "local.ann", wagers))
    await session.open()
    await session.fill_purse()
    log = casino.host.worker("shoe").log
    while not await log.stream_version("shoe-t1-3"):
        await session.play(session.bot)
    await casino.close()
    whole = json.loads(path.read_text())
    path.write_text(_ring("k2", {"k2": OTHER}))
    with pytest.raises(KeyMissing, match=r"shoe-t1-[34] is in use"):
        await Casino.open(tmp_path)
    path.write_text(_ring("k2", {**whole["keys"], "k2": OTHER}))
    casino = await Casino.open(tmp_path, seed=23)
    session = Session(casino, Table("t1", "ny-switch-6d", "local.ann", wagers))
    await session.open()
    log = casino.host.worker("shoe").log
    while not await log.stream_version("shoe-t1-5"):
        await session.play(session.bot)
    await check_opens(log, KeyRing("k2", {"k2": bytes(32)}))
    await casino.close()


async def test_a_key_that_is_said_to_be_lost_keeps_nobody_from_starting(
    tmp_path: Path,
) -> None:
    """Other tables go on; its own shoe is set aside when it is asked for."""
    await _round(tmp_path, "t1")
    (tmp_path / KEYS_NAME).write_text(_ring("k2", {"k2": OTHER}, "k1"))
    await _round(tmp_path, "t2")
    assert not isinstance(json.loads((tmp_path / KEYS_NAME).read_text())["lost"], str)
