"""What a round costs, as it was measured: the one input of the capacity model.

A round is one box played to its end. Every name ends with its unit; a `core` is one
core of the machine that is named in `measured`, busy for all of a second. A batch is
what a process takes from Kafka at once; of PostgreSQL it is an append, and of Kafka a
batch that somebody took.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, Final

import msgspec

from contracts.strict import check_names, check_nesting
from contracts.topics import BY_NAME
from push22.load.settings import HEARER

Amount = Annotated[float, msgspec.Meta(ge=0, le=1e15)]
Text = Annotated[str, msgspec.Meta(min_length=1)]


class Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A name that is misspelt is refused, never passed over."""


class Measured(Strict, frozen=True):
    """Where and when: `machine` as a load report tells it, `sections` by which command.

    `is_preliminary`: other work ran on the machine meanwhile, and figures are wrong.
    `unresolved`: processes whose time for a round was not told from that for a batch.
    """

    made_at: Text
    commit: Text
    machine: dict[str, str]
    sections: dict[str, Text]
    is_preliminary: bool = False
    unresolved: tuple[Text, ...] = ()


class ProcessCost(Strict, frozen=True):
    """Processor time: idle, what a batch adds that holds anything, and what a round.

    `idle_cores`: of a casino that nobody plays in, with its `idle_batches_per_s`.
    `batches_per_round`: beyond those, at the lowest rate, where next to none waits for
    another: with load a round comes in fewer.
    """

    cpu_ms_per_batch: Amount
    cpu_ms_per_round: Amount
    idle_cores: Amount
    batches_per_round: Amount
    idle_batches_per_s: Amount
    rss_mib: Amount


class LogCost(Strict, frozen=True):
    """A log in PostgreSQL. `disk`: rows and indices; `beside`: what passes."""

    records_per_round: Amount
    body_bytes_per_round: Amount
    disk_bytes_per_round: Amount
    beside_bytes_per_round: Amount


class TopicCost(Strict, frozen=True):
    """One copy of a topic in Kafka. Idle: beacons of silent partitions, checkpoints."""

    bytes_per_round: Amount
    idle_bytes_per_s: Amount
    records_per_round: Amount
    batches_per_round: Amount


class Flow(Strict, frozen=True):
    """What comes with each round, and what comes without any."""

    per_round: Amount
    idle_per_s: Amount


class Commits(Strict, frozen=True):
    """Of the database: what appends come with, what rounds do, and what is idle."""

    per_append: Amount
    per_round: Amount
    idle_per_s: Amount


class Hop(Strict, frozen=True):
    """How long records are under way: `share` of them for no longer than this."""

    up_to_ms: Amount
    share: Annotated[float, msgspec.Meta(ge=0, le=1)]


class Door(Strict, frozen=True):
    """What players cost at the gateway who look on, or do nothing at all."""

    watcher_us_per_event: Amount
    idle_player_kib: Amount


class Point(Strict, frozen=True):
    """One measured rate, to check the model by; `cores` busy and batches by process."""

    rounds_per_s: Amount
    closed_per_s: Amount
    action_p50_ms: Amount
    action_p99_ms: Amount
    share: Amount
    cores: dict[str, Amount]
    batches_per_s: dict[str, Amount]


class Costs(Strict, frozen=True):
    """`actions_per_round`: what a player sends after the bet.

    `hops`: at the lowest rate, from commits to handling by other services; may be none.
    """

    measured: Measured
    actions_per_round: Amount
    archive_bytes: Flow
    wal_bytes: Flow
    commits: Commits
    door: Door
    processes: dict[str, ProcessCost]
    logs: dict[str, LogCost]
    topics: dict[str, TopicCost]
    hops: tuple[Hop, ...]
    points: tuple[Point, ...]


class Malformed(msgspec.Struct, frozen=True):
    """Why a file is no costs: where in it, and what is wrong there."""

    place: str
    reason: str


LOGGED: Final = ("shoe", "table-orchestrator", "settlement", "wallet", "desk")
ARCHIVE: Final = "archive"
GATEWAY: Final = "gateway"
KAFKA: Final = "kafka"
POSTGRES: Final = "postgres"
PROCESSES: Final = (*LOGGED, ARCHIVE, GATEWAY, HEARER, KAFKA, POSTGRES)

_CPU_MS_MIN: Final = 1e-4
_CPU_MS_MAX: Final = 1e5
_PER_ROUND_MAX: Final = 1e4

_KEYED: Final[dict[str, type]] = {
    "processes": ProcessCost,
    "logs": LogCost,
    "topics": TopicCost,
}


def read_costs(data: bytes) -> Costs | Malformed:
    """Decode and check a costs file."""
    try:
        check_nesting(data)
        check_names(data)
        raw = msgspec.json.decode(data)
    except (ValueError, msgspec.DecodeError) as error:
        return Malformed("the file", f"is no JSON: {error}")
    wrong = _wrong_entry(raw) if isinstance(raw, Mapping) else None
    if wrong is not None:
        return wrong
    try:
        costs = msgspec.convert(raw, Costs)
    except msgspec.ValidationError as error:
        return _malformed(error)
    return _missing(costs) or _impossible(costs) or costs


def written(costs: Costs) -> bytes:
    """Encode as the file has it."""
    return msgspec.json.format(msgspec.json.encode(costs), indent=1) + b"\n"


def _wrong_entry(raw: Mapping[str, Any]) -> Malformed | None:
    """Check what stands under names of ours: msgspec would not say under which."""
    for section, kind in _KEYED.items():
        found = raw.get(section)
        for name, value in found.items() if isinstance(found, Mapping) else ():
            try:
                msgspec.convert(value, kind)
            except msgspec.ValidationError as error:
                return _malformed(error, f"{section}.{name}")
    return None


def _malformed(error: msgspec.ValidationError, within: str = "") -> Malformed:
    reason, _, path = str(error).partition(" - at `$")
    place = within + path.rstrip("`")
    return Malformed(place.removeprefix(".") or "the file", reason)


def _missing(costs: Costs) -> Malformed | None:
    for name in PROCESSES:
        if name not in costs.processes:
            return Malformed(f"processes.{name}", "is missing")
    for name in LOGGED:
        if name not in costs.logs:
            return Malformed(f"logs.{name}", "is missing")
    if not costs.topics:
        return Malformed("topics", "none is there")
    return None


def _impossible(costs: Costs) -> Malformed | None:
    """Name what nothing can be reckoned from: free processes, strange topics."""
    for name in costs.topics:
        if name not in BY_NAME:
            return Malformed(f"topics.{name}", "is no topic of ours")
    for name, cost in costs.processes.items():
        cpu_ms = cost.cpu_ms_per_batch + cost.cpu_ms_per_round
        if not _CPU_MS_MIN <= cpu_ms <= _CPU_MS_MAX:
            text = f"takes {cpu_ms:g} ms: {_CPU_MS_MIN:g} to {_CPU_MS_MAX:g} can be"
            return Malformed(f"processes.{name}.cpu_ms_per_round", text)
        if cost.batches_per_round > _PER_ROUND_MAX:
            place = f"processes.{name}.batches_per_round"
            return Malformed(place, f"is above {_PER_ROUND_MAX:g}")
    if costs.actions_per_round > _PER_ROUND_MAX:
        return Malformed("actions_per_round", f"is above {_PER_ROUND_MAX:g}")
    for number, (before, hop) in enumerate(pairwise(costs.hops), 1):
        if hop.up_to_ms <= before.up_to_ms or hop.share < before.share:
            return Malformed(f"hops[{number}]", "does not go on from the one before")
    return None
