"""How cases of chaos are marked: all of them, and those that every test run makes."""

import pytest

CASE_S = 1800

CHAOS = [
    pytest.mark.slow,
    pytest.mark.e2e,
    pytest.mark.chaos,
    pytest.mark.timeout(CASE_S),
    pytest.mark.xdist_group("casino"),
]
"""One after another, with the other tests that take the whole machine."""
