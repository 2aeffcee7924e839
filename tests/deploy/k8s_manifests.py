"""The manifests as tests look at them: pods, containers, built overlays."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.k8s import make

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "k8s"
FILES = make.FILES
ALL = [manifest for manifests in FILES.values() for manifest in manifests]
OVERLAYS = ("small", "production")


def named(kind: str, name: str) -> dict[str, Any]:
    (found,) = [m for m in ALL if (m["kind"], m["metadata"]["name"]) == (kind, name)]
    return found


def templates() -> Iterator[tuple[str, dict[str, Any]]]:
    """Return every kind of pod by its name, which is the same in all versions."""
    for manifest in ALL:
        template = manifest.get("spec", {}).get("template")
        if template:
            yield template["metadata"]["labels"]["app.kubernetes.io/name"], template


def pods() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, template in templates():
        yield name, template["spec"]


def containers() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, pod in pods():
        for container in [*pod.get("initContainers", []), *pod["containers"]]:
            yield f"{name}/{container['name']}", container


def built(overlay: str) -> list[dict[str, Any]]:
    """Build an overlay; without kustomize it fails, unless that was asked for."""
    found = shutil.which("kustomize")
    if found is None and os.environ.get("PUSH22_SKIP_KUSTOMIZE") == "1":
        pytest.skip("PUSH22_SKIP_KUSTOMIZE=1")
    assert found, "install kustomize, or set PUSH22_SKIP_KUSTOMIZE=1"
    words = [found, "build", str(FOLDER / "overlays" / overlay)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))
