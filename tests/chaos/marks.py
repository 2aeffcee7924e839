"""How cases of chaos are marked: all of them, and those that every test run makes."""

import pytest

from tests.e2e.marks import CASINO

CASE_S = 1800

CHAOS = [
    *CASINO,
    pytest.mark.chaos,
    pytest.mark.timeout(CASE_S),
    pytest.mark.filterwarnings("default::pytest.PytestUnraisableExceptionWarning"),
]
"""One after another, with the other tests that take the whole machine.

A client of Kafka whose broker was taken away may close a socket after its loop has
ended: that is shown, and fails no case that its judge has passed.
"""
