"""A copy that ends in the middle of an input is incomplete: not right, nor wrong."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from mirroring import copied, deliver, mirror_at, project
from partitions import Committed, committed, split
from small_casino import copy_of

from push22.__main__ import run
from push22.casino import LOG_NAME
from runtime.sqlite_file import SqliteFile

Told = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def history(played: Path) -> Iterator[list[Committed]]:
    """All records of the small casino, as they were committed."""
    file = SqliteFile.open(played / LOG_NAME, read_only=True)
    yield list(committed(file))
    file.close()


def verdict(capsys: Told, data: Path, *more: str) -> tuple[int, str]:
    capsys.readouterr()
    code = run(["verify", *(more or ("--all",)), "--data", str(data)])
    return code, capsys.readouterr().out


def _within_input(history: list[Committed]) -> int:
    """Return where a copy ends that has the first event of an input, and not all."""
    middle = len(history) // 2
    return next(
        at
        for at in range(middle, len(history))
        if history[at].draft.cause is None
        and history[at].draft.round_id
        and history[at].service == "table-orchestrator"
    )


@pytest.fixture
def cut(history: list[Committed]) -> int:
    return _within_input(history)


def test_a_copy_that_ends_within_an_input_is_incomplete(
    history: list[Committed], cut: int, tmp_path: Path, capsys: Told
) -> None:
    """It names the record that is awaited and where the log ends; then it matches."""
    awaited, before = history[cut].draft, history[cut - 1].draft
    data = copied(split(history[:cut]), tmp_path)

    code, text = verdict(capsys, data)

    assert (code, text.splitlines()[-1]) == (3, "INCOMPLETE: all")
    assert f"awaited: {awaited.stream}@{awaited.version}\n" in text
    assert ", within an input" in text
    assert before.stream == awaited.stream
    assert verdict(capsys, data, awaited.round_id)[0] == 3
    document = json.loads(verdict(capsys, data, "--all", "--json")[1])
    assert [item["record"] for item in document["decisions"]["awaited"]] == [
        f"{awaited.stream}@{awaited.version}"
    ]

    code, text = verdict(capsys, copied(split(history), tmp_path))

    assert (code, text.splitlines()[-1]) == (0, "MATCH: all")


@pytest.mark.parametrize("seed", range(6))
def test_a_copy_at_any_moment_matches_or_is_incomplete(
    seed: int, history: list[Committed], tmp_path: Path, capsys: Told
) -> None:
    """Records of eight partitions come in pieces; none of it is a difference."""
    mirror = mirror_at(tmp_path)
    deliver(mirror, split(history), seed=seed, offers=5 + 7 * seed)
    asyncio.run(project(mirror))
    mirror.file.close()

    code, text = verdict(capsys, tmp_path)

    word = {0: "MATCH: all", 3: "INCOMPLETE: all"}[code]
    assert text.splitlines()[-1] == word
    assert ("awaited: " in text) == (code == 3)


def _changed(data: Path, to: Path, statement: str, *values: Any) -> Path:
    with closing(copy_of(data, to)) as sql:
        assert sql.execute(statement, values).rowcount
    return to


def test_what_differs_differs_while_more_is_awaited(
    history: list[Committed], cut: int, tmp_path: Path, capsys: Told
) -> None:
    """A record that was changed is no matter of patience."""
    data = copied(split(history[:cut]), tmp_path / "whole")
    change = "UPDATE records SET body = replace(body, '1', '2') WHERE place = 5"
    code, text = verdict(capsys, _changed(data, tmp_path / "changed", change))
    assert (code, "DIFFERS: all" in text) == (1, True)
    change = "DELETE FROM archive_rounds"
    code, text = verdict(capsys, _changed(data, tmp_path / "robbed", change))
    assert (code, "DIFFERS: all" in text) == (1, True)


def _goes_on(history: list[Committed], cut: int) -> Iterator[Committed]:
    """Return inputs of other streams of the same log that could follow the cut."""
    here = {f"{x.draft.stream}@{x.draft.version}" for x in history[:cut]}
    awaited = history[cut]
    for item in history[cut + 1 :]:
        draft, cause = item.draft, item.draft.cause
        if item.service != awaited.service or draft.stream == awaited.draft.stream:
            continue
        before = f"{draft.stream}@{draft.version - 1}"
        is_next = draft.version == 1 or before in here
        if (
            cause is not None
            and is_next
            and (cause.kind != "event" or cause.id in here)
        ):
            yield item


def test_an_event_left_out_before_others_differs(
    history: list[Committed], tmp_path: Path, capsys: Told
) -> None:
    """Its partition goes on behind it: it will not come any more."""
    cuts = (at for at, item in enumerate(history) if item.draft.cause is None)
    cut, later = next((at, item) for at in cuts if at for item in _goes_on(history, at))
    waits = copied(split(history[:cut], 1), tmp_path / "waits")
    assert verdict(capsys, waits)[0] == 3

    logs = split([*history[:cut], later], 1)
    code, text = verdict(capsys, copied(logs, tmp_path / "left_out"))

    assert (code, "DIFFERS: all" in text) == (1, True)
    draft = history[cut].draft
    assert f"first record that differs: {draft.stream}@{draft.version}" in text


def test_a_casinos_own_file_waits_for_nothing(
    history: list[Committed], cut: int, tmp_path: Path, capsys: Told
) -> None:
    """It commits an input whole: half of one was cut."""
    data = copied(split(history[:cut]), tmp_path / "copy")
    unmarked = "DELETE FROM meta WHERE key = 'mirror'"
    code, text = verdict(capsys, _changed(data, tmp_path / "own", unmarked))
    assert code == 1
    assert "DIFFERS: all" in text
    assert "INCOMPLETE" not in text and "awaited" not in text
