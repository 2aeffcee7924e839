"""What a service knows of a partition that another instance reads now."""

from typing import Any

import pytest
from postgres_place import Place
from test_shared_deadlines import Nobody
from toys import ECHO, ambient

from runtime import distributed
from runtime.distributed import DistributedHost
from runtime.kafka_records import Beacon


async def test_what_came_before_a_partition_was_taken_away_keeps_nobody_unready(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another instance handles it; here it would be missing for good."""
    # The toys have no topics: all of theirs are routed by one key.
    monkeypatch.setattr(distributed, "topics_of", lambda _: ())
    monkeypatch.setattr(DistributedHost, "_is_foreign", lambda *_: False)
    nobody: Any = Nobody()
    async with place.log() as log:
        made = DistributedHost(
            ECHO, log, ambient(), relay=nobody, puller=nobody, guard=nobody
        )
        await made.start()
        made.hold(frozenset(range(8)))
        await made.tick()
        made.bus.note_beacon(Beacon("toy", "first", 0, 9, b""))
        assert not made.is_ready

        made.hold(frozenset())
        await made.tick()

        assert made.is_ready
