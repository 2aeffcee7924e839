"""What `load` and `serve` say of an operators file that nobody can use."""

from pathlib import Path

import pytest

from push22.__main__ import run

ZEROS = "A" * 43 + "="
KEY = "MTEx" * 10 + "MTE="
EMPTY = (b"", "names no operator")
"""To whom the load should belong nobody knows; a deployment begins with such a file."""

CASES = [
    (b"\xff\x00", "no UTF-8 at byte 0"),
    (b"a = " + b"9" * 10_000, "digits"),
    (b"a = " + b"[" * 5000 + b"]" * 5000, "nested too deep"),
    (f'[x]\ncurrencies = []\nkeys = {{ k1 = "{KEY}" }}\n'.encode(), "x: currencies"),
    (
        f'[x]\ncurrencies = ["EUR"]\nkeys = {{ k1 = "{ZEROS}" }}\n'.encode(),
        "x: key k1 is nothing but zeros",
    ),
]


@pytest.mark.parametrize(
    ("command", "case"),
    [("load", EMPTY), *((c, case) for c in ("load", "serve") for case in CASES)],
)
def test_a_file_of_operators_that_is_none_is_named(
    command: str,
    case: tuple[bytes, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line with the file and what is wrong there, exit 2, before anything runs."""
    file = tmp_path / "operators.toml"
    data, reason = case
    file.write_bytes(data)
    words = {
        "load": ["--door", "http://127.0.0.1:1", "--out", str(tmp_path / "out")],
        "serve": ["--port", "0", "--data", str(tmp_path / "data")],
    }[command]
    assert run([command, *words, "--operators", str(file)]) == 2
    told = capsys.readouterr().err
    assert str(file) in told and reason in told
    assert "Traceback" not in told


def test_a_door_where_nobody_answers_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is no fault of the load, and no traceback of ours."""
    operators = tmp_path / "operators.toml"
    operators.write_text(f'[acme]\ncurrencies = ["EUR"]\nkeys = {{ k1 = "{KEY}" }}\n')
    where = ["--door", "http://127.0.0.1:1", "--operators", str(operators)]

    assert run(["load", *where, "--players", "1", "--out", str(tmp_path / "out")]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "nobody answers" in line
