"""A real casino's logs: everything is indexed, rebuilt, made again and accounted for."""

import sqlite3
from pathlib import Path

from push22.commands.audit import audited
from push22.inspect.reader import Reader
from push22.inspect.verify import verify_round
from push22.inspect.parallel import verify_all


def silent(_: int) -> None:
    pass


def test_everything_matches(played: Path) -> None:
    reader = Reader.open(played)
    verdict = verify_all(reader, silent)
    print(verdict)
    assert verdict.is_match
    assert audited(reader, silent).finish() == ()
