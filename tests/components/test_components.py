"""The critical components are verified at start, every day and on demand (A6)."""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from blackjack.rule_sets import RULE_SETS
from blackjack.rule_sets import digest as rules_digest
from push22 import component_watch, components
from push22.__main__ import run
from push22.errors import Failure
from runtime import metrics

ROOT = Path(__file__).parents[2]
Told = pytest.CaptureFixture[str]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the wheel of this software is installed."""
    source = tmp_path_factory.mktemp("source")
    for package in components.PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, source / package, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", source)
    target = tmp_path_factory.mktemp("installed")
    words = ["install", "--quiet", "--no-deps", "--no-build-isolation", "--no-compile"]
    subprocess.run(
        [sys.executable, "-m", "pip", *words, "--target", target, source],
        check=True,
        timeout=100,
    )
    return target


@pytest.fixture
def copy(installed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(installed, tmp_path / "site"))


def _run(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(site)}
    return subprocess.run(
        [sys.executable, "-P", "-m", "push22", *words],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        env=environment,
        cwd="/",
    )


def test_a6_what_is_installed_is_what_the_wheel_recorded(installed: Path) -> None:
    """Every file by SHA-256, and the same digest as a checkout of the same files."""
    done = _run(installed, "components")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("all are what the manifest says\n")
    digest = hashlib.sha256((installed / "blackjack/cards.py").read_bytes())
    assert f"{digest.hexdigest()}  blackjack/cards.py\n" in done.stdout
    here = components.build_digest(components.present())
    assert f"build {here}, " in done.stdout


@pytest.mark.parametrize("harm", ["changed", "missing", "added"])
def test_a6_one_file_that_differs_is_named_and_nothing_starts(
    harm: str, copy: Path
) -> None:
    """One comment in a rule, one file less, one more: neither command goes on."""
    file = copy / "blackjack" / "payouts_extra.py"
    if harm == "changed":
        file = copy / "blackjack" / "machine.py"
        file.write_text(file.read_text() + "# a better rule\n")
    elif harm == "missing":
        file = copy / "contracts" / "samples" / "past"
        file = next(iter(sorted(file.glob("*.json"))))
        file.unlink()
    else:
        file.write_text("RICHER = True\n")
    name = file.relative_to(copy).as_posix()
    for words in (("components",), ("serve", "shoe")):
        done = _run(copy, *words)
        assert done.returncode == 1
        assert done.stderr.startswith(f"push22: components: {name} is"), done.stderr


def test_a6_a_manifest_of_a_release_is_compared_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Told
) -> None:
    """What --write made holds here, also by `sha256sum`; a changed line does not."""
    file = tmp_path / "components.sha256"
    assert run(["components", "--write", str(file)]) == 0
    checked = subprocess.run(
        ["sha256sum", "--check", "--quiet", file], check=False, cwd=ROOT
    )
    assert checked.returncode == 0
    monkeypatch.setenv("PUSH22_COMPONENTS", str(file))
    assert run(["components", "--quiet"]) == 0
    assert capsys.readouterr().out.endswith("all are what the manifest says\n")
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(["0" * 64 + lines[0][64:], *lines[1:]]))
    assert run(["components", "--quiet"]) == 1
    assert lines[0].split()[1] in capsys.readouterr().err
    file.write_text("no manifest\n")
    assert run(["components"]) == 2


def test_a6_a_change_under_a_running_service_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Told
) -> None:
    """The daily look finds it, here after milliseconds: one log line, one metric."""
    root = tmp_path / "site"
    (root / "blackjack").mkdir(parents=True)
    rule = root / "blackjack" / "rule.py"
    rule.write_text("PUSH = 22\n")
    present = components.present
    monkeypatch.setattr(components, "present", lambda: present(root))
    monkeypatch.setattr(component_watch, "manifest", dict)
    stop = component_watch.begin("shoe", every_s=0.05)
    said = capsys.readouterr().err
    digest = components.build_digest(present(root))
    assert '"event":"build"' in said and digest in said
    assert _sample("push22_components_checked_timestamp_seconds") > 0
    rule.write_text("PUSH = 21\n")
    until = time.monotonic() + 30
    while not _sample("push22_components_wrong") and time.monotonic() < until:
        time.sleep(0.01)
    assert _sample("push22_components_wrong") == 1
    stop.set()
    metrics.COMPONENTS_WRONG.set(0)
    labels = {"version": "0.1.0", "engine": "1", "digest": digest}
    assert REGISTRY.get_sample_value("push22_build_info", labels) == 1
    for name, rules in RULE_SETS.items():
        labels = {"rule_set": name, "digest": rules_digest(rules)}
        assert REGISTRY.get_sample_value("push22_rules_info", labels) == 1


def _sample(name: str) -> float:
    return REGISTRY.get_sample_value(name) or 0.0


def test_a6_a_start_is_refused_where_a_file_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No service begins to watch, and the file is named."""
    file = tmp_path / "components.sha256"
    files = {**components.present(), "push22/casino.py": "0" * 64}
    file.write_text(components.lines_of(files))
    monkeypatch.setenv("PUSH22_COMPONENTS", str(file))
    with pytest.raises(Failure, match=r"push22/casino\.py is another file"):
        component_watch.begin("casino")
