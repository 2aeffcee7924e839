"""Whether a round can be believed, as support is told (V6)."""

from typing import Literal

import msgspec

from contracts.envelope import Micros
from services.gateway.desk.replay import Gap


class Difference(msgspec.Struct, frozen=True):
    """The first record that is not what its input leads to, beside what it should be.

    Both are left out while cards lie face down.
    """

    record: str
    text: str
    expected: msgspec.Raw | None
    recorded: msgspec.Raw | None
    expected_type: str
    recorded_type: str


class ChainFault(msgspec.Struct, frozen=True):
    """`kind` names the tampering (docs/viewer.md)."""

    kind: str
    offset: int
    text: str


class Chain(msgspec.Struct, frozen=True):
    """A stretch of a log's partition, from before the round's first record on.

    `anchor` says what holds its end: `head`, the log's own row; `link`, only the next
    record's link, for much follows and is not checked here. `own` of its records are
    the round's; `uncovered` of these nobody has signed a checkpoint about yet.
    """

    service: str
    partition: int
    first: int
    last: int
    records: int
    anchor: Literal["head", "link"]
    head: int
    own: int
    uncovered: int
    faults: tuple[ChainFault, ...]


class CheckpointTold(msgspec.Struct, frozen=True, kw_only=True):
    """A signed statement about records `since + 1` to `offset` of a log.

    `own` of them are the round's; none where it is the log's last one. `verdict` is
    `holds`, what is wrong (docs/checkpoints.md), or `not_checked`. The key signed from
    `key_since` on, and until `key_until` unless that is 0.
    """

    service: str
    partition: int
    since: int
    offset: int
    own: int
    made_at: Micros
    fingerprint: str
    key_id: str
    key_since: Micros
    key_until: Micros
    verdict: str
    text: str


class CardProof(msgspec.Struct, frozen=True):
    """A card that left the shoe, and whether its proof leads to the committed root."""

    place: str
    index: int
    order: int
    card: str
    verdict: Literal["proved", "refuted", "face down", "burned"]
    text: str


class RoundVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """MATCH, or what is wrong first.

    `kind` is empty for a match, a chain's fault, a checkpoint's, `decision`,
    `card_proof`, or `gap`. `checked` says in words what was checked here, and what was
    not. `checkpoints` are those over the round's records, and the last of each log.
    """

    round_id: str
    verdict: Literal["MATCH", "DIFFERS"]
    kind: str
    text: str
    decisions: int
    engine: str
    running_engine: str
    difference: Difference | None
    chains: tuple[Chain, ...]
    cards: tuple[CardProof, ...]
    shoe_faults: tuple[str, ...]
    gaps: tuple[Gap, ...]
    checkpoints: tuple[CheckpointTold, ...] = ()
    checked: tuple[str, ...]
    command: str
    """What checks everything, on the machine that has the logs."""
