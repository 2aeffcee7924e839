"""JSON Schemas of all messages and the AsyncAPI document, made from the catalog.

Pure: gives the text of every file under `contracts/schemas/`; the same catalog gives
the same bytes. `push22 contracts` writes and checks them.
"""

from typing import Any

import msgspec

from contracts.catalog import COMMANDS, EVENTS
from contracts.envelope import Answer, CommandEnvelope, Envelope
from contracts.topics import (
    TOPICS,
    Kind,
    Topic,
    context_of,
    topic_of_command,
    topic_of_event,
)

Json = dict[str, Any]

CONTEXTS = ("settlement", "shoe", "table", "wallet")
ENVELOPES: tuple[type[msgspec.Struct], ...] = (Answer, CommandEnvelope, Envelope)

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
