"""What the page is made of: vendored files as they were, nothing inline or foreign."""

import hashlib
import re
from pathlib import Path

import httpx
import pytest

from services.gateway.problems import REASONS
from tests.gateway.house import house

PAGE = Path(__file__).parents[2] / "services/gateway/page"
VENDOR = PAGE / "vendor"
_OWN = sorted(p for p in PAGE.rglob("*") if p.is_file() and p.parent != VENDOR)
_ADDRESS = re.compile(r"\bhttps?://(?!www\.w3\.org/2000/svg)")
_INLINE = re.compile(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son[a-z]+=\"")


def test_vendored_files_are_what_was_vendored() -> None:
    """Each has its checksum and its licence beside it."""
    lines = (VENDOR / "SHA256SUMS").read_text().splitlines()
    sums = {name: digest for digest, name in map(str.split, lines)}
    shipped = {path.name for path in VENDOR.iterdir() if path.suffix in (".js", ".txt")}
    for name, digest in sums.items():
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest
    assert shipped == set(sums)
    assert "MIT License" in (VENDOR / "htm-preact.LICENSE.txt").read_text()


@pytest.mark.parametrize("path", _OWN, ids=lambda path: path.name)
def test_nothing_is_inline_or_elsewhere(path: Path) -> None:
    """The strict policy has nothing to refuse."""
    text = path.read_text()
    assert not _ADDRESS.search(text)
    assert not _INLINE.search(text)
    assert text.count("\n") <= 400


def test_reasons_in_words_are_reasons() -> None:
    """No word is kept for a reason that the door does not have."""
    text = (PAGE / "js/reasons.js").read_text()
    named = set(re.findall(r"^  ([a-z_0-9]+): \"", text, re.MULTILINE))

    assert named
    assert named <= set(REASONS)


async def test_the_page_may_load_only_what_is_its_own(tmp_path: Path) -> None:
    """Its policy names nobody else; a browser's good copy is not sent again."""
    async with house(tmp_path) as the:
        page = await the.http.get("/play/t1")
        policy = page.headers["content-security-policy"]
        script = await the.http.get("/static/js/main.js")
        same = {"If-None-Match": script.headers["etag"]}
        again = await the.http.get("/static/js/main.js", headers=same)
        wrong = [
            (await the.http.get(path)).status_code
            for path in (
                "/static/index.html",
                "/static/tsconfig.json",
                "/static/js/types.d.ts",
                "/static/../web/app.py",
                "/static/%2e%2e/web/app.py",
            )
        ]

    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert b'data-money="real"' in page.content
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    assert (again.status_code, again.content) == (304, b"")
    assert wrong == [404] * 5


async def _told(tmp_path: Path, rules: str) -> httpx.Response:
    async with house(tmp_path) as the:
        await the.open_table("t1", rules)
        token = await the.session()
        return await the.play("GET", "/player/v1/tables/t1/rules", token)


@pytest.mark.parametrize(
    ("rules", "said", "unsaid"),
    [
        ("ny-multiple-action", "Blackjack pays 3 to 2", "switch"),
        ("ny-switch-6d", "Dealer 22 pushes", "even_money"),
        ("lv-6d", "Blackjack pays 3 to 2", "switch"),
        ("lv-1d", "Blackjack pays 6 to 5", "insurance for all"),
        ("online-switch", "Blackjack pays 1 to 1", "surrender"),
    ],
)
async def test_the_rules_are_those_of_the_table(
    rules: str, said: str, unsaid: str, tmp_path: Path
) -> None:
    """What the felt says and which buttons there are follows from the rule set."""
    told = (await _told(tmp_path, rules)).json()

    assert said in told["felt"]
    assert told["title"].endswith("Switch") == ("switch" in rules)
    assert unsaid not in told["actions"]
    assert told["switched_natural"] == (rules == "online-switch")
    assert any(str(told["decks"]) in line for line in told["text"])
