"""Every message ever published can be read for ever, and is written the same way."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from contracts import catalog, settlement, table, wallet
from contracts.base import Event, tag_of
from tests.contracts.sample_values import (
    COMMANDS,
    ENVELOPES,
    EVENTS,
    MINIMAL,
    SAMPLES,
    all_samples,
)

FILES = sorted(SAMPLES.glob("*.json"))
PAST = sorted((SAMPLES / "past").glob("*.json"))
"""Full samples of before a field was added: `<tag>.<n>.json`."""

KINDS = {
    **catalog.EVENTS,
    **catalog.COMMANDS,
    **{name.partition(".")[0]: type(value) for name, value in ENVELOPES.items()},
}


def kind_of(name: str) -> type[Any]:
    return KINDS[name.removesuffix(".min")]


def has_optional_parts(kind: type[Any]) -> bool:
    return any(not field.required for field in msgspec.structs.fields(kind))


def structs_in(value: Any) -> Iterator[msgspec.Struct]:
    """Find the value and every struct that is a part of it."""
    if isinstance(value, msgspec.Struct):
        yield value
        for name in value.__struct_fields__:
            yield from structs_in(getattr(value, name))
    elif isinstance(value, tuple):
        for item in value:
            yield from structs_in(item)


def left_out(value: msgspec.Struct) -> set[str]:
    """Name the fields that have their default and so are not in the bytes."""
    return set(value.__struct_fields__) - set(
        msgspec.json.decode(catalog.encode(value))
    )


def test_every_message_of_the_catalog_has_a_sample() -> None:
    """No event and no command goes without a full sample."""
    assert set(EVENTS) == set(catalog.EVENTS)
    assert set(COMMANDS) == set(catalog.COMMANDS)


def test_messages_with_optional_parts_have_a_minimal_sample() -> None:
    """Whatever may be left out is also shown left out."""
    messages = {**catalog.EVENTS, **catalog.COMMANDS}
    optional = {tag for tag, kind in messages.items() if has_optional_parts(kind)}

    assert optional <= set(MINIMAL)


def test_the_sample_files_are_exactly_the_known_ones() -> None:
    """No sample is missing and none lies about that nobody checks."""
    assert {f"{name}.json" for name in all_samples()} == {file.name for file in FILES}


@pytest.mark.parametrize("name", all_samples())
def test_a_sample_is_encoded_to_its_frozen_bytes(name: str) -> None:
    """The value built by hand gives, byte for byte, what was once published."""
    frozen = (SAMPLES / f"{name}.json").read_bytes()

    assert frozen == catalog.encode(all_samples()[name])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_frozen_bytes_decode_to_the_value_they_were(file: Path) -> None:
    """Strict decoding of a published sample gives the value and the bytes back."""
    decoder = msgspec.json.Decoder(kind_of(file.stem), strict=True)
    frozen = file.read_bytes()

    decoded = decoder.decode(frozen)

    assert all_samples()[file.stem] == decoded
    assert frozen == catalog.encode(decoded)


@pytest.mark.parametrize("file", PAST, ids=lambda file: file.stem)
def test_what_was_published_before_a_field_was_added_is_read(file: Path) -> None:
    """Bytes of an older writer decode, and are written back as they were."""
    tag = file.stem.rpartition(".")[0]
    frozen = file.read_bytes()

    decoded = msgspec.json.Decoder(KINDS[tag], strict=True).decode(frozen)

    assert frozen == catalog.encode(decoded)


@pytest.mark.parametrize("tag", [*EVENTS, *COMMANDS])
def test_a_full_sample_sets_every_field(tag: str) -> None:
    """A field at its default would be absent from the bytes and so not guarded."""
    message = {**EVENTS, **COMMANDS}[tag]

    assert left_out(message) == set()


def test_every_part_of_a_message_is_seen_with_every_field() -> None:
    """Each kind of part stands in some sample with nothing left out."""
    missing: dict[str, set[str]] = {}
    for message in [*EVENTS.values(), *COMMANDS.values(), *ENVELOPES.values()]:
        for part in structs_in(message):
            name = type(part).__name__
            missing[name] = missing.get(name, left_out(part)) & left_out(part)

    assert {name: fields for name, fields in missing.items() if fields} == {}


@pytest.mark.parametrize("tag", catalog.COMMANDS)
def test_a_command_with_an_unknown_field_is_refused(tag: str) -> None:
    """A misspelt option is never silently ignored."""
    frozen = (SAMPLES / f"{tag}.json").read_bytes()
    misspelt = frozen.replace(b"{", b'{"no_such_field":1,', 1)

    with pytest.raises(msgspec.ValidationError, match="no_such_field"):
        msgspec.json.decode(misspelt, type=catalog.COMMANDS[tag])


@pytest.mark.parametrize("tag", catalog.EVENTS)
def test_an_event_with_an_unknown_field_is_read(tag: str) -> None:
    """An old reader survives a newer writer."""
    frozen = (SAMPLES / f"{tag}.json").read_bytes()
    newer = frozen.replace(b"{", b'{"no_such_field":1,', 1)

    assert EVENTS[tag] == msgspec.json.decode(newer, type=catalog.EVENTS[tag])


def test_a_sample_would_show_a_removed_field() -> None:
    """Without one of its fields a message no longer gives the frozen bytes."""

    class Shorter(Event, frozen=True, tag="settlement.void_refused.v1"):
        round_id: str
        part: int

    frozen = (SAMPLES / "settlement.void_refused.v1.json").read_bytes()
    decoded = msgspec.json.decode(frozen, type=Shorter)

    assert tag_of(settlement.VoidRefused) == tag_of(Shorter)
    assert frozen != catalog.encode(decoded)


def test_a_sample_would_show_a_retyped_field() -> None:
    """With another type of one field the frozen bytes do not decode."""

    class Retyped(wallet.Deposit, frozen=True, tag="wallet.deposit.v1"):
        amount_minor: str  # type: ignore[assignment]

    frozen = (SAMPLES / "wallet.deposit.v1.json").read_bytes()

    with pytest.raises(msgspec.ValidationError, match="amount_minor"):
        msgspec.json.decode(frozen, type=Retyped)


def test_a_sample_would_show_a_new_required_field() -> None:
    """What every reader must have cannot be added without a new version."""

    class Longer(table.VoidRound, frozen=True, tag="table.void_round.v1"):
        ordered_by: str

    frozen = (SAMPLES / "table.void_round.v1.json").read_bytes()

    with pytest.raises(msgspec.ValidationError, match="ordered_by"):
        msgspec.json.decode(frozen, type=Longer)
