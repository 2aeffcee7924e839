"""Who has no browser may leave the tests of the page out, and says so."""

import os

import pytest

from tests.page.conftest import SKIP


@pytest.fixture
def a_browser() -> None:
    """Skip what needs Chromium where there is none."""
    if os.environ.get(SKIP) == "1":
        pytest.skip(f"{SKIP}=1")
