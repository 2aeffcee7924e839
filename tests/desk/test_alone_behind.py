"""An index that lags, stands still or is made anew leaves no more to one person."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from push22.casino import LOG_NAME
from push22.door import case_index
from push22.door.index import FileIndex
from push22.inspect.parallel import verify_all
from push22.inspect.reader import Reader
from tests.desk.asking import a_case, a_house, balance, correction, get, post
from tests.gateway.house import House

LIMIT = 2500
OVER = "player_day_sum_over_threshold"
UNKNOWN = "player_day_sum_unknown"


async def last(the: House, case: str) -> dict[str, Any]:
    found = (await get(the, f"/cases/{case}")).json()["proposals"][-1]
    assert isinstance(found, dict)
    return found


def copied(source: Path, target: Path) -> Path:
    with (
        closing(sqlite3.connect(source)) as old,
        closing(sqlite3.connect(target)) as new,
    ):
        old.backup(new)
    return target


def looked_up_in(the: House, path: Path) -> Callable[[], None]:
    """Let the door look into another file; return what undoes that."""
    own = the.door._index
    the.door._index = FileIndex(path)
    return lambda: setattr(the.door, "_index", own)


async def test_what_a_copy_does_not_have_was_heard(tmp_path: Path) -> None:
    """As of an archive that stands still: the sum is whole all the same."""
    async with a_house(tmp_path, EUR=LIMIT) as the:
        first, second = await a_case(the), await a_case(the)
        stale = copied(tmp_path / LOG_NAME, tmp_path / "stale.db")
        undo = looked_up_in(the, stale)
        before = await balance(the)
        await post(the, f"/cases/{first}/corrections", correction(LIMIT - 500))
        await post(the, f"/cases/{second}/corrections", correction(501))
        undo()
        over = await last(the, second)
        undo = looked_up_in(the, stale)
        await post(the, f"/cases/{second}/corrections", correction(500))
        undo()
        within = await last(the, second)
        after = await balance(the)

    assert (over["standing"], over["why_second"]) == ("proposed", OVER)
    assert (within["standing"], within["is_alone"]) == ("done", True)
    assert after == before + LIMIT


async def test_what_the_index_has_not_taken_in_is_read_from_its_file(
    tmp_path: Path,
) -> None:
    """By a door that began after it was recorded, and heard nothing of it."""
    async with a_house(tmp_path, EUR=LIMIT) as the:
        first, second = await a_case(the), await a_case(the)
        the.casino.host.projectors.clear()
        await post(the, f"/cases/{first}/corrections", correction(LIMIT - 500))
        the.door.alone._days.clear()
        await post(the, f"/cases/{second}/corrections", correction(501))
        over = await last(the, second)

    assert (over["standing"], over["why_second"]) == ("proposed", OVER)


def rebuilt(the: House, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mark the index as of another version: its tables are not to be believed."""
    del monkeypatch
    path = copied(folder / LOG_NAME, folder / "rebuilt.db")
    with closing(sqlite3.connect(path)) as sql, sql:
        sql.execute("UPDATE meta SET value = '' WHERE key = 'projection:archive-desk'")
    looked_up_in(the, path)


def far_behind(the: House, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    del folder
    the.casino.host.projectors.clear()
    monkeypatch.setattr(case_index, "_TAIL_MAX", 0)


def unheard(the: House, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    del folder
    monkeypatch.setattr(the.port, "hears_all", lambda service: service != "desk")


@pytest.mark.parametrize("is_hurt_by", [rebuilt, far_behind, unheard])
async def test_what_is_not_known_is_for_a_second_person(
    is_hurt_by: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However small; that person decides it as any other, and the log is in order."""
    async with a_house(tmp_path, EUR=LIMIT) as the:
        case, own = await a_case(the), the.door._index
        is_hurt_by(the, tmp_path, monkeypatch)
        asked = await post(the, f"/cases/{case}/corrections", correction(1))
        the.door._index = own
        waiting = await last(the, case)
        path = f"/cases/{case}/proposals/1/approve"
        decided = await post(the, path, who="adam")
        is_hurt_by(the, tmp_path, monkeypatch)
        await post(the, f"/cases/{case}/corrections", correction(LIMIT + 1))
        the.door._index = own
        over = await last(the, case)
        await the.settled()
    reader = Reader.open(tmp_path)
    is_match = verify_all(reader, lambda _: None).is_match
    reader.close()

    assert asked.status_code == 201, asked.text
    assert (over["standing"], over["why_second"]) == ("proposed", "")
    assert (waiting["standing"], waiting["why_second"]) == ("proposed", UNKNOWN)
    assert decided.status_code == 200, decided.text
    assert is_match
