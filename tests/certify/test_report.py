"""The report is one whole file: well formed, self-contained, with every figure."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import msgspec
import pytest

from blackjack.rule_sets import RULE_SETS, digest, rule_set
from push22.certify.report import page
from push22.certify.svg import Step, bars, line_plot, ticks
from tests.certify.samples import STRATEGY, given_certificate

VOID = {"meta", "br"}


class Nesting(HTMLParser):
    """Checks that every element is closed where it was opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def parsed(name: str) -> Nesting:
    found = Nesting()
    found.feed(page(given_certificate(rule_set(name))))
    found.close()
    return found


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_rule_sets_page_is_well_formed(name: str) -> None:
    """All that is opened is closed, and both plots are there."""
    found = parsed(name)

    assert found.open == []
    assert found.names.count("svg") == 2
    assert found.names.count("h1") == 1


@pytest.mark.parametrize("name", ["ny-switch-6d", "lv-1d"])
def test_nothing_is_fetched_from_anywhere(name: str) -> None:
    """No address, no script, no file beside it."""
    text = page(given_certificate(rule_set(name)))

    assert not re.search(r"//|\bsrc=|\bhref=|@import|<script|<link|<img", text)
    assert re.findall(r"url\(([^)]*)\)", text) == ["#paper330"] * 2


def test_the_page_says_what_was_certified_and_found() -> None:
    """Identity, each part's figures, and the command that gives the page again."""
    rules = rule_set("ny-switch-6d")
    text = parsed("ny-switch-6d").text

    assert digest(rules) in text
    assert STRATEGY in text
    for figure in (
        "0.6000 % of the initial wagers",
        "0.58 % (reference-6d)",
        "0.500 to 0.630 %",
        "2.548501 %",
        "1748736/4965115",
        "-239/311",
        "192/4043 = 0.0474895",
        ".212224",
        "push22 certify ny-switch-6d --rounds 400 --seed 7",
    ):
        assert figure in text


def test_options_are_part_of_the_command() -> None:
    """As they have to be typed again."""
    options: dict[str, object] = {"soft17": "stand", "penetration": 0.8}
    rules = rule_set("ny-switch-6d", options)

    text = page(given_certificate(rules, options))

    assert "--option soft17=stand --option penetration=0.8</code>" in text


def test_what_a_certificate_says_is_escaped() -> None:
    """Text stays text, wherever it came from."""
    found = given_certificate(rule_set("lv-2d"))
    identity = msgspec.structs.replace(found.identity, rules="<b>&</b>")

    text = page(msgspec.structs.replace(found, identity=identity))

    assert "<b>&</b>" not in text
    assert "<h1>&lt;b&gt;&amp;&lt;/b&gt;</h1>" in text


def test_a_bar_is_as_high_as_its_value() -> None:
    """Twice the value is twice the height."""
    drawing = ET.fromstring(bars([("a", 10.0), ("b", 20.0)], "two"))

    heights = [float(each.attrib["height"]) for each in drawing.iter("rect")]

    assert heights[1] == pytest.approx(2 * heights[0], rel=0.01)


def test_the_line_passes_through_its_points() -> None:
    """The last step is at the right edge; the middle one lies between in height."""
    steps = [Step(n, 0.1 * n, 0.1 * n - 0.1, 0.1 * n + 0.1) for n in (1, 2, 3)]
    drawing = ET.fromstring(line_plot(steps, (0.1, 0.2), "three"))

    (line,) = (each for each in drawing.iter("path") if each.get("class") == "line")
    places = [float(word) for word in re.findall(r"[\d.]+", line.attrib["d"])]
    assert places[4] == 814.0
    assert places[3] == pytest.approx((places[1] + places[5]) / 2, abs=0.1)
    assert places[5] < places[1]
    classes = [each.get("class") for each in drawing.iter("rect")]
    assert "accepted" in classes


def test_no_range_is_drawn_where_nothing_is_published() -> None:
    """Only the band of the edge itself."""
    steps = [Step(1, 0.0, -0.1, 0.1), Step(2, 0.0, -0.1, 0.1)]

    assert "accepted" not in line_plot(steps, None, "two")


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 10, [0, 2, 4, 6, 8, 10]),
        (0.41, 0.66, [0.45, 0.5, 0.55, 0.6, 0.65]),
        (-3, 4, [-2, 0, 2, 4]),
    ],
)
def test_ticks_are_round(low: float, high: float, expected: list[float]) -> None:
    """Steps of 1, 2 or 5 times a power of ten."""
    assert ticks(low, high) == pytest.approx(expected)
