"""JSON Schemas of all messages and the AsyncAPI document, made from the catalog.

Pure: gives the text of every file under `contracts/schemas/`; the same catalog gives
the same bytes. `push22 contracts` writes and checks them.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from contracts.catalog import COMMANDS, EVENTS
from contracts.envelope import Answer, Cause, CommandEnvelope, Envelope
from contracts.topics import (
    TOPICS,
    Kind,
    Topic,
    context_of,
    topic_of_command,
    topic_of_event,
)

Json = dict[str, Any]

CONTEXTS = ("desk", "settlement", "shoe", "table", "wallet")


def _as_shown(kind: type[msgspec.Struct], name: str, as_type: Any) -> Any:
    """Copy a struct with another type for one field, whose default becomes null.

    msgspec cannot write down a default that is raw bytes, as the cause's command is.
    """
    fields: list[Any] = []
    for field in msgspec.structs.fields(kind):
        if field.name == name:
            fields.append((name, as_type, None))
        elif field.required:
            fields.append((field.name, field.type))
        elif field.default is msgspec.NODEFAULT:
            made = msgspec.field(default_factory=field.default_factory)
            fields.append((field.name, field.type, made))
        else:
            fields.append((field.name, field.type, field.default))
    return msgspec.defstruct(
        kind.__name__, fields, namespace={"__doc__": kind.__doc__}, frozen=True
    )


_CAUSE = _as_shown(Cause, "command", Any)
ENVELOPES = (Answer, CommandEnvelope, _as_shown(Envelope, "cause", _CAUSE | None))

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_HEADERS = {
    "type": "object",
    "properties": {
        name: {"type": "string"}
        for name in ("ce_id", "ce_source", "ce_subject", "ce_time", "ce_type")
    },
    "required": ["ce_id", "ce_type"],
}


def documents() -> dict[str, bytes]:
    """Return the name and the text of every schema file."""
    found = {f"{context}.json": _context_schema(context) for context in CONTEXTS}
    found["envelopes.json"] = _schema("Envelopes of records and commands", ENVELOPES)
    found["asyncapi.json"] = asyncapi()
    return {name: _text(document) for name, document in found.items()}


def _text(document: Json) -> bytes:
    body = msgspec.json.encode(document, order="sorted")
    return msgspec.json.format(body, indent=2) + b"\n"


def _context_schema(context: str) -> Json:
    kinds = {**EVENTS, **COMMANDS}
    mine = tuple(kinds[tag] for tag in sorted(kinds) if context_of(tag) == context)
    return _schema(f"Commands and events of {context}", mine)


def _schema(title: str, kinds: tuple[type[Any], ...]) -> Json:
    schemas, parts = msgspec.json.schema_components(
        kinds, ref_template="#/$defs/{name}"
    )
    return {
        "$schema": _DIALECT,
        "title": title,
        "oneOf": list(schemas),
        "$defs": parts,
    }


def broken_promises(published: bytes, due: bytes) -> list[str]:
    """Name what a schema file takes back of what was published.

    A new optional field is fine; anything else is a new version of the message, for
    somebody reads by the published schema. Nothing published, nothing promised.
    """
    if not published:
        return []
    old, new = _shapes(published), _shapes(due)
    broken = {f"{tag} removed" for tag in old.keys() - new.keys()}
    for tag in old.keys() & new.keys():
        broken |= set(_changes(old[tag], new[tag], tag))
    return sorted(broken)


def _shapes(text: bytes) -> Json:
    """Return each message's schema under its tag, all of its parts put in."""
    document = msgspec.json.decode(text)
    shapes = {}
    for entry in document.get("oneOf", ()):
        shape = _spelt_out(entry, document["$defs"])
        name = entry["$ref"].rpartition("/")[2]
        shapes[shape["properties"].get("type", {}).get("enum", [name])[0]] = shape
    return shapes


def _spelt_out(value: Any, parts: Json) -> Any:
    """Put parts in the place of references and leave out what only people read."""
    if isinstance(value, list):
        return [_spelt_out(item, parts) for item in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        rest = {key: item for key, item in value.items() if key != "$ref"}
        return _spelt_out({**parts[value["$ref"].rpartition("/")[2]], **rest}, parts)
    return {
        key: _spelt_out(item, parts)
        for key, item in value.items()
        if not (key in ("title", "description") and isinstance(item, str))
    }


def _changes(old: Any, new: Any, place: str) -> Iterator[str]:
    """Find what differs, but for fields that are only in the new shape.

    A new field that is required shows in `required`, which has to stay as it is.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        for key in (old.keys() | new.keys()) - {"properties"}:
            yield from _changes(old.get(key), new.get(key), place)
        fields, now = old.get("properties", {}), new.get("properties", {})
        yield from (f"{place}.{name} removed" for name in fields.keys() - now.keys())
        for name in fields.keys() & now.keys():
            yield from _changes(fields[name], now[name], f"{place}.{name}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for before, after in zip(old, new, strict=True):
            yield from _changes(before, after, place)
    elif (type(old), old) != (type(new), new):
        yield f"{place} changed"


def asyncapi() -> Json:
    """Return the AsyncAPI 3.0 document: topics, who writes them, and what is there."""
    kinds = {**EVENTS, **COMMANDS}
    tags = sorted(kinds)
    schemas, parts = msgspec.json.schema_components(
        (*ENVELOPES, *(kinds[tag] for tag in tags)),
        ref_template="#/components/schemas/{name}",
    )
    payloads = dict(zip(tags, schemas[len(ENVELOPES) :], strict=True))
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Push22",
            "version": "1",
            "description": "Records and commands of Blackjack Switch tables.",
        },
        "defaultContentType": "application/json",
        "channels": {topic.name: _channel(topic) for topic in TOPICS},
        "operations": {_operation_name(t): _operation(t) for t in TOPICS},
        "components": {
            "messages": {tag: _message(tag, payloads[tag]) for tag in tags},
            "schemas": {**parts, "RecordHeaders": _HEADERS},
        },
    }


def _message(tag: str, payload: Json) -> Json:
    """Describe the envelope around this payload, which is what travels."""
    envelope = "Envelope" if tag in EVENTS else "CommandEnvelope"
    return {
        "name": tag,
        "headers": {"$ref": "#/components/schemas/RecordHeaders"},
        "payload": {
            "allOf": [
                {"$ref": f"#/components/schemas/{envelope}"},
                {"properties": {"type": {"const": tag}, "data": payload}},
            ]
        },
    }


def _tags_of(topic: Topic) -> list[str]:
    events = [tag for tag in EVENTS if topic_of_event(tag) == topic]
    commands = [tag for tag in COMMANDS if topic_of_command(tag) == topic]
    return sorted(events + commands)


def _channel(topic: Topic) -> Json:
    return {
        "address": topic.name,
        "description": f"Keyed by {topic.key}; partitioned by SHA-256 of the key.",
        "messages": {
            tag: {"$ref": f"#/components/messages/{tag}"} for tag in _tags_of(topic)
        },
        "bindings": {
            "kafka": {
                "topic": topic.name,
                "partitions": topic.partitions,
                "topicConfiguration": {
                    "cleanup.policy": ["delete"],
                    "retention.ms": topic.retention_ms,
                },
            }
        },
    }


def _operation_name(topic: Topic) -> str:
    verb = "take" if topic.kind is Kind.COMMANDS else "publish"
    return f"{verb}.{topic.name}"


def _operation(topic: Topic) -> Json:
    taken = topic.kind is Kind.COMMANDS
    return {
        "action": "receive" if taken else "send",
        "summary": f"{topic.service} {'takes' if taken else 'publishes'} these.",
        "channel": {"$ref": f"#/channels/{topic.name}"},
    }
