"""The values whose bytes are kept in contracts/samples, all built by hand.

Full samples set every field; minimal ones leave out whatever may be left out.
Run it (`python -m tests.contracts.sample_values`) to freeze samples of new messages.
"""

from pathlib import Path
from typing import Any

import msgspec

from contracts.base import tag_of
from contracts.catalog import encode
from contracts.envelope import Actor, Cause, CommandEnvelope, Envelope
from tests.contracts import (
    sample_calls,
    sample_commands,
    sample_desk,
    sample_money,
    sample_rounds,
    sample_tables,
)

SAMPLES = Path(__file__).parents[2] / "contracts" / "samples"


def _by_tag(*messages: Any) -> dict[str, Any]:
    found = {tag_of(message): message for message in messages}
    assert len(found) == len(messages), "two samples of one tag"
    return found


EVENTS = _by_tag(
    *sample_rounds.FULL,
    *sample_tables.FULL,
    *sample_money.FULL,
    *sample_calls.FULL,
    *sample_desk.FULL,
)
COMMANDS = _by_tag(*sample_commands.FULL, *sample_calls.COMMANDS, *sample_desk.COMMANDS)
MINIMAL = _by_tag(
    *sample_rounds.MINIMAL,
    *sample_tables.MINIMAL,
    *sample_money.MINIMAL,
    *sample_commands.MINIMAL,
    *sample_calls.MINIMAL,
    *sample_calls.MINIMAL_COMMANDS,
    *sample_desk.MINIMAL,
    *sample_desk.MINIMAL_COMMANDS,
)

_ALICE = Actor("player", "local.alice")
_SWITCH = COMMANDS["table.switch_cards.v1"]
_NOON = 1_764_504_000_000_000

COMMAND_ENVELOPE = CommandEnvelope(
    id="command-12",
    type=tag_of(_SWITCH),
    issued_at=_NOON,
    actor=_ALICE,
    data=msgspec.Raw(encode(_SWITCH)),
    correlation="session-5",
)

ENVELOPE = Envelope(
    id="round-t1-7@14",
    type="table.cards_switched.v1",
    service="table-orchestrator",
    log="log-1",
    partition=3,
    offset=912,
    stream="round-t1-7",
    version=14,
    recorded_at=_NOON + 1500,
    caused_by="command-12",
    correlation="session-5",
    actor=_ALICE,
    data=msgspec.Raw(encode(EVENTS["table.cards_switched.v1"])),
    round_id="round-t1-7",
    cause=Cause(
        kind="command",
        id="command-12",
        now=_NOON + 1200,
        command=msgspec.Raw(encode(COMMAND_ENVELOPE)),
        ambient={"seed": "c2VhbGVk"},
    ),
)

LEAST_ENVELOPE = Envelope(
    id="shoe-t1-3@1",
    type="shoe.shoe_committed.v1",
    service="shoe",
    log="log-1",
    partition=3,
    offset=1,
    stream="shoe-t1-3",
    version=1,
    recorded_at=_NOON,
    caused_by="table-t1@2",
    correlation="session-5",
    actor=Actor("platform", "local"),
    data=msgspec.Raw(encode(MINIMAL["shoe.shoe_committed.v1"])),
)

ENVELOPES = {
    "envelope": ENVELOPE,
    "envelope.min": LEAST_ENVELOPE,
    "command_envelope": COMMAND_ENVELOPE,
}


def all_samples() -> dict[str, Any]:
    """Return every sample under the name of its file, without `.json`."""
    least = {f"{tag}.min": message for tag, message in MINIMAL.items()}
    return {**EVENTS, **COMMANDS, **least, **ENVELOPES}


def freeze() -> None:
    """Write the samples that are not there yet; one that is there never changes."""
    SAMPLES.mkdir(exist_ok=True)
    for name, value in all_samples().items():
        file = SAMPLES / f"{name}.json"
        if not file.exists():
            file.write_bytes(encode(value))


if __name__ == "__main__":
    freeze()
