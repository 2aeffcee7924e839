"""The published schemas are those of the catalog, and they describe what travels."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from contracts.catalog import COMMANDS, EVENTS
from contracts.schemas import asyncapi, broken_promises, documents
from contracts.topics import TOPICS, context_of
from push22.commands.contracts import FOLDER, contracts
from push22.errors import Failure
from tests.contracts.sample_values import SAMPLES

FILES = sorted(SAMPLES.glob("*.json"))
ENVELOPE_NAMES = ("envelope", "envelope.min", "command_envelope")


def schema_for(sample: Path) -> dict[str, Any]:
    """Find the schema file that a sample has to satisfy."""
    is_envelope = sample.stem in ENVELOPE_NAMES
    name = "envelopes" if is_envelope else context_of(sample.stem)
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_bytes())
    return found


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "$ref":
                yield item
            else:
                yield from references(item)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def resolved(document: Any, reference: str) -> Any:
    assert reference.startswith("#/"), f"{reference} leads out of the document"
    for step in reference.removeprefix("#/").split("/"):
        document = document[step]
    return document


def encoded(document: Any) -> bytes:
    return json.dumps(document).encode()


def fields(document: Any, name: str) -> Any:
    return document["$defs"][name]["properties"]


Change = Callable[[Any], Any]

BREAKING: dict[str, tuple[Change, list[str]]] = {
    "a field is removed": (
        lambda document: fields(document, "Deposit").pop("reference"),
        ["wallet.deposit.v1.reference removed"],
    ),
    "a field is of another type": (
        lambda document: fields(document, "Deposit").update(
            amount_minor={"type": "number"}
        ),
        ["wallet.deposit.v1.amount_minor changed"],
    ),
    "a field may be of one more type": (
        lambda document: fields(document, "Deposit").update(
            amount_minor={"anyOf": [{"type": "integer"}, {"type": "string"}]}
        ),
        ["wallet.deposit.v1.amount_minor changed"],
    ),
    "another value is meant where none is sent": (
        lambda document: fields(document, "Deposit")["reference"].update(default="-"),
        ["wallet.deposit.v1.reference changed"],
    ),
    "a new field is required": (
        lambda document: document["$defs"]["Deposit"]["required"].append("note"),
        ["wallet.deposit.v1 changed"],
    ),
    "a reason has another name": (
        lambda document: document["$defs"]["WalletReason"]["enum"].sort(reverse=True),
        [
            "wallet.correction_refused.v1.reason changed",
            "wallet.funds_refused.v1.reason changed",
        ],
    ),
    "a part of several messages loses a field": (
        lambda document: fields(document, "Transfer").pop("debit"),
        [
            "wallet.call_ended.v1.transfer.debit removed",
            "wallet.correction_posted.v1.transfer.debit removed",
            "wallet.deposited.v1.transfer.debit removed",
            "wallet.funds_reserved.v1.returned.debit removed",
            "wallet.funds_reserved.v1.transfer.debit removed",
            "wallet.payouts_posted.v1.transfers.debit removed",
            "wallet.reservation_cancelled.v1.transfer.debit removed",
            "wallet.withdrawn.v1.transfer.debit removed",
        ],
    ),
    "a message is removed": (
        lambda document: document["oneOf"].remove({"$ref": "#/$defs/Deposit"}),
        ["wallet.deposit.v1 removed"],
    ),
}

HARMLESS: dict[str, Change] = {
    "a new optional field": lambda document: fields(document, "Deposit").update(
        note={"type": "string", "default": ""}
    ),
    "a new optional field of a part": lambda document: fields(
        document, "Transfer"
    ).update(note={"type": "string", "default": ""}),
    "other words": lambda document: document["$defs"]["Transfer"].update(
        title="Booking", description="Money that moves."
    ),
}


def test_the_schema_files_are_those_of_the_catalog() -> None:
    """Whoever changes a message changes its schema in the same commit."""
    assert documents() == {file.name: file.read_bytes() for file in FOLDER.iterdir()}


def test_schemas_are_the_same_each_time() -> None:
    """A second generation gives the same bytes."""
    assert documents() == documents()


@pytest.mark.parametrize("name", documents())
def test_every_reference_leads_somewhere(name: str) -> None:
    """No schema points at what is not in the same document."""
    document = json.loads(documents()[name])

    for reference in references(document):
        assert resolved(document, reference) is not None


@pytest.mark.parametrize("sample", FILES, ids=lambda file: file.stem)
def test_a_sample_satisfies_exactly_one_schema(sample: Path) -> None:
    """Who reads by the schema alone accepts what we publish, and knows its type."""
    validator = jsonschema.Draft202012Validator(schema_for(sample))

    validator.validate(json.loads(sample.read_bytes()))


@pytest.mark.parametrize("tag", COMMANDS)
def test_a_misspelt_command_fails_its_schema(tag: str) -> None:
    """The schema is as strict about commands as the decoder is."""
    sample = SAMPLES / f"{tag}.json"
    misspelt = {**json.loads(sample.read_bytes()), "no_such_field": 1}

    assert not jsonschema.Draft202012Validator(schema_for(sample)).is_valid(misspelt)


def test_a_schema_breaks_no_promise_of_its_own() -> None:
    """Generating the same schemas again takes nothing back."""
    assert not any(broken_promises(text, text) for text in documents().values())


@pytest.mark.parametrize("change", BREAKING)
def test_a_change_of_what_was_published_is_named(change: str) -> None:
    """Removed, retyped, new required: each is named with the message and field."""
    change_it, expected = BREAKING[change]
    document = json.loads(documents()["wallet.json"])
    change_it(document)

    broken = broken_promises(documents()["wallet.json"], encoded(document))

    assert broken == expected


@pytest.mark.parametrize("change", HARMLESS)
def test_a_harmless_change_breaks_no_promise(change: str) -> None:
    """A new optional field, a new message and other words are fine."""
    document = json.loads(documents()["wallet.json"])
    HARMLESS[change](document)

    assert broken_promises(documents()["wallet.json"], encoded(document)) == []


def test_each_channel_is_a_topic() -> None:
    """The AsyncAPI document names all topics with their partitions."""
    channels = asyncapi()["channels"]

    assert {topic.name: topic.partitions for topic in TOPICS} == {
        name: channel["bindings"]["kafka"]["partitions"]
        for name, channel in channels.items()
    }


def test_each_message_travels_in_exactly_one_channel() -> None:
    """Every event and command of the catalog has its channel, and one only."""
    channels = asyncapi()["channels"].values()
    carried = [tag for channel in channels for tag in channel["messages"]]

    assert sorted(carried) == sorted([*EVENTS, *COMMANDS])


@pytest.mark.parametrize("name", ENVELOPE_NAMES)
def test_a_record_satisfies_its_asyncapi_payload(name: str) -> None:
    """The whole record as it travels is what the document promises."""
    document = json.loads(documents()["asyncapi.json"])
    record = json.loads((SAMPLES / f"{name}.json").read_bytes())
    message = document["components"]["messages"][record["type"]]
    schema = {**message["payload"], "components": document["components"]}

    jsonschema.Draft202012Validator(schema).validate(record)


def test_a_record_with_another_payload_fails_its_asyncapi_message() -> None:
    """A payload of another type than the envelope says is seen."""
    document = json.loads(documents()["asyncapi.json"])
    record = json.loads((SAMPLES / "envelope.json").read_bytes())
    message = document["components"]["messages"]["table.cards_kept.v1"]
    schema = {**message["payload"], "components": document["components"]}

    assert not jsonschema.Draft202012Validator(schema).is_valid(record)


def test_the_command_writes_what_it_then_finds_right(tmp_path: Path) -> None:
    """Freshly written files pass the check, strays being gone."""
    (tmp_path / "stray.json").write_text("{}")

    assert contracts(out=tmp_path) == 0
    assert contracts(check=True, out=tmp_path) == 0
    assert {file.name for file in tmp_path.iterdir()} == set(documents())


def test_the_command_names_the_files_that_differ(tmp_path: Path) -> None:
    """A changed, a missing and a stray file are named, and nothing is written."""
    contracts(out=tmp_path)
    (tmp_path / "shoe.json").write_text("{}")
    (tmp_path / "table.json").unlink()
    (tmp_path / "stray.json").write_text("{}")

    with pytest.raises(Failure, match=r"shoe\.json, stray\.json, table\.json"):
        contracts(check=True, out=tmp_path)

    assert (tmp_path / "shoe.json").read_text() == "{}"


def test_the_command_takes_no_promise_back(tmp_path: Path) -> None:
    """What was published is not overwritten by something that breaks it."""
    published = json.loads(documents()["wallet.json"])
    fields(published, "Deposit")["once_published"] = {"type": "string"}
    (tmp_path / "wallet.json").write_bytes(encoded(published))

    with pytest.raises(Failure, match=r"wallet\.deposit\.v1\.once_published removed"):
        contracts(out=tmp_path)

    assert [file.name for file in tmp_path.iterdir()] == ["wallet.json"]
    assert (tmp_path / "wallet.json").read_bytes() == encoded(published)
