"""One played round and its pack, for all tests that only read or spoil it."""

import asyncio
from pathlib import Path

import pytest
from played_rounds import SCRIPTS, keys_of, pack_of, play, script_of

NAME = "three-boxes-of-two-players.round.toml"


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data directory of a casino in which one round was played."""
    data = tmp_path_factory.mktemp("evidence")
    asyncio.run(play(script_of(SCRIPTS / NAME), data))
    return data


@pytest.fixture(scope="session")
def pack(home: Path) -> bytes:
    return pack_of(home, case="C-17", note="the player says he had a blackjack").zip


@pytest.fixture(scope="session")
def keys(home: Path) -> dict[str, object]:
    return keys_of(home)
