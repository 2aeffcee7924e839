"""Of a casino's archives one lodges its checkpoints; each signs for its own file."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from test_checkpoints_of_a_mirror import Puller, arrived

from push22.__main__ import build_app
from push22.casino import LOG_NAME
from push22.checkpoints.store import kept
from push22.signing_archive import sign_beside
from runtime.archive_host import ArchiveHost
from runtime.kafka_settings import KafkaSettings
from runtime.mirror import Mirror
from runtime.sqlite_file import SqliteFile

KAFKA = KafkaSettings("nowhere:1")


async def signed_by(folder: Path, *, lodges: bool) -> ArchiveHost:
    """Return an archive that has stored records of a casino and stopped."""
    place = folder / f"archive-{lodges}"
    place.mkdir()
    file = SqliteFile.open(place / LOG_NAME)
    host = ArchiveHost(Mirror(file), [], KAFKA, Puller())
    sign_beside(host, place, KAFKA, lodges=lodges)
    await host.take(arrived(folder / "casino")[:150])
    host.watcher.close()
    return host


async def test_one_archive_lodges_and_each_signs(played: Path, tmp_path: Path) -> None:
    """An evidence pack needs a checkpoint near; their topic bears one series."""
    shutil.copytree(played, tmp_path / "casino")
    for lodges in (True, False):
        host = await signed_by(tmp_path, lodges=lodges)
        assert (host.relay is not None) == lodges
        assert len(list(kept(host.mirror.file))) > 0
        host.mirror.file.close()


@pytest.mark.parametrize("words", [[], ["--lodge"], ["--no-lodge"]])
def test_an_archive_is_told_whether_it_lodges(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: list[str]
) -> None:
    """It does if nothing is said."""
    told: list[bool] = []

    def serving(directory: Path, place: Any, *, lodges: bool) -> None:
        told.append(lodges)

    monkeypatch.setattr("push22.commands.serve._serve_archive", serving)
    monkeypatch.setattr("push22.commands.serve._run", lambda *_: 0)
    monkeypatch.setattr("push22.component_watch.begin", lambda _: None)
    app = build_app("serve")
    assert app(["serve", "archive", "--data", str(tmp_path), *words]) == 0
    assert told == ["--no-lodge" not in words]
