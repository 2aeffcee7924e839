"""What the door costs: actions over HTTP, idle sockets, and how soon watchers hear.

Give the parts to be measured, or none for all: idle, actions, watchers.
"""

import sys

from bench.door.actions import actions
from bench.door.idle import idle
from bench.door.watchers import watchers
from push22.event_loop import run

_PARTS = {"idle": idle, "actions": actions, "watchers": watchers}
"""Memory first: what the others leave behind would count as well."""


def main() -> None:
    for part in sys.argv[1:] or _PARTS:
        run(_PARTS[part](), speaks_kafka=False)


if __name__ == "__main__":
    main()
