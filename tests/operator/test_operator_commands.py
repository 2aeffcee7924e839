"""The commands that operators' engineers use, in processes of their own."""

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
from tests.operator.conftest import PLAYER, SECRET_TEXT

WHO = ("--player", PLAYER, "--token", f"token:{PLAYER}")


@contextmanager
def mock_operator(folder: Path, *options: str) -> Iterator[str]:
    """Run `push22 mock-operator`; give the address that it prints."""
    words = (sys.executable, "-m", "push22", "mock-operator", *options)
    books = str(folder / "books.sqlite3")
    process = subprocess.Popen(
        [*words, "--books", books], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split()[-1]
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


def test_a_missing_secret_is_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is signed with an empty key."""
    monkeypatch.delenv("PUSH22_OPERATOR_SECRET")

    assert run(["conformance", "http://127.0.0.1:1", *WHO]) == 2
    assert run(["mock-operator"]) == 2
    assert "PUSH22_OPERATOR_SECRET: is not set" in capsys.readouterr().err
