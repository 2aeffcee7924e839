"""A mock operator in a thread, and a casino whose players' money it keeps."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from push22.operator.mock_books import Books
from push22.operator.mock_faults import Faults, Rates
from push22.operator.mock_running import running
from push22.operator.mock_server import MockOperator
from push22.operator.settings import OperatorSettings

KEY_ID = "k1"
SECRET = b"a secret of thirty-two bytes or so"
SECRET_TEXT = "YSBzZWNyZXQgb2YgdGhpcnR5LXR3byBieXRlcyBvciBzbw=="
OPENING_MINOR = 5_000_000
PLAYER = "acme.alice"


@contextmanager
def a_mock(
    folder: Path, *, seed: int = 1, rates: Rates | None = None, broken: str = ""
) -> Iterator[MockOperator]:
    """Make a mock operator with books in a file."""
    books = Books(
        str(folder / "operator.sqlite3"), opening_minor=OPENING_MINOR, broken=broken
    )
    mock = MockOperator(books, Faults(seed, rates or Rates()), {KEY_ID: SECRET})
    mock.faults.hang_ms = 300
    try:
        yield mock
    finally:
        books.close()


@contextmanager
def an_operator(
    folder: Path, *, seed: int = 1, rates: Rates | None = None, broken: str = ""
) -> Iterator[tuple[MockOperator, str]]:
    """Run a mock operator; give it and its address."""
    made = a_mock(folder, seed=seed, rates=rates, broken=broken)
    with made as mock, running(mock) as url:
        yield mock, url


def settings_for(url: str, timeout_ms: int = 200) -> dict[str, OperatorSettings]:
    return {"acme": OperatorSettings(url, KEY_ID, SECRET_TEXT, timeout_ms=timeout_ms)}
