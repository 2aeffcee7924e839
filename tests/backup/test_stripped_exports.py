"""What an export lacks is said or refused: signatures, a whole log, the order."""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from taken import Change, Told, forged, refused

from push22.__main__ import run
from push22.backup.content import (
    decode_manifest,
    decode_record,
    decode_row,
    encode_manifest,
)
from push22.backup.frames import CHECKPOINT, MANIFEST, RECORD, ROW, Frame
from push22.casino import LOG_NAME
from push22.checkpoints.keys import PUBLIC_NAME
from runtime.lineage import following
from runtime.log import NO_HASH


def _taken(file: Path, target: Path, capsys: Told, *more: str) -> str:
    capsys.readouterr()
    assert run(["import", str(file), "-o", str(target), *more]) == 0
    return capsys.readouterr().out


def _unsigned(frames: list[Frame]) -> list[Frame]:
    return [frame for frame in frames if frame.kind != CHECKPOINT]


def _wallet_unsigned(frames: list[Frame]) -> list[Frame]:
    return [
        frame
        for frame in frames
        if frame.kind != CHECKPOINT or b"wallet" not in frame.payload
    ]


def test_an_export_without_checkpoints_does_not_hold_everything(
    exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """It holds in itself, and whoever wrote it can have written it all."""
    told = _taken(forged(exported, _unsigned), tmp_path / "back", capsys)
    assert "everything holds" not in told
    assert "nothing signed covers these logs" in told


def test_an_export_without_checkpoints_is_refused_where_keys_are_named(
    played: Path, exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """Who names keys wants the logs held to them, each."""
    keys = str(played / PUBLIC_NAME)
    for change, log in ((_unsigned, "settlement/0"), (_wallet_unsigned, "wallet/0")):
        file = forged(exported, change)
        said = refused(file, tmp_path / "back", capsys, "--keys", keys)
        assert f"{log}: nothing signed by the keys of {keys} covers its" in said


def test_one_log_without_checkpoints_is_named(
    exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """The others are signed, and that is no word about this one."""
    told = _taken(forged(exported, _wallet_unsigned), tmp_path / "back", capsys)
    assert "nothing signed covers wallet/0" in told
    assert "everything holds" not in told


def test_an_honest_export_holds_everything_by_the_keys_that_are_named(
    played: Path, exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """And says whose they are."""
    keys = str(played / PUBLIC_NAME)
    told = _taken(exported, tmp_path / "back", capsys, "--keys", keys)
    assert f"records are signed, by the keys of {keys}\neverything holds\n" in told


def _without_log(service: str, *, is_listed: bool) -> Change:
    """Take a service's log out, with what is said of it; or leave an empty one."""

    def change(frames: list[Frame]) -> list[Frame]:
        kept = [frame for frame in frames if not _is_of(frame, service)]
        manifest = decode_manifest(kept[0].payload)
        logs = [log for log in manifest.logs if log.service != service]
        if is_listed:
            (log,) = (log for log in manifest.logs if log.service == service)
            (part,) = log.partitions
            empty = msgspec.structs.replace(
                part, first=0, last=0, count=0, hash=NO_HASH
            )
            logs.append(msgspec.structs.replace(log, partitions=(empty,)))
        changed = msgspec.structs.replace(manifest, logs=tuple(logs))
        return [Frame(MANIFEST, encode_manifest(changed)), *kept[1:]]

    return change


def _is_of(frame: Frame, service: str) -> bool:
    if frame.kind == RECORD:
        return decode_record(frame.payload).service == service
    if frame.kind == ROW:
        return decode_row(frame.payload).service == service
    return False


SERVICES = ("shoe", "table-orchestrator", "settlement", "wallet", "desk")


@pytest.mark.parametrize("service", SERVICES)
def test_an_export_without_a_whole_log_is_refused(
    service: str, exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """Not even its name is there, signed or not."""
    change = _without_log(service, is_listed=False)
    for file in (
        forged(exported, change),
        forged(exported, lambda frames: _unsigned(change(frames))),
    ):
        said = refused(file, tmp_path / "back", capsys)
        assert f"manifest: no log of {service} is listed" in said


@pytest.mark.parametrize("service", ["shoe", "table-orchestrator", "settlement"])
def test_a_log_that_is_emptied_is_missed_by_what_answers_it(
    service: str, exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """Also where its checkpoints are taken out: the place is named."""
    change = _without_log(service, is_listed=True)
    file = forged(exported, lambda frames: _unsigned(change(frames)))
    said = refused(file, tmp_path / "back", capsys)
    assert " answers " in said
    assert "which is nowhere: records or a whole log are missing" in said


def _renamed(frames: list[Frame]) -> list[Frame]:
    """Say that each log goes on under a new name, so that records may be lost."""
    manifest = decode_manifest(frames[0].payload)
    logs = tuple(
        msgspec.structs.replace(log, incarnation=following(log.incarnation))
        for log in manifest.logs
    )
    changed = msgspec.structs.replace(manifest, logs=logs)
    return [Frame(MANIFEST, encode_manifest(changed)), *frames[1:]]


def _as_mirror(frames: list[Frame]) -> list[Frame]:
    manifest = decode_manifest(frames[0].payload)
    changed = msgspec.structs.replace(manifest, origin="mirror")
    return [Frame(MANIFEST, encode_manifest(changed)), *frames[1:]]


def test_a_log_that_was_signed_is_missed_in_a_mirror(
    exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """A mirror need not have all logs; one that was signed it must have."""
    without = _without_log("settlement", is_listed=False)
    file = forged(exported, lambda frames: _as_mirror(_renamed(without(frames))))
    said = refused(file, tmp_path / "back", capsys)
    assert "settlement/0 offset " in said
    assert "other_log: this is log , signed was " in said


def test_what_a_mirror_lacks_is_told(
    exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """A log that nobody heard of yet, and answers to what is lost."""
    whole = _taken(exported, tmp_path / "whole", capsys)
    assert "without a log" not in whole and "what was lost" not in whole

    without = _without_log("settlement", is_listed=False)
    file = forged(
        exported, lambda frames: _unsigned(_as_mirror(_renamed(without(frames))))
    )
    told = _taken(file, tmp_path / "back", capsys)
    assert "a mirror without a log of settlement\n" in told
    assert " records answer what was lost: a log has a new name\n" in told


def _late_causes(frames: list[Frame]) -> list[Frame]:
    """Let every log keep its order, but put the table's records behind all others."""
    table = [x for x in frames if x.kind == RECORD and _is_of(x, "table-orchestrator")]
    others = [x for x in frames if x.kind == RECORD and x not in table]
    head = [x for x in frames if x.kind == MANIFEST]
    return head + others + table + [x for x in frames if x.kind in (CHECKPOINT, ROW)]


def test_records_before_their_causes_are_refused(
    exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """Every chain is whole; both places are named."""
    said = refused(forged(exported, _late_causes), tmp_path / "back", capsys)
    assert " stands before its cause, " in said
    assert " at table-orchestrator/0 offset " in said


def test_a_later_name_of_a_log_is_no_way_around_the_order(
    exported: Path, tmp_path: Path, capsys: Told
) -> None:
    """Records may be lost then; what is there stands behind its cause all the same."""
    file = forged(exported, lambda frames: _renamed(_late_causes(frames)))
    said = refused(file, tmp_path / "back", capsys)
    assert " stands before its cause, " in said


def test_what_nobody_would_take_in_is_not_exported(
    played: Path, tmp_path: Path, capsys: Told
) -> None:
    """A casino from before there was a desk, or one that lost a log: it is said."""
    data = tmp_path / "old"
    data.mkdir()
    with (
        closing(sqlite3.connect(played / LOG_NAME)) as whole,
        closing(sqlite3.connect(data / LOG_NAME)) as sql,
    ):
        whole.backup(sql)
        sql.execute("DELETE FROM heads WHERE service = 'desk'")
        sql.execute("DELETE FROM incarnations WHERE service = 'desk'")
        sql.commit()
    assert run(["export", str(data), "-o", str(tmp_path / "old.p22")]) == 1
    assert "no log of desk" in capsys.readouterr().err
    assert not (tmp_path / "old.p22").exists()
