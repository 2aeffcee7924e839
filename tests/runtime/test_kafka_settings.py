"""The settings under which the client libraries lose nothing."""

import ast
from pathlib import Path

import pytest

from runtime.kafka_settings import KafkaSettings

SOURCES = sorted(Path("runtime").glob("*.py")) + sorted(Path("push22").rglob("*.py"))


def keywords(name: str) -> list[ast.expr]:
    """Find every value that is given under a name, anywhere in the code."""
    return [
        keyword.value
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == name
    ]


def test_no_subscriber_has_several_workers() -> None:
    """More than one loses the order within a partition (case 13)."""
    assert keywords("max_workers") == []


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("acks", "all"),
        ("enable_idempotence", True),
        ("allow_auto_create_topics", False),
        ("auto_offset_reset", "earliest"),
        ("enable_auto_commit", False),
    ],
)
def test_no_client_has_a_default_that_loses_messages(name: str, safe: object) -> None:
    """Each is given, and never another value."""
    found = keywords(name)

    assert found
    assert {ast.literal_eval(value) for value in found} == {safe}


def test_the_environment_says_how_kafka_is_reached() -> None:
    """Plain, with a password, and without an address: a clear error."""
    plain = KafkaSettings.from_environment({"PUSH22_KAFKA": "a:1,b:2"})
    secret = KafkaSettings.from_environment(
        {
            "PUSH22_KAFKA": "a:1",
            "PUSH22_KAFKA_USERNAME": "shoe",
            "PUSH22_KAFKA_PASSWORD": "word",
        }
    )

    assert plain.client() == {
        "bootstrap_servers": ["a:1", "b:2"],
        "security_protocol": "PLAINTEXT",
    }
    assert secret.client()["sasl_mechanism"] == "SCRAM-SHA-512"
    assert secret.client()["security_protocol"] == "SASL_PLAINTEXT"
    with pytest.raises(ValueError, match="PUSH22_KAFKA"):
        KafkaSettings.from_environment({})
