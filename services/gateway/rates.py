"""Token buckets: so many requests a second each, and a burst."""

from collections import OrderedDict

import msgspec

from contracts.envelope import Micros
from services.gateway.problems import DoorReason, Refused

_SECOND_US = 1_000_000
_BUCKETS_MAX = 50_000


class Rate(msgspec.Struct, frozen=True):
    per_second: int
    burst: int


PLAYER = Rate(10, 40)
OPERATOR = Rate(200, 400)
ADDRESS = Rate(5, 20)
SUPPORT = Rate(10, 40)


class Buckets:
    """One bucket per name; those not used for longest are forgotten when many are."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._left: OrderedDict[str, tuple[int, Micros]] = OrderedDict()

    def take(self, name: str, now: Micros) -> None:
        """Take one token. Raises Refused with the seconds to wait."""
        room = self.rate.burst * _SECOND_US
        left, at = self._left.pop(name, (room, now))
        left = min(room, left + (now - at) * self.rate.per_second)
        is_empty = left < _SECOND_US
        self._left[name] = (left if is_empty else left - _SECOND_US, now)
        if len(self._left) > _BUCKETS_MAX:
            self._left.popitem(last=False)
        if is_empty:
            raise Refused(DoorReason.TOO_MANY_REQUESTS, retry_s=1)
