"""Evidence packs as the gateway makes them: a few at a time, from the logs' file."""

from pathlib import Path
from threading import BoundedSemaphore

from push22.checkpoints.keys import SigningKeys
from push22.errors import Failure
from push22.evidence.gather import StillInPlay
from push22.evidence.pack import Asked, make_pack
from push22.inspect.opening import opened
from runtime.ambient import Clock
from services.gateway.packs import PackAsked
from services.gateway.ports import NotAvailable
from services.gateway.problems import DoorReason, Refused

_AT_ONCE = 2
"""Each takes a second of one processor: players come first."""


class FilePacks:
    """Makes packs from a casino's data directory, or a mirror's."""

    def __init__(self, data: Path, clock: Clock) -> None:
        self._data = data
        self._clock = clock
        self._free = BoundedSemaphore(_AT_ONCE)

    def make(self, asked: PackAsked) -> bytes:
        if not self._free.acquire(blocking=False):
            raise NotAvailable("other evidence packs are being made")
        try:
            return self._make(asked)
        except StillInPlay as failure:
            raise Refused(DoorReason.IN_PLAY, failure.reason) from failure
        except Failure as failure:
            if failure.exit_code == _USAGE:
                raise Refused(DoorReason.NOT_FOUND, failure.reason) from failure
            raise NotAvailable(f"{failure.place}: {failure.reason}") from failure
        finally:
            self._free.release()

    def _make(self, asked: PackAsked) -> bytes:
        wanted = Asked(asked.round_id, asked.by, asked.case, asked.note, asked.player)
        keys = SigningKeys(self._data)
        with opened(self._data) as reader:
            return make_pack(reader, wanted, keys, self._clock).zip


_USAGE = 2
"""A command that was told something wrong ends with this."""
