"""Verifies the critical components when a service starts, and every day after that."""

import importlib.metadata
import os
import sys
import threading
import time
from pathlib import Path

import msgspec

from blackjack import rule_sets
from push22 import components
from push22.errors import Failure
from runtime import metrics

MANIFEST = "PUSH22_COMPONENTS"
_TOLD_MAX = 10
EVERY_S = 24 * 3600.0


def manifest() -> dict[str, str]:
    """Return what must be here: by $PUSH22_COMPONENTS, else by the wheel's RECORD."""
    given = os.environ.get(MANIFEST)
    if not given:
        return components.recorded()
    try:
        return components.read_lines(Path(given).read_text("utf-8"))
    except (OSError, UnicodeError, components.UnreadableManifest) as error:
        raise Failure(given, f"no manifest of components: {error}", 2) from error


def begin(name: str, every_s: float = EVERY_S) -> threading.Event:
    """Say what software this is, and look again every day until the event is set.

    A file that is not as it should be ends the start. Found later it is told, in the
    log and as a metric: nobody's round is broken off for it. Raises Failure.
    """
    expected = manifest()
    files = components.present()
    wrong = components.differences(files, expected) if expected else []
    if wrong:
        more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        raise Failure("components", f"{wrong[0]}{more}: see push22 components")
    version = importlib.metadata.version("push22")
    digest = components.build_digest(files)
    metrics.tell_build(version, digest)
    for rules in rule_sets.RULE_SETS.values():
        metrics.RULES.labels(rules.id, rule_sets.digest(rules)).set(1)
    against = "manifest" if expected else "nothing: this is a checkout"
    _tell("build", service=name, version=version, digest=digest, against=against)
    # A checkout is held to what it was at the start.
    stop = threading.Event()
    known = expected or files
    arguments = (known, every_s, stop)
    threading.Thread(target=_watch, args=arguments, daemon=True).start()
    return stop


def _watch(expected: components.Files, every_s: float, stop: threading.Event) -> None:
    metrics.COMPONENTS_CHECKED.set(time.time())
    while not stop.wait(every_s):
        try:
            wrong = components.differences(components.present(), expected)
        except OSError as error:
            wrong = [str(error)]
        metrics.COMPONENTS_WRONG.set(len(wrong))
        metrics.COMPONENTS_CHECKED.set(time.time())
        if wrong:
            _tell("components are not what they were", files=wrong[:_TOLD_MAX])


def _tell(event: str, **facts: object) -> None:
    """Write a line whatever the level of the log is."""
    line = msgspec.json.encode({"event": event, "at": int(time.time()), **facts})
    sys.stderr.write(line.decode() + "\n")
    sys.stderr.flush()
