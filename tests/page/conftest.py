"""Who has no browser may leave these tests out, and says so."""

import os

import pytest

SKIP = "PUSH22_SKIP_BROWSER"


@pytest.fixture(autouse=True)
def _a_browser() -> None:
    if os.environ.get(SKIP) == "1":
        pytest.skip(f"{SKIP}=1")
