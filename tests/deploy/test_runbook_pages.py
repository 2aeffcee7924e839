"""Runbooks lead on: to where a metric is read, and to pages that exist."""

import re
from pathlib import Path

import pytest

BOOKS = sorted((Path(__file__).parents[2] / "docs" / "runbooks").glob("*.md"))
_METRIC = re.compile(r"push22[_:][a-z]")


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_who_is_told_of_a_metric_is_told_where_to_read_it(book: Path) -> None:
    """By hand as well: at night the dashboards may be what is down."""
    text = book.read_text()
    if _METRIC.search(text):
        assert "`curl 127.0.0.1:8102/metrics`" in text


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_its_links_lead_somewhere(book: Path) -> None:
    """Each file is there, and each heading that is named in it."""
    for target, heading in re.findall(
        r"\]\(([^)#:]+)(?:#([^)]+))?\)", book.read_text()
    ):
        page = book.parent / target
        assert page.exists(), target
        heads = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
        anchors = [re.sub(r"[^\w -]", "", head.lower()) for head in heads]
        assert not heading or heading in [x.replace(" ", "-") for x in anchors], heading
