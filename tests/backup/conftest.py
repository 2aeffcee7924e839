"""What the tests of backups share: a casino that was played on, and its export."""

import asyncio
from pathlib import Path

import pytest
from taken import WAGERS, Told, export

from push22.casino import Casino
from push22.session import Session, Table


async def _played(data: Path) -> None:
    """Play at two tables and stop, so that checkpoints are signed; then play again."""
    for rounds in (4, 3):
        casino = await Casino.open(data, seed=22)
        for table, rules in (("t1", "ny-switch-6d"), ("t2", "lv-switch")):
            session = Session(casino, Table(table, rules, f"local.{table}", WAGERS))
            await session.open()
            await session.fill_purse()
            for _ in range(rounds):
                await session.play(session.bot)
        await casino.close()


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data directory with a few rounds at two tables, and keys."""
    data = tmp_path_factory.mktemp("casino") / "data"
    asyncio.run(_played(data))
    return data


@pytest.fixture
def exported(played: Path, tmp_path: Path, capsys: Told) -> Path:
    file = tmp_path / "casino.p22"
    export(played, file)
    capsys.readouterr()
    return file
