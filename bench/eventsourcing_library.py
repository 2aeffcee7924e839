"""The `eventsourcing` library storing as many events as a settled round has.

42 events of about 700 bytes a round in its SQLite application, in 29 saves: a round
takes as many decisions of ours, and with the library each decision is one save. (Ours
makes a commit durable for many decisions at once; that it cannot.)
"""

import sys
import tempfile
import time
from pathlib import Path

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

_EVENTS = 42
_SAVES = 29
_TEXT = "x" * 500


class Round(Aggregate):
    """A round that only takes notes."""

    @event("Opened")
    def __init__(self) -> None:
        self.notes = 0

    @event("Noted")
    def note(self, text: str) -> None:  # noqa: ARG002 - the library records it
        self.notes += 1


def store_round(application: Application) -> None:
    """Append one round's events, a few at a time."""
    played = Round()
    saves = 0
    for number in range(1, _EVENTS):
        if number * _SAVES // _EVENTS > saves:
            application.save(played)
            saves += 1
        played.note(_TEXT)
    application.save(played)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder:
        application = Application(
            env={
                "PERSISTENCE_MODULE": "eventsourcing.sqlite",
                "SQLITE_DBNAME": str(Path(folder) / "events.sqlite3"),
            }
        )
        begun = time.perf_counter()
        for _ in range(rounds):
            store_round(application)
        took = time.perf_counter() - begun
        application.close()
    print(f"eventsourcing library {rounds / took:8.0f} rounds/s of {_EVENTS} events")


if __name__ == "__main__":
    main()
