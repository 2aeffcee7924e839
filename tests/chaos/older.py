"""Runs `push22` as software that is older than what the logs were written with.

`python tests/chaos/older.py TAG WORDS...`: the event type TAG is not known to it.
"""

import sys

from contracts import catalog
from push22 import __main__ as command_line


def main(tag: str, words: list[str]) -> int:
    """Forget the type before anything that is built on it runs."""
    del catalog.EVENTS[tag], catalog._EVENT_DECODERS[tag]
    return command_line.run(words)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1], sys.argv[2:]))
