"""The report: everything is on its pages, nothing runs over their edges."""

import asyncio
import io
import re
from pathlib import Path

import pytest
from played_rounds import ROUND, SCRIPTS, pack_of, play, script_of
from pypdf import PdfReader
from pypdf.generic import ContentStream

from blackjack.cards import CODES
from push22.evidence import verify
from push22.evidence.felt import Spread, draw_box, rows_of
from push22.evidence.page import WIDTH, Page, shown
from push22.evidence.plain_words import place_words

A4_POINTS = (595.28, 841.89)
LONG = "split-to-four-hands-and-no-fifth.round.toml"


def opened(zip_bytes: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(verify.unzipped(zip_bytes)["report.pdf"]))


def text_of(reader: PdfReader) -> str:
    """Return all text, lines that were wrapped put together again."""
    return " ".join(" ".join(page.extract_text().split()) for page in reader.pages)


def test_it_tells_the_round_to_whoever_reads_it(pack: bytes) -> None:
    """Verdict, players, results, clauses in words, balances, how to verify."""
    text = text_of(opened(pack))
    for words in (
        f"Round {ROUND}",
        "Executed again: MATCH",
        "REPLAY, not live",
        "What each wager won or lost",
        "Balances",
        "operator local",
        "What happened, step by step",
        "how to check it again",
        "python verify.py PACK.zip --keys KEYS.json",
        "the player says he had a blackjack",
        "C-17",
    ):
        assert words in text


def test_each_settlement_line_stands_in_it(pack: bytes) -> None:
    """Every wager with stake, payout and clause, as in lines.csv."""
    text = text_of(opened(pack))
    rows = verify.unzipped(pack)["lines.csv"].decode().splitlines()
    start = next(at for at, row in enumerate(rows) if row.startswith("part,wager"))
    lines = [row.split(",") for row in rows[start + 1 : rows.index("", start)]]

    assert len(lines) > 5
    for _, label, player, result, stake, payout, _, clauses in lines:
        first = clauses.split()[0]
        money = f"{int(stake) / 100:.2f} {int(payout) / 100:.2f}"
        pattern = f"{place_words(label)} {player} {result} {money} \\S+ {first}: "
        assert re.search(pattern, text), pattern


def test_its_pages_are_numbered_and_name_the_round(pack: bytes) -> None:
    """A page that gets lost is missed."""
    reader = opened(pack)
    count = len(reader.pages)
    for number, page in enumerate(reader.pages, 1):
        text = page.extract_text()
        assert f"page {number} of {count}" in text
        assert ROUND in text


def test_its_dates_are_those_of_the_pack(pack: bytes) -> None:
    """Nothing of the machine that made it, so equal rounds give equal bytes."""
    about = opened(pack).metadata
    assert about is not None
    assert about.creation_date is not None
    assert about.creation_date.year == 2083
    assert about.producer == "Push22"


def edges(reader: PdfReader) -> list[tuple[float, float]]:
    """Return each point at which a rectangle is drawn, in points."""
    found = []
    for page in reader.pages:
        stream = page.get_contents()
        assert stream is not None
        for operands, operator in ContentStream(stream, reader).operations:
            if operator in (b"m", b"l"):
                found.append((float(operands[0]), float(operands[1])))
    return found


@pytest.mark.parametrize("name", [LONG, "three-boxes-of-two-players.round.toml"])
def test_many_hands_stay_on_their_pages(name: str, tmp_path: Path) -> None:
    """Cards and frames of split hands and many boxes lie within the paper."""
    asyncio.run(play(script_of(SCRIPTS / name), tmp_path))
    reader = opened(pack_of(tmp_path).zip)
    points = edges(reader)

    assert len(points) > 100
    assert all(0 <= x <= A4_POINTS[0] and 0 <= y <= A4_POINTS[1] for x, y in points)
    places: list[float] = []
    for page in reader.pages:
        page.extract_text(
            visitor_text=lambda text, _cm, tm, _font, _size: (
                places.append(tm[4]) if text.strip() else None
            )
        )
    assert max(places) < A4_POINTS[0] - 30


def test_spreads_fill_rows_and_long_ones_are_cut() -> None:
    """Any number of cards and hands fits: rows are as wide as the page at most."""
    cards = tuple(list(CODES)[:40])
    rows = rows_of([Spread("dealer", cards, ("total 21",))] * 3)
    widths = [sum(item.width for item in row) for row in rows]

    assert max(widths) <= WIDTH
    assert sum(len(item.cards) for row in rows for item in row) == 120
    pdf = Page(ROUND, 0)
    pdf.add_page()
    for _ in range(6):
        draw_box(pdf, "Box", [Spread("hand", cards, ("21",))] * 3)
    assert len(pdf.pages) > 3


def test_letters_that_the_typeface_lacks_are_marked() -> None:
    """A note in any script makes a report; the manifest has it to the letter."""
    assert shown("Müller \u2013 \u201cyes\u201d 漢") == "Müller - ?yes? ?"


def test_places_are_named_for_people() -> None:
    """Labels of the engine in words."""
    assert place_words("dealer") == "dealer"
    assert place_words("1.2") == "box 1, hand 2"
    assert place_words("1.2.1") == "box 1, hand 2.1"
    assert place_words("3.super_match") == "box 3, super match"
    assert place_words("1.2.insurance") == "box 1, hand 2, insurance"


def test_a_players_report_names_nobody_else(home: Path, pack: bytes) -> None:
    """Names are hidden in the report's text too."""
    whole = text_of(opened(pack))
    mine = text_of(opened(pack_of(home, player="local.alice").zip))

    assert "local.bob" in whole
    assert "local.bob" not in mine
    assert "other-1" in mine
