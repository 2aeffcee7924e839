"""What `load` and `serve` say of an operators file that nobody can use."""

from pathlib import Path

import pytest

from push22.__main__ import run

ZEROS = "A" * 43 + "="
KEY = "MTEx" * 10 + "MTE="
CASES = [
    (b"", "names no operator"),
    (b"\xff\x00", "no UTF-8 at byte 0"),
    (b"a = " + b"9" * 10_000, "digits"),
    (b"a = " + b"[" * 5000 + b"]" * 5000, "nested too deep"),
    (f'[x]\ncurrencies = []\nkeys = {{ k1 = "{KEY}" }}\n'.encode(), "x: currencies"),
    (
        f'[x]\ncurrencies = ["EUR"]\nkeys = {{ k1 = "{ZEROS}" }}\n'.encode(),
        "x: key k1 is nothing but zeros",
    ),
]


@pytest.mark.parametrize("command", ["load", "serve"])
@pytest.mark.parametrize(("data", "reason"), CASES)
def test_a_file_of_operators_that_is_none_is_named(
    command: str,
    data: bytes,
    reason: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line with the file and what is wrong there, exit 2, before anything runs."""
    file = tmp_path / "operators.toml"
    file.write_bytes(data)
    words = {
        "load": ["--door", "http://127.0.0.1:1", "--out", str(tmp_path / "out")],
        "serve": ["--port", "0", "--data", str(tmp_path / "data")],
    }[command]
    assert run([command, *words, "--operators", str(file)]) == 2
    told = capsys.readouterr().err
    assert str(file) in told and reason in told
    assert "Traceback" not in told
