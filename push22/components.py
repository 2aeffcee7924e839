"""The critical components: which files this software is, and whether they still are.

What was installed from a wheel has a manifest, its RECORD. Elsewhere `push22 components
--write` makes one at release. What it says is compared at start, every day, on demand.
"""

import base64
import hashlib
import importlib.metadata
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

PACKAGES = ("blackjack", "contracts", "runtime", "services", "push22")
_ROOT = Path(__file__).resolve().parents[1]
_ALGORITHM = "sha256"

Files = Mapping[str, str]
"""From a file's path, with slashes, to the SHA-256 of its bytes in hex."""


class UnreadableManifest(Exception):
    """A manifest is not written as ours are; the text names the line."""


def present(root: Path = _ROOT) -> dict[str, str]:
    """Return what is here: every file of our packages but what Python compiles."""
    return {
        path.relative_to(root).as_posix(): _digest(path)
        for package in PACKAGES
        for path in sorted((root / package).rglob("*"))
        if path.is_file() and _is_ours(path.relative_to(root))
    }


def _is_ours(path: Path) -> bool:
    """No wheel holds a README, and what Python compiles differs by machine."""
    return "__pycache__" not in path.parts and path.suffix != ".md"


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, _ALGORITHM).hexdigest()


def recorded() -> dict[str, str]:
    """Return what the wheel said when it was installed; of a checkout, nothing."""
    try:
        files = importlib.metadata.files("push22") or []
    except importlib.metadata.PackageNotFoundError:
        return {}
    return dict(_of_packages(files))


def _of_packages(
    files: list[importlib.metadata.PackagePath],
) -> Iterator[tuple[str, str]]:
    for file in files:
        parts = PurePosixPath(file).parts
        is_ours = parts[0] in PACKAGES and "__pycache__" not in parts
        if is_ours and file.hash is not None and file.hash.mode == _ALGORITHM:
            text = file.hash.value
            raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
            yield PurePosixPath(file).as_posix(), raw.hex()


def lines_of(files: Files) -> str:
    """Return a manifest as `sha256sum` writes and checks it."""
    return "".join(f"{files[path]}  {path}\n" for path in sorted(files))


def read_lines(text: str) -> dict[str, str]:
    """Read what `lines_of` wrote. Raises UnreadableManifest."""
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        digest, gap, path = line.partition("  ")
        if not gap or len(digest) != 64 or not path:
            raise UnreadableManifest(f"line {number} is no digest and a path")
        found[path] = digest
    return found


def build_digest(files: Files) -> str:
    """Return the one digest that says which software this is."""
    return hashlib.sha256(lines_of(files).encode()).hexdigest()


def differences(files: Files, manifest: Files) -> list[str]:
    """Say of each file what is wrong with it; nothing if all is as it should be."""
    found = []
    for path in sorted({*files, *manifest}):
        if path not in files:
            found.append(f"{path} is missing")
        elif path not in manifest:
            found.append(f"{path} is not in the manifest")
        elif files[path] != manifest[path]:
            found.append(f"{path} is another file: {files[path]}")
    return found
