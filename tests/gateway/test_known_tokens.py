"""Tokens that were verified once: what is remembered of them, and what never is."""

from typing import Any

import jwt
import pytest

from services.gateway import tokens as module
from services.gateway.problems import Refused
from services.gateway.tokens import Kind, Pass, Tokens

NOW = 1_789_000_000_000_000
LATER = NOW + 3_600_000_000
KINDS: tuple[Kind, ...] = ("session", "launch")


def bound_to(number: int) -> Pass:
    return Pass(f"acme.p{number}", "EUR", "t1", f"id-{number}", LATER)


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every token whose signature is looked at, in order."""
    seen: list[str] = []
    decode: Any = jwt.decode

    def noted(token: str, *how: Any, **more: Any) -> Any:
        seen.append(token)
        return decode(token, *how, **more)

    monkeypatch.setattr(module.jwt, "decode", noted)
    return seen


def test_a_signature_is_looked_at_once(verified: list[str]) -> None:
    """Each request after the first finds what was verified, until it expires."""
    tokens = Tokens(b"s" * 32)
    session = tokens.make("session", bound_to(1))
    for _ in range(3):
        assert tokens.read("session", session, NOW) == bound_to(1)
    assert verified == [session]
    for _ in range(2):
        with pytest.raises(Refused, match="token_expired"):
            tokens.read("session", session, LATER)


def test_a_token_with_one_letter_changed_is_verified_by_itself(
    verified: list[str],
) -> None:
    """Being like a known one is worth nothing, and a no is never remembered."""
    tokens = Tokens(b"s" * 32)
    session = tokens.make("session", bound_to(1))
    tokens.read("session", session, NOW)
    head, claims, signature = session.split(".")
    changed = f"{head}.{claims}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"
    for _ in range(2):
        with pytest.raises(Refused, match="unauthenticated"):
            tokens.read("session", changed, NOW)
    assert verified == [session, changed, changed]


def test_what_is_known_as_one_kind_is_not_known_as_the_other() -> None:
    """A launch token that was read does not become a session, nor the reverse."""
    tokens = Tokens(b"s" * 32)
    for kind, other in (KINDS, KINDS[::-1]):
        token = tokens.make(kind, bound_to(1))
        tokens.read(kind, token, NOW)
        with pytest.raises(Refused, match="unauthenticated"):
            tokens.read(other, token, NOW)


def test_a_known_launch_is_still_good_once() -> None:
    """What was verified before is used all the same."""
    tokens = Tokens(b"s" * 32)
    launch = tokens.make("launch", bound_to(1))
    tokens.read("launch", launch, NOW)
    assert tokens.use(launch, NOW) == bound_to(1)
    with pytest.raises(Refused, match="launch_used"):
        tokens.use(launch, NOW)


def test_a_door_with_another_secret_knows_nothing_of_it() -> None:
    """A changed secret ends every session: what is known is one door's."""
    old, new = Tokens(b"s" * 32), Tokens(b"t" * 32)
    session = old.make("session", bound_to(1))
    old.read("session", session, NOW)
    with pytest.raises(Refused, match="unauthenticated"):
        new.read("session", session, NOW)


def test_so_many_are_known_and_the_oldest_is_verified_again(
    monkeypatch: pytest.MonkeyPatch, verified: list[str]
) -> None:
    """Memory is bounded, whoever shows tokens; a forgotten one is as good as ever."""
    monkeypatch.setattr(module, "_KNOWN_MAX", 3)
    tokens = Tokens(b"s" * 32)
    made = [tokens.make("session", bound_to(number)) for number in range(5)]
    for token in made:
        tokens.read("session", token, NOW)
    assert len(tokens._known) == 3
    assert tokens.read("session", made[4], NOW) == bound_to(4)
    assert tokens.read("session", made[0], NOW) == bound_to(0)
    assert verified == [*made, made[0]]
