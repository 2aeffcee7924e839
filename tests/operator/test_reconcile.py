"""Our books of an operator and his own are compared by asking him, entry by entry."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from push22.__main__ import run
from push22.operator.mock_server import MockOperator
from tests.operator.conftest import KEY_ID, SECRET_TEXT, an_operator, settings_for
from tests.operator.evening import Evening

SPOILT = (
    ("UPDATE transactions SET minor = minor + 1 WHERE id = ?", "amount_minor: he has"),
    ("UPDATE transactions SET is_rolled_back = 1 WHERE id = ?", "is_rolled_back: he"),
    ("UPDATE transactions SET player = 'acme.eve' WHERE id = ?", "he has acme.eve"),
    ("UPDATE transactions SET round = 'round-x-1' WHERE id = ?", "he has round-x-1"),
    ("DELETE FROM transactions WHERE id = ?", "he has nothing of it"),
)


async def reconciled(
    folder: Path, capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[int, list[Any]]:
    capsys.readouterr()
    where = ["--data", str(folder / "casino"), "--operators", str(folder / "o.toml")]
    words = ["reconcile", "acme", "--json", *where, *more]
    code = await asyncio.to_thread(run, words)
    return code, [msgspec.json.decode(x) for x in capsys.readouterr().out.splitlines()]


async def played(folder: Path, url: str) -> None:
    (folder / "o.toml").write_text(
        f'[operators.acme]\nurl = "{url}"\nkey_id = "{KEY_ID}"\n'
        f'secret = "{SECRET_TEXT}"\ntimeout_ms = 10000\n'
    )
    evening = Evening(folder / "casino", settings_for(url, 5000))
    await evening.open()
    await evening.begin()
    await evening.play(2)
    await evening.quiet()
    await evening.close()


def a_debit(mock: MockOperator) -> tuple[str, str]:
    """Return one that stands, and its round."""
    rows = mock.books.sql.execute(
        "SELECT id, round FROM transactions WHERE kind = 'debit' AND status = 'ok'"
        " AND is_rolled_back = 0 ORDER BY id LIMIT 1"
    )
    name, round_id = rows.fetchone()
    return str(name), str(round_id)


async def test_each_difference_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Equal books agree; then one entry of his is spoilt in each way in turn."""
    with an_operator(folder) as (mock, url):
        await played(folder, url)
        assert await reconciled(folder, capsys) == (0, [])
        name, round_id = a_debit(mock)
        table = mock.books.sql.execute("SELECT * FROM transactions").fetchall()
        for spoil, text in SPOILT:
            mock.books.sql.execute(spoil, (name,))
            code, [found] = await reconciled(folder, capsys)
            assert (code, found["transaction_id"]) == (1, name)
            assert text in found["differs"]
            _restore(mock, table)

        mock.books.sql.execute(SPOILT[0][0], (name,))
        assert (await reconciled(folder, capsys, "--round-id", round_id))[0] == 1
        assert (await reconciled(folder, capsys, "--round-id", "round-t9-9"))[0] == 0
        assert (await reconciled(folder, capsys, "--until", "2020-01-01"))[0] == 0
        assert (await reconciled(folder, capsys, "--since", "2020-01-01"))[0] == 1


def _restore(mock: MockOperator, table: list[Any]) -> None:
    mock.books.sql.execute("DELETE FROM transactions")
    places = ",".join("?" * len(table[0]))
    mock.books.sql.executemany(f"INSERT INTO transactions VALUES ({places})", table)


async def test_an_operator_who_does_not_say_is_no_agreement(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a key that he does not take, or one that nobody named."""
    with an_operator(folder) as (mock, url):
        await played(folder, url)
        mock.keys.clear()
        assert (await reconciled(folder, capsys))[0] == 1
    assert (await reconciled(folder, capsys))[0] == 1, "he is gone"
    (folder / "o.toml").write_text("[operators]\n")
    assert (await reconciled(folder, capsys))[0] == 2
