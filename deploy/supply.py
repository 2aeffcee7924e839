"""The software bill of materials, and the licences of what production installs.

Both follow from the locked requirements, whose hashes `pip` checks at installation, and
from the metadata of the packages that are installed here at the locked versions.
"""

import importlib.metadata
import json
import re
import sys
import uuid
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements" / "base.txt"
WANTED = ROOT / "requirements" / "base.in"
LICENCES = ROOT / "docs" / "licences.md"
ALLOWED = frozenset(
    ("Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "MIT", "MIT-0", "MIT-CMU")
) | {"MPL-2.0", "PSF-2.0"}
"""Licences that ask for nothing but notices; MPL-2.0 covers only its own files."""

EXCEPTIONS = {"fpdf2": "LGPL-3.0-only"}
"""Allowed for one package: a library that we use unmodified and could exchange."""

_PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==(\S+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_IDS = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2": "Apache-2.0",
    "PSFL": "PSF-2.0",
    "MIT License": "MIT",
    "License :: OSI Approved :: MIT License": "MIT",
}
_HEAD = """\
# Licences

What production installs, by the lock, and under which licence. `make licences` writes
this page. A test refuses any licence but these:
{allowed};
and for one package, which we use unmodified as a library: {excepted}.

| package | version | licence |
|---|---|---|
"""


class Package(NamedTuple):
    """One locked package; `hashes` are those of its files on the index."""

    name: str
    version: str
    hashes: tuple[str, ...]
    licence: str


class Unlocked(Exception):
    """What is installed here is not what is locked."""


def packages(lock: str) -> list[Package]:
    """Return what a lock pins. Raises Unlocked where another version is installed."""
    found: list[Package] = []
    for line in lock.splitlines():
        pin = _PIN.match(line)
        if pin is not None:
            found.append(_package(pin[1], pin[2]))
        elif found and (hashes := tuple(_HASH.findall(line))):
            last = found[-1]
            found[-1] = last._replace(hashes=(*last.hashes, *hashes))
    return found


def _package(name: str, version: str) -> Package:
    installed = importlib.metadata.version(name)
    if installed != version:
        raise Unlocked(f"{name} is locked at {version}, installed is {installed}")
    return Package(name, version, (), licence_of(importlib.metadata.metadata(name)))


def licence_of(metadata: Any) -> str:
    """Return an SPDX expression, from whichever field the package fills."""
    texts = [metadata.get("License-Expression"), metadata.get("License")]
    texts += metadata.get_all("Classifier") or []
    for text in filter(None, texts):
        first = text.splitlines()[0].strip()
        known = _IDS.get(first, first)
        if set(parts_of(known)) <= ALLOWED:
            return known
    return str(next(filter(None, texts), "none is named"))


def is_allowed(package: Package) -> bool:
    """Of a choice, each part must be allowed, so that nobody has to choose."""
    if EXCEPTIONS.get(package.name) == package.licence:
        return True
    return set(parts_of(package.licence)) <= ALLOWED


def parts_of(expression: str) -> list[str]:
    """Return the licences that an SPDX expression names."""
    return re.split(r" (?:OR|AND) ", expression.strip("() "))


def sbom(found: list[Package]) -> dict[str, Any]:
    """Return a CycloneDX document; the same lock makes the same one."""
    lock = json.dumps([list(package) for package in found])
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, lock)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "push22",
                "name": "push22",
                "version": importlib.metadata.version("push22"),
            }
        },
        "components": [_component(package) for package in found],
    }


def _component(package: Package) -> dict[str, Any]:
    purl = f"pkg:pypi/{package.name.lower().replace('_', '-')}@{package.version}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": package.name,
        "version": package.version,
        "purl": purl,
        "licenses": [{"expression": package.licence}],
        "externalReferences": [
            {
                "type": "distribution",
                "url": purl,
                "hashes": [{"alg": "SHA-256", "content": one}],
            }
            for one in package.hashes
        ],
    }


def page(found: list[Package]) -> str:
    excepted = ", ".join(f"{name} {text}" for name, text in EXCEPTIONS.items())
    head = _HEAD.format(allowed=", ".join(sorted(ALLOWED)), excepted=excepted)
    return head + "".join(f"| {p.name} | {p.version} | {p.licence} |\n" for p in found)


def unlocked(wanted: str, found: list[Package]) -> list[str]:
    """Return what is asked for and not locked: of it nothing is known here."""
    names = {package.name.lower() for package in found}
    asked = [line.partition("[")[0].strip() for line in wanted.splitlines()]
    return [name for name in asked if name and name[0] != "#" and name not in names]


def _say(document: str, file: str = "") -> None:
    if not file:
        sys.stdout.write(document)
        return
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    Path(file).write_text(document, "utf-8")
    sys.stdout.write(f"written: {file}\n")


def main() -> None:
    """`supply.py sbom [FILE]` writes the document, `supply.py licences` the page.

    Without a file the document is printed.

    It fails afterwards where something is asked for that is not locked.
    """
    found = packages(LOCK.read_text("utf-8"))
    if sys.argv[1:2] == ["sbom"] and len(sys.argv) <= 3:
        _say(json.dumps(sbom(found), indent=1) + "\n", *sys.argv[2:])
    elif sys.argv[1:] == ["licences"]:
        LICENCES.write_text(page(found), "utf-8")
    else:
        raise SystemExit("usage: supply.py sbom [FILE]|licences")
    if missing := unlocked(WANTED.read_text("utf-8"), found):
        raise SystemExit(f"not in the lock, so not listed: {', '.join(missing)}")


if __name__ == "__main__":
    main()
