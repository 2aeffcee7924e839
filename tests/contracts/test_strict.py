"""A command has one reading only, and no bytes can exhaust a decoder (laws 6, 8)."""

import sys

import msgspec
import pytest

from contracts import catalog
from contracts.envelope import Actor, CommandEnvelope
from contracts.strict import NESTING_MAX, NotStrict, check_names, check_nesting
from contracts.wallet import Deposit

DEEP = 100_000


def _command(data: bytes, more: bytes = b"") -> bytes:
    body = catalog.encode(
        CommandEnvelope(
            "c1", "wallet.deposit.v1", 1, Actor("platform", "p"), msgspec.Raw(data)
        )
    )
    return body[:-1] + more + b"}"


GOOD = _command(catalog.encode(Deposit("local.a", "EUR", 5)))


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"a":'])
def test_h9_deep_bytes_are_undecodable_in_every_decoder(opening: bytes) -> None:
    """H9: the limit does not depend on how much stack is left."""
    deep = opening * DEEP
    envelope = catalog.decode_command_envelope(GOOD)
    for decode in (
        lambda: catalog.type_of_command(_command(deep)),
        lambda: catalog.decode_command_envelope(_command(deep)),
        lambda: catalog.decode_envelope(b'{"data":' + deep),
        lambda: catalog.decode_command(
            msgspec.structs.replace(envelope, data=msgspec.Raw(deep))
        ),
    ):
        with pytest.raises(catalog.Undecodable, match="nested deeper"):
            decode()


def test_h9_the_limit_holds_far_down_the_stack() -> None:
    """H9: what a decoder takes at the bottom of the stack, it takes near its end."""
    body = _command(b"[" * 31 + b"]" * 31)

    def from_below(calls: int) -> int:
        if calls:
            return from_below(calls - 1)
        return len(bytes(catalog.decode_command_envelope(body).data))

    assert from_below(sys.getrecursionlimit() - 300) == 62
    with pytest.raises(catalog.Undecodable, match="nested deeper than 32"):
        catalog.decode_command_envelope(_command(b"[" * 32 + b"]" * 32))


def test_brackets_within_strings_nest_nothing() -> None:
    """Only structure counts: escapes and open strings are read as a decoder would."""
    check_nesting(b'{"a":"' + b"[{" * DEEP + b'"}')
    check_nesting(b'{"a":"\\"' + b"[" * DEEP + b'"}')
    check_nesting(b'["\\\\"' + b',["x"]' * DEEP + b"]")
    hidden = b'["' + b"]" * DEEP + b'"' + b",[" * (NESTING_MAX + 1)
    for text in (hidden, b'["\\\\",' + b"[" * (NESTING_MAX + 1)):
        with pytest.raises(NotStrict):
            check_nesting(text)


@pytest.mark.parametrize(
    "body",
    [
        _command(b"{}", b',"data":{}'),
        _command(b"{}", b',"d\\u0061ta":{}'),
        _command(b"{}", b',"id":"c2"'),
        _command(b'{"player":"local.a","player":"local.b"}'),
        _command(b'{"options":[{"a":1,"a":1}]}'),
    ],
)
def test_law_6_a_name_given_twice_is_undecodable(body: bytes) -> None:
    """Law 6: what is recorded raw means the same to whoever reads it later."""
    with pytest.raises(catalog.Undecodable, match="two values"):
        catalog.decode_command_envelope(body)


def test_the_same_name_in_two_objects_is_no_repeat() -> None:
    """An ordinary command repeats `type` in its data, and spaces change nothing."""
    spaced = msgspec.json.format(GOOD, indent=2)
    check_names(spaced)
    assert catalog.decode_command_envelope(GOOD).id == "c1"
    assert catalog.decode_command_envelope(spaced).type == "wallet.deposit.v1"
