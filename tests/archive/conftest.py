"""One small casino for all tests of the archive; tests that change it take a copy."""

import asyncio
from pathlib import Path

import pytest
from small_casino import Play


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data directory of a casino in which much has happened."""
    data = tmp_path_factory.mktemp("casino")
    asyncio.run(Play(data).run())
    return data
