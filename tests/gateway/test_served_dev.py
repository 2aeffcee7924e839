"""`push22 serve --dev` says how to go on: another link, and the key to sign with."""

import base64
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from push22.client import Key, OperatorClient
from push22.door.secrets import DEV_OPERATORS

_WORDS = (sys.executable, "-m", "push22", "serve", "--dev", "--port", "0")
_KEY = re.compile(r"key +of operator local, in (.*)")


@pytest.fixture
def said(tmp_path: Path) -> Iterator[list[str]]:
    """What a developer's casino says up to its last line; it runs on meanwhile."""
    with subprocess.Popen(
        (*_WORDS, "--data", str(tmp_path)), stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line.rstrip())
            if _KEY.match(line):
                break
        try:
            yield lines
        finally:
            process.terminate()


async def test_a_request_is_signed_with_the_key_that_it_names(
    said: list[str], tmp_path: Path
) -> None:
    """The last line leads to the file, and its key opens the operator's door."""
    path = _KEY.match(said[-1])
    assert path is not None
    assert Path(path[1]) == tmp_path / DEV_OPERATORS
    keys = tomllib.loads(Path(path[1]).read_text())["local"]["keys"]
    (address,) = (line.split()[1] for line in said if line.startswith("operators "))

    key = Key("local.dev", base64.b64decode(keys["dev"]))
    async with OperatorClient(address.partition("/operator")[0], key) as operator:
        tables = await operator.tables()

    assert [table.table for table in tables] == ["t1"]


async def test_a_link_that_is_good_once_is_followed_by_how_to_get_another(
    said: list[str],
) -> None:
    """Right below it: the page of a used link can only say that it was used."""
    (at,) = (number for number, line in enumerate(said) if line.startswith("demo "))
    assert "#launch=" in said[at]
    assert said[at + 1].split(maxsplit=1)[0] == "good"
    assert "for another, stop this and start again" in said[at + 1]
