"""How full batches are, in closed form: the more a process has to do, the fuller."""

from math import exp, log1p

_CLOSE = 1e-12
_STEPS = 60
_FULL = 1 - 1e-9
_GOLDEN = (5**0.5 - 1) / 2


def lambert(x: float) -> float:
    """Return the w of at least 0 for which w exp(w) = x, by Newton's way from above."""
    w = log1p(x)
    for _ in range(_STEPS):
        step = (w * exp(w) - x) / (exp(w) * (w + 1))
        w -= step
        if abs(step) <= _CLOSE * (1 + w):
            break
    return w


def records_a_batch(busy: float) -> float:
    """Return how many are in a batch where a process works such a share; 1 at rest.

    Records come by chance, one by one; whatever waits when a batch begins is in it. Of
    records at the rate `r`, those `r (1 - p)` begin one that come at rest, and after
    each of `b` batches another begins, unless nothing came meanwhile. One takes
    `p / b`, so that `b exp(-r p / b) = r (1 - p)`; with `n = r / b` that is
    `n exp(n p) = 1 / (1 - p)`, and `n p` is Lambert's W of `p / (1 - p)`.

    Where lengths differ from their mean, nothing comes meanwhile more often; where
    several come at once, they fill a batch. So there are no fewer batches here than in
    truth, and what they cost is no less.
    """
    busy = min(max(busy, 0.0), _FULL)
    return lambert(busy / (1 - busy)) / busy if busy > _CLOSE else 1.0


def busy_share(each_record: float, batches: float) -> float:
    """Return the share that a process works, or above 1 where it cannot keep up.

    It is 1 where batches must be so full that it never rests.

    `each_record`: the work of all records in a second. `batches`: that of all batches,
    if each record were one of its own. Fuller batches are less of it: the answer is
    where both agree, and there is one, for work falls with it.
    """
    low, high = each_record, each_record + batches
    if low >= _FULL or batches <= 0:
        return high if batches <= 0 else max(low, 1.0)
    if low + batches / records_a_batch(_FULL) >= _FULL:
        return 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if each_record + batches / records_a_batch(middle) > middle:
            low = middle
        else:
            high = middle
    return high


def busiest(each_record: float, batches: float) -> float:
    """Return the share of its time at which a process begins the most batches.

    Busier, it takes longer for each than what waits for it can make up. There is one
    such share, and it is sought by golden sections.
    """

    def begun(busy: float) -> float:
        work = each_record * records_a_batch(busy) + batches
        return busy / work if work else busy

    low, high = 0.0, _FULL
    for _ in range(_STEPS):
        part = _GOLDEN * (high - low)
        if begun(high - part) < begun(low + part):
            low = high - part
        else:
            high = low + part
    return high
