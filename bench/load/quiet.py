"""Waits for a machine that does nothing else, before anything is measured on it."""

import os
import sys
import time
from collections.abc import Callable

QUIET = 0.5
"""A machine is taken to be quiet where no more of its cores were busy just before."""

WAIT_S = 120.0
"""What installed packages just before is out of a minute's average by then."""

_LOOK_S = 5.0


def load_average() -> float:
    """Return how many cores were busy in the last minute, about."""
    return os.getloadavg()[0]


def tell(line: str) -> None:
    """Print at once, also into a pipe: somebody waits."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def became_quiet(
    load: Callable[[], float] = load_average,
    sleep: Callable[[float], None] = time.sleep,
    say: Callable[[str], None] = tell,
) -> bool:
    """Wait two minutes at most; tell whether the machine is quiet, and say so."""
    now = load()
    if now <= QUIET:
        return True
    say(f"load average {now:.2f} is over {QUIET}: waiting up to {WAIT_S:g} s for quiet")
    waited = 0.0
    while now > QUIET and waited < WAIT_S:
        sleep(_LOOK_S)
        waited += _LOOK_S
        now = load()
    if now <= QUIET:
        say(f"quiet after {waited:g} s")
        return True
    say(f"other work runs, load average {now:.2f}: the costs will be PRELIMINARY")
    return False
