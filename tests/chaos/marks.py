"""How cases of chaos are marked: all of them, and those that every test run makes."""

import pytest

CASE_S = 1800

CHAOS = [
    pytest.mark.slow,
    pytest.mark.e2e,
    pytest.mark.chaos,
    pytest.mark.timeout(CASE_S),
    pytest.mark.xdist_group("casino"),
    pytest.mark.filterwarnings("default::pytest.PytestUnraisableExceptionWarning"),
]
"""One after another, with the other tests that take the whole machine.

A client of Kafka whose broker was taken away may close a socket after its loop has
ended: that is shown, and fails no case that its judge has passed.
"""
