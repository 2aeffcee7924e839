"""`push22 play --door`: what it refuses, and what it says where nothing answers."""

import pytest

from push22.__main__ import run

Told = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--door localhost:8022", "--door: give an address: http://HOST:PORT"),
        ("--door ws://localhost --launch x", "--door: give an address"),
        ("--door http://localhost:8022", "--launch: give the launch token"),
        ("--door http://localhost/play/t1#token=x", "--launch: give the launch token"),
        ("--door http://localhost --launch x --seed 1", "--door: only --auto plays"),
        ("--door http://localhost --launch x --data d", "--door: only --auto plays"),
        ("--door http://localhost --launch x --kafka k:1", "--door: only --auto plays"),
        ("--door http://localhost --launch x --rounds 0", "--rounds: must be at least"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(
    words: str, said: str, capsys: Told
) -> None:
    """Nobody is called before the words make sense."""
    assert run(["play", "--auto", *words.split()]) == 2

    assert said in capsys.readouterr().err


def test_where_nothing_listens_it_says_so(
    capsys: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line, after the attempts that the client library makes."""
    monkeypatch.setattr("push22.client.sending.random.random", lambda: 0.0)
    link = "http://127.0.0.1:9/play/t1#launch=token"

    assert run(["play", "--auto", "--door", link]) == 1

    told = capsys.readouterr().err
    assert told.startswith("push22: http://127.0.0.1:9: POST /player/v1/sessions: Conn")
    assert len(told.splitlines()) == 1
