"""The commands that operators' engineers use, in processes of their own."""

import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import msgspec
import pytest

from push22.__main__ import run
from push22.operator.cases import CASES
from push22.operator.mock_orders import NoOrder, obey
from tests.operator.conftest import PLAYER, SECRET_TEXT, a_mock

WHO = ("--player", PLAYER, "--token", f"token:{PLAYER}")


@contextmanager
def mock_operator(folder: Path, *options: str) -> Iterator[str]:
    """Run `push22 mock-operator`; give the address that it prints."""
    with told_by_mock(folder, *options) as lines:
        yield lines[0].split()[-1]


@contextmanager
def told_by_mock(folder: Path, *options: str) -> Iterator[list[str]]:
    """Run `push22 mock-operator`; give the lines that it prints at its start."""
    words = (sys.executable, "-m", "push22", "mock-operator", *options)
    books = str(folder / "books.sqlite3")
    process = subprocess.Popen(
        [*words, "--books", books], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield [process.stdout.readline() for _ in range(3)]
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


@pytest.fixture(autouse=True)
def _secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUSH22_OPERATOR_SECRET", SECRET_TEXT)


def test_the_kit_passes_the_mock_and_writes_its_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Over HTTP, from one process to another."""
    report = tmp_path / "report.html"
    with mock_operator(tmp_path) as url:
        code = run(["conformance", url, *WHO, "--json", "--report", str(report)])

    document = msgspec.json.decode(capsys.readouterr().out)
    assert code == 0
    assert document["passed"]
    assert len(document["cases"]) == len(CASES)
    text = report.read_text()
    assert text.count("<details") == len(CASES)
    assert "<link" not in text
    assert "src=" not in text


def test_the_kit_fails_a_broken_wallet_and_says_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 1, with the case, its clause and what was said."""
    with mock_operator(tmp_path, "--broken", "takes_overdraft") as url:
        code = run(["conformance", url, *WHO, "--only", "insufficient_funds"])

    out = capsys.readouterr().out
    assert code == 1
    assert "FAIL  insufficient_funds" in out
    assert "1 of 1 cases failed" in out


def test_the_mock_takes_orders_while_it_runs(tmp_path: Path) -> None:
    """Faults come and go without a restart, and its books can be read."""
    with mock_operator(tmp_path) as url:
        order = {"error_before": 1000}
        assert httpx.post(f"{url}/admin/faults", json=order).status_code == 200
        assert run(["conformance", url, *WHO, "--only", "balance"]) == 1
        assert httpx.post(f"{url}/admin/faults", json={}).status_code == 200
        assert run(["conformance", url, *WHO, "--only", "balance"]) == 0
        books = httpx.post(f"{url}/admin/books").json()
        assert httpx.post(f"{url}/admin/nothing").status_code == 400

    assert books["balances"][f"player:{PLAYER}:EUR"] == 1_000_000


def test_the_line_that_the_mock_prints_is_tried_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its player is known and has money before anybody comes."""
    with told_by_mock(tmp_path) as lines:
        url = lines[0].split()[-1]
        balances = httpx.post(f"{url}/admin/books").json()["balances"]
        words = shlex.split(lines[2])
        code = run(words[1:])

    assert balances["player:acme.test:EUR"] == 1_000_000
    assert code == 0
    assert f"all {len(CASES)} cases passed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("route", "order", "named"),
    [
        ("player", {"player": PLAYER}, "state"),
        ("player", {"player": PLAYER, "state": "sleepy"}, "sleepy"),
        ("sessions", {}, "player"),
        ("faults", {"losst": 1}, "losst"),
        ("faults", [], "object"),
        ("nothing", {}, "no /admin/nothing"),
    ],
)
def test_an_order_that_is_not_understood_says_what_is_wrong(
    route: str, order: object, named: str, tmp_path: Path
) -> None:
    """The tester reads what is missing or unknown, and nothing is changed."""
    with a_mock(tmp_path) as mock:
        rates = mock.faults.rates
        body = msgspec.json.encode(order)
        with pytest.raises(NoOrder, match=named):
            obey(route, body, mock.books, mock.faults)

        assert mock.faults.rates is rates


def test_an_order_that_misses_a_field_is_a_bad_request(tmp_path: Path) -> None:
    """Over HTTP it is 400 with a text that names the field."""
    with mock_operator(tmp_path) as url:
        answer = httpx.post(f"{url}/admin/player", json={"player": PLAYER})

    assert answer.status_code == 400
    assert "missing required field `state`" in answer.json()["error"]


def test_the_kit_stops_where_nothing_listens(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line says so, and no case is tried."""
    with socket.create_server(("127.0.0.1", 0)) as place:
        port = place.getsockname()[1]

    assert run(["conformance", f"http://127.0.0.1:{port}", *WHO]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert "no wallet can be reached there" in told.err


def test_a_missing_secret_is_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is signed with an empty key."""
    monkeypatch.delenv("PUSH22_OPERATOR_SECRET")

    assert run(["conformance", "http://127.0.0.1:1", *WHO]) == 2
    assert run(["mock-operator"]) == 2
    told = capsys.readouterr().err
    assert "PUSH22_OPERATOR_SECRET: is not set" in told
    assert "openssl rand -base64 32" in told


@pytest.mark.parametrize("command", ["mock-operator", "conformance"])
def test_the_help_says_how_to_make_the_secret(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody has to read the code for the variable's name."""
    assert run([command, "--help"]) == 0
    told = capsys.readouterr().out
    assert "PUSH22_OPERATOR_SECRET" in told
    assert "openssl rand -base64 32" in " ".join(told.split())
