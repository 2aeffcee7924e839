"""Playing cards as vector shapes: no picture, no font but the one for the rank."""

from math import asin, atan2, cos, hypot, sin, sqrt

from fpdf import FPDF

WIDTH, HEIGHT = 10.5, 15.0
"""Of a card, in millimetres."""

RED, BLACK = (178, 24, 32), (24, 24, 24)
_BACK = (38, 70, 120)
_EDGE = (150, 150, 150)

Place = tuple[float, float]


def draw_card(pdf: FPDF, card: str, at: Place) -> None:
    """Draw a card with its upper left corner at a place; `??` is its back."""
    x, y = at
    pdf.set_draw_color(*_EDGE)
    pdf.set_line_width(0.2)
    if card == "??":
        _draw_back(pdf, at)
        return
    pdf.set_fill_color(255, 255, 255)
    pdf.rect(x, y, WIDTH, HEIGHT, style="DF", round_corners=True, corner_radius=1.2)
    color = RED if card[1] in "dh" else BLACK
    pdf.set_text_color(*color)
    pdf.set_font("Helvetica", "B", 11)
    rank = "10" if card[0] == "T" else card[0]
    pdf.text(x + 1.1, y + 5.0, rank)
    draw_suit(pdf, card[1], (x + WIDTH / 2 + 0.6, y + 10.0), 5.6)
    pdf.set_text_color(*BLACK)


def _draw_back(pdf: FPDF, at: Place) -> None:
    x, y = at
    pdf.set_fill_color(*_BACK)
    pdf.rect(x, y, WIDTH, HEIGHT, style="DF", round_corners=True, corner_radius=1.2)
    pdf.set_draw_color(255, 255, 255)
    for step in range(1, 5):
        inset = step * 0.9
        pdf.rect(x + inset, y + inset, WIDTH - 2 * inset, HEIGHT - 2 * inset)


def draw_suit(pdf: FPDF, suit: str, middle: Place, size: float) -> None:
    """Draw a suit around a middle."""
    pdf.set_fill_color(*(RED if suit in "dh" else BLACK))
    _SUITS[suit](pdf, middle, size / 2)


def _diamond(pdf: FPDF, middle: Place, half: float) -> None:
    x, y = middle
    side = half * 0.72
    points = ((x, y - half), (x + side, y), (x, y + half), (x - side, y))
    pdf.polygon(points, style="F")


def _heart(pdf: FPDF, middle: Place, half: float) -> None:
    _lobes(pdf, middle, half, -1)


def _spade(pdf: FPDF, middle: Place, half: float) -> None:
    x, y = middle
    _lobes(pdf, (x, y - half * 0.1), half * 0.95, 1)
    _stem(pdf, middle, half)


def _lobes(pdf: FPDF, middle: Place, half: float, up: int) -> None:
    """Two circles and what lies between them and a tip: a heart, or a spade's head."""
    x, y = middle
    radius, apart = half * 0.5, half * 0.46
    center, tip = y + up * half * 0.38, y - up * half
    for side in (-1, 1):
        pdf.circle(x + side * apart, center, radius, style="F")
    # The sides touch the circles, so that no notch is seen between them.
    wide, high = _touching(apart, abs(center - tip), radius)
    edge = tip + up * high
    points = ((x - wide, edge), (x, center), (x + wide, edge), (x, tip))
    pdf.polygon(points, style="F")


def _touching(right: float, above: float, radius: float) -> Place:
    """Return where a line from the origin touches a circle on its outer side."""
    distance = hypot(right, above)
    length = sqrt(distance**2 - radius**2)
    angle = atan2(above, right) - asin(radius / distance)
    return length * cos(angle), length * sin(angle)


def _club(pdf: FPDF, middle: Place, half: float) -> None:
    x, y = middle
    radius = half * 0.46
    pdf.circle(x, y - half * 0.52, radius, style="F")
    for side in (-1, 1):
        pdf.circle(x + side * half * 0.5, y + half * 0.16, radius, style="F")
    pdf.circle(x, y - half * 0.02, half * 0.25, style="F")
    _stem(pdf, middle, half)


def _stem(pdf: FPDF, middle: Place, half: float) -> None:
    x, y = middle
    wide = half * 0.34
    points = ((x, y), (x + wide, y + half), (x - wide, y + half))
    pdf.polygon(points, style="F")


_SUITS = {"c": _club, "d": _diamond, "h": _heart, "s": _spade}
