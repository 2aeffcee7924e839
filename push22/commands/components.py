"""`push22 components`: which files this software is, and whether they still are."""

import sys
from pathlib import Path

from push22 import components as parts
from push22.component_watch import manifest
from push22.errors import Failure


def components(*, write: Path | None = None, quiet: bool = False) -> int:
    """Verify the files of this software by SHA-256, and print them with their digest.

    They are held to the manifest that $PUSH22_COMPONENTS names, else to the one that
    the installed wheel has of itself. `serve` does the same at start and every day.

    Parameters
    ----------
    write
        Write a manifest of what is here, for a release; `sha256sum --check` reads it.
    quiet
        Print the digest of all alone.

    """
    files = parts.present()
    if write is not None:
        write.write_text(parts.lines_of(files), "utf-8")
    elif not quiet:
        sys.stdout.write(parts.lines_of(files))
    sys.stdout.write(f"build {parts.build_digest(files)}, {len(files)} files\n")
    expected = manifest()
    if not expected:
        sys.stdout.write("there is no manifest to compare with: this is a checkout\n")
        return 0
    if wrong := parts.differences(files, expected):
        raise Failure("components", "; ".join(wrong))
    sys.stdout.write("all are what the manifest says\n")
    return 0
