"""What production installs is listed, under licences that we allow, in safe images."""

import ast
import importlib.metadata
import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy import supply
from runtime import otel, tracing

ROOT = Path(__file__).parents[2]
FOUND = supply.packages(supply.LOCK.read_text("utf-8"))
SERVICES = ("shoe", "table-orchestrator", "settlement", "wallet", "desk", "archive")


@pytest.mark.parametrize("package", FOUND, ids=lambda package: package.name)
def test_a_licence_is_one_that_we_allow(package: supply.Package) -> None:
    """Each package of the lock, by its own metadata."""
    assert supply.is_allowed(package), package.licence


def test_a_licence_that_nobody_allowed_is_refused() -> None:
    """A foreign one, none, a choice with a foreign part, the exception elsewhere."""
    for licence in (
        "GPL-3.0-only",
        "none is named",
        "MIT OR AGPL-3.0",
        "LGPL-3.0-only",
    ):
        assert not supply.is_allowed(supply.Package("other", "1", (), licence)), licence


def test_everything_that_is_asked_for_is_locked() -> None:
    """What the lock does not have, the bill of materials would not have either."""
    assert supply.unlocked(supply.WANTED.read_text("utf-8"), FOUND) == []
    assert supply.unlocked("# why\nmsgspec\nnowhere[x]\n", FOUND) == ["nowhere"]


def test_the_page_of_licences_is_of_this_lock() -> None:
    """Locked again, it is to be written again: `make licences`."""
    assert supply.LICENCES.read_text("utf-8") == supply.page(FOUND)


def test_the_bill_of_materials_is_the_lock_with_its_hashes() -> None:
    """As many components as pins, each hash once, and the same document each time."""
    words = [sys.executable, "deploy/supply.py", "sbom"]
    done = [
        subprocess.run(words, cwd=ROOT, check=True, capture_output=True, timeout=60)
        for _ in range(2)
    ]
    assert done[0].stdout == done[1].stdout
    document = json.loads(done[0].stdout)
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    lock = supply.LOCK.read_text("utf-8")
    pins = re.findall(r"^([\w.-]+)(?:\[.*\])?==(\S+)", lock, re.MULTILINE)
    listed = [(item["name"], item["version"]) for item in document["components"]]
    assert listed == pins
    hashes = [
        found["content"]
        for item in document["components"]
        for reference in item["externalReferences"]
        for found in reference["hashes"]
    ]
    assert hashes == re.findall(r"sha256:([0-9a-f]{64})", lock)


def test_the_bill_of_materials_is_a_file(tmp_path: Path) -> None:
    """The same as is printed, in a folder that need not be there."""
    file = tmp_path / "build" / "sbom.json"
    words = [sys.executable, "deploy/supply.py", "sbom"]
    printed, told = (
        subprocess.run(
            [*words, *more], cwd=ROOT, check=True, capture_output=True, timeout=60
        ).stdout
        for more in ([], [str(file)])
    )
    assert file.read_bytes() == printed
    assert told.decode() == f"written: {file}\n"
    assert "supply.py sbom build/sbom.json" in (ROOT / "Makefile").read_text()


AUDITOR = """#!/bin/sh
case "$1" in
-) cat >/dev/null ;;
-m) shift; echo "$@" >>"$AUDITED"; case "$*" in *base.txt) exit 1 ;; esac ;;
esac
"""


def test_the_audit_asks_about_both_locks_and_fails_by_either(tmp_path: Path) -> None:
    """What is found in the first neither hides the second nor is forgotten over it."""
    (tmp_path / "python").write_text(AUDITOR)
    (tmp_path / "python").chmod(0o755)
    done = subprocess.run(
        [ROOT / "deploy" / "audit-dependencies.sh", tmp_path],
        check=False,
        capture_output=True,
        timeout=60,
        env={**os.environ, "AUDITED": str(tmp_path / "asked")},
    )
    asked = [line.split() for line in (tmp_path / "asked").read_text().splitlines()]
    assert [(words[0], words[-1]) for words in asked] == [
        ("pip_audit", "requirements/base.txt"),
        ("pip_audit", "requirements/dev.txt"),
    ]
    assert done.returncode == 1


def test_what_audits_is_locked() -> None:
    """Else nobody knows what it is that says all is well."""
    lock = (ROOT / "requirements" / "dev.txt").read_text("utf-8")
    assert re.search(r"^pip-audit==\S+ \\$", lock, re.MULTILINE)


def test_an_audit_that_cannot_run_says_so_and_fails() -> None:
    """Silence would look like a clean result."""
    done = subprocess.run(
        [ROOT / "deploy" / "audit-dependencies.sh", Path(sys.executable).parent],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PUSH22_VULNERABILITIES": "http://127.0.0.1:1"},
    )
    assert done.returncode == 3
    assert "NOT RUN" in done.stderr


def _compose() -> dict[str, Any]:
    text = (ROOT / "docker-compose.yml").read_text()
    found: dict[str, Any] = yaml.safe_load(text)["services"]
    return found


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_may_change_nothing_but_its_data(name: str) -> None:
    """Read-only root, no capability, no way to more rights, no other user than ours."""
    service = _compose()[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "user" not in service
    assert not service.get("privileged")


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_is_told_where_traces_go(name: str) -> None:
    """As whoever starts it says; unsaid it is empty, which makes none."""
    given = _compose()[name]["environment"][tracing.ENDPOINT]
    assert given == f"${{{tracing.ENDPOINT}:-}}"
    tracing.begin({tracing.ENDPOINT: "", tracing.RATIO: ""})
    assert tracing.CURRENT.tracer is None


def test_the_image_has_what_makes_traces() -> None:
    """What the exporter's module imports is of a package that production asks for."""
    wanted = supply.WANTED.read_text("utf-8").splitlines()
    names = [line.partition("[")[0] for line in wanted if line[:1] not in ("", "#")]
    held = {
        str(importlib.metadata.distribution(name).locate_file(file))
        for name in names
        for file in importlib.metadata.files(name) or ()
    }
    imports = [
        node.module
        for node in ast.walk(ast.parse(Path(otel.__file__).read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module
    ]
    modules = [name for name in imports if name.startswith("opentelemetry")]
    assert len(modules) > 3
    for module in modules:
        found = find_spec(module)
        assert found is not None
        assert found.origin in held, module


def test_the_image_runs_as_a_user_without_rights() -> None:
    """The last user of the last stage is ours, by number: Kubernetes checks that."""
    stages = (ROOT / "deploy" / "Dockerfile").read_text().split("\nFROM ")
    users = re.findall(r"^USER (\S+)$", stages[-1], re.MULTILINE)
    assert users == ["10022:10022"]
