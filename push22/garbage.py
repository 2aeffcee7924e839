"""How seldom a process that works for long looks for garbage.

Nearly everything dies by its count of references. The collector looks for rings among
what was made since, and each time it looks wider it walks over all that there is: the
rule book, every route and its documents, none of which ever dies.
"""

import gc

YOUNG_MAX = 10_000
"""So many new objects are looked at at once: less than a millisecond."""


def keep_what_stands() -> None:
    """Take what was made to start out of every later look for garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_MAX, 10, 10)
