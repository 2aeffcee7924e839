"""A signature is good for one request, for a short while, with an active key."""

import base64
from pathlib import Path
from typing import Any

import pytest
from house import OPERATORS, House, house
from msgspec.structs import replace

from contracts.signature import Signed, signature_of, text_of
from services.gateway.problems import Refused
from services.gateway.signing import (
    OperatorsError,
    Signatures,
    read_operators,
)

NOW_S = 1_789_000_000
NOW = NOW_S * 1_000_000
PLAIN = Signed(
    key="acme.k1",
    time=str(NOW_S),
    nonce="b1946ac92492d234",
    signature="",
    method="POST",
    target="/operator/v1/launches",
    idempotency_key="order-17",
    body=b'{"player":"alice","currency":"EUR"}',
)


def signed(**changes: Any) -> Signed:
    """Sign the plain request, then change it."""
    whole = replace(PLAIN, signature=signature_of(PLAIN, b"1" * 32))
    return replace(whole, **changes)


def reason(request: Signed, now: int = NOW) -> str:
    try:
        Signatures(OPERATORS).check(request, now)
    except Refused as refused:
        return refused.problem.reason
    return "accepted"


def test_the_signed_text_is_as_documented() -> None:
    """What the page shows is what is signed, byte for byte."""
    page = Path(__file__).parents[2] / "docs" / "gateway.md"
    shown = page.read_text().partition("```\npush22-v1")[2].partition("\n```")[0]

    assert text_of(PLAIN).decode() == f"push22-v1{shown}"


def test_a_known_signature() -> None:
    """A vector that `openssl dgst -sha256 -hmac` gives as well."""
    assert signature_of(PLAIN, b"1" * 32) == (
        "8f5f4b144102cf9b9f8eaf8e58005083490208613a1696071caa357441d41a93"
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"body": b"{}"},
        {"method": "PUT"},
        {"target": "/operator/v1/launches?x=1"},
        {"time": str(NOW_S + 1)},
        {"nonce": "b1946ac92492d235"},
        {"idempotency_key": "order-18"},
        {"idempotency_key": ""},
        {"key": "acme.k2"},
        {"key": "rival.k1"},
        {"key": "nobody.k1"},
        {"signature": ""},
        {"signature": "é"},
        {"nonce": "short"},
        {"time": "now"},
        {"time": "-1"},
    ],
    ids=str,
)
def test_a_changed_request_is_nobodys(changes: dict[str, Any]) -> None:
    """Not a part of it can be altered."""
    assert reason(signed()) == "accepted"
    assert reason(signed(**changes)) == "unauthenticated"


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(299, "accepted"), (-299, "accepted"), (301, "clock_skew"), (-301, "clock_skew")],
)
def test_a_signature_is_good_for_five_minutes_either_way(
    seconds: int, expected: str
) -> None:
    """Clocks may differ, but not by much."""
    assert reason(signed(), NOW + seconds * 1_000_000) == expected


def test_a_nonce_is_good_once_while_its_time_is_good() -> None:
    """A copy of a request is refused, from one end of the window to the other."""
    signatures = Signatures(OPERATORS)
    signatures.check(signed(), NOW - 299 * 1_000_000)
    for later in (-298, 0, 299):
        with pytest.raises(Refused, match="nonce_used"):
            signatures.check(signed(), NOW + later * 1_000_000)


def test_two_keys_are_active_while_they_are_rotated() -> None:
    """The new one counts before the old one is gone."""
    second = replace(PLAIN, key="acme.k2")
    second = replace(second, signature=signature_of(second, b"2" * 32))

    assert (reason(signed()), reason(second)) == ("accepted", "accepted")


KEY = base64.b64encode(b"1" * 32).decode()
GOOD = f'[acme]\ncurrencies = ["EUR"]\nkeys = {{ k1 = "{KEY}" }}\n'


def test_operators_are_read_from_their_file() -> None:
    """The documented form is what is read."""
    assert read_operators(GOOD)["acme"].keys == {"k1": b"1" * 32}


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("acme", "push22"),
        GOOD.replace("acme", "Acme"),
        GOOD.replace("EUR", "euro"),
        GOOD.replace(KEY, "c2hvcnQ="),
        GOOD.replace(KEY, "no base64!"),
        GOOD + "more = 1\n",
        GOOD.replace("k1 =", f'k0 = "{KEY}", k2 = "{KEY}", k1 ='),
        "[acme\n",
        "acme = 1\n",
        GOOD.replace('"EUR"', ""),
        GOOD.replace(KEY, base64.b64encode(bytes(32)).decode()),
        "a = " + "[" * 5000 + "]" * 5000,
        "a = " + "9" * 10_000,
        b"\xff\x00",
    ],
)
def test_operators_that_cannot_be_meant_are_refused(text: str | bytes) -> None:
    """No short key, no third key, no name of the house's."""
    with pytest.raises(OperatorsError):
        read_operators(text)


async def test_a_repeat_takes_effect_once(tmp_path: Path) -> None:
    """The idempotency key is the command's id, over a restart as well."""
    path = "/operator/v1/players/alice/deposits"
    body = {"currency": "EUR", "amount_minor": 500}

    async def deposit(the: House, **changes: Any) -> Any:
        request = the.signed(
            "POST", path, {**body, **changes}, idempotency_key="dep-0001"
        )
        return await the.http.send(request)

    async with house(tmp_path) as the:
        first, again = await deposit(the), await deposit(the)
        other = await deposit(the, amount_minor=501)
        clock = the.clock
    async with house(tmp_path, clock) as the:
        restarted = await deposit(the)
        balance = await the.ask(
            "GET", "/operator/v1/players/alice/balance?currency=EUR"
        )

    assert first.status_code == 201
    assert first.json() == again.json() == restarted.json()
    assert (other.status_code, other.json()["reason"]) == (409, "command_id_reused")
    assert balance["balance_minor"] == 500


async def test_an_operator_has_only_its_currencies(tmp_path: Path) -> None:
    """Nothing is launched or booked in another one."""
    async with house(tmp_path) as the:
        asked = {"player": "alice", "currency": "USD"}
        answer = await the.http.send(the.signed("POST", "/operator/v1/launches", asked))

    assert (answer.status_code, answer.json()["reason"]) == (403, "forbidden")
