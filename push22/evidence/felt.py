"""The table as it stood at the end of a round, drawn: dealer, boxes, hands, results."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from push22.evidence.card_drawing import HEIGHT, WIDTH, draw_card
from push22.evidence.page import MARGIN, Page, shown
from push22.evidence.page import WIDTH as PAGE_WIDTH

_GAP = 1.6
_PAD = 3.0
_CAPTION = 4.4
_FELT = (226, 240, 232)
_EDGE = (120, 160, 138)
_GREY = (80, 80, 80)


class Spread(NamedTuple):
    """Cards that lie together: a caption above, lines of text below."""

    caption: str
    cards: tuple[str, ...]
    below: tuple[str, ...]

    @property
    def width(self) -> float:
        return max(56.0, len(self.cards) * (WIDTH + _GAP) + _PAD)

    @property
    def height(self) -> float:
        return _CAPTION * (1 + len(self.below)) + HEIGHT + _GAP


def draw_box(pdf: Page, title: str, spreads: Sequence[Spread]) -> None:
    """Draw a box of the table; its hands flow into rows, over pages if they must."""
    for number, row in enumerate(rows_of(spreads)):
        height = max(item.height for item in row) + _CAPTION + _PAD + 1
        pdf.ensure(height + 2)
        name = title if number == 0 else f"{title}, continued"
        _draw_row(pdf, name, row, height)


def rows_of(spreads: Iterable[Spread]) -> list[list[Spread]]:
    """Fill rows of the page's width. Each holds at least one spread."""
    rows: list[list[Spread]] = []
    room = 0.0
    for spread in (part for item in spreads for part in _parts(item)):
        if not rows or spread.width > room:
            rows.append([])
            room = PAGE_WIDTH - 2 * _PAD
        rows[-1].append(spread)
        room -= spread.width
    return rows


def _parts(spread: Spread) -> list[Spread]:
    """Cut what is wider than the page, as the dealer's many cards can be."""
    most = int((PAGE_WIDTH - 3 * _PAD) // (WIDTH + _GAP))
    if len(spread.cards) <= most:
        return [spread]
    rest = spread._replace(caption="", cards=spread.cards[most:])
    head = spread._replace(cards=spread.cards[:most], below=())
    return [head, *_parts(rest)]


def _draw_row(pdf: Page, title: str, row: list[Spread], height: float) -> None:
    x, y = MARGIN, pdf.get_y()
    pdf.set_fill_color(*_FELT)
    pdf.set_draw_color(*_EDGE)
    pdf.set_line_width(0.3)
    pdf.rect(
        x, y, PAGE_WIDTH, height, style="DF", round_corners=True, corner_radius=2.5
    )
    pdf.set_font("Helvetica", "B", 9.5)
    pdf.text(x + _PAD, y + _PAD + 2.6, shown(title))
    at = x + _PAD
    for spread in row:
        _draw_spread(pdf, spread, (at, y + _PAD + _CAPTION))
        at += spread.width
    pdf.set_y(y + height + 2)


def _draw_spread(pdf: Page, spread: Spread, at: tuple[float, float]) -> None:
    x, y = at
    pdf.set_font("Helvetica", "", 8.5)
    pdf.set_text_color(*_GREY)
    pdf.text(x, y + 3.4, shown(spread.caption))
    pdf.set_text_color(0, 0, 0)
    top = y + _CAPTION + _GAP / 2
    for number, card in enumerate(spread.cards):
        draw_card(pdf, card, (x + number * (WIDTH + _GAP), top))
    pdf.set_font("Helvetica", "", 8.5)
    for number, text in enumerate(spread.below):
        pdf.text(x, top + HEIGHT + _CAPTION * (number + 0.9), shown(text))
