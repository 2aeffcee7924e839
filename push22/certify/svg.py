"""Plots as inline SVG: a line that comes to rest in its band, bars, and their parts.

Plain functions from numbers to text; colours come from the page's style by class.
"""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

WIDTH = 860
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 46, 16, 46
_BAR_HEIGHT = 250
_PLOT_HEIGHT = 330
_TICKS_ABOUT = 6


class Frame(NamedTuple):
    """Maps values to places on the paper."""

    x_max: float
    y_low: float
    y_high: float
    height: int

    def x(self, value: float) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * value / self.x_max

    def y(self, value: float) -> float:
        share = (value - self.y_low) / (self.y_high - self.y_low)
        return self.height - _BOTTOM - (self.height - _TOP - _BOTTOM) * share


class Step(NamedTuple):
    """A point of the line and the edges of its band."""

    x: float
    y: float
    low: float
    high: float


def line_plot(
    steps: Sequence[Step], accepted: tuple[float, float] | None, title: str
) -> str:
    """Draw the steps with their band, over the accepted range if there is one."""
    frame = _line_frame(steps, accepted)
    parts = [paper(frame)]
    if accepted is not None:
        top, bottom = frame.y(accepted[1]), frame.y(accepted[0])
        width = WIDTH - _LEFT - _RIGHT
        parts.append(rectangle("accepted", (_LEFT, top), (width, bottom - top)))
    parts += axis_y(frame, lambda value: f"{value:.2f} %")
    parts += axis_x(frame, "rounds", lambda value: f"{value:,.0f}")
    around = [(step.x, step.high) for step in steps]
    around += [(step.x, step.low) for step in reversed(steps)]
    parts.append(path("band", frame, around, closed=True))
    parts.append(path("line", frame, [(step.x, step.y) for step in steps]))
    return drawing(frame.height, title, parts)


def _line_frame(steps: Sequence[Step], accepted: tuple[float, float] | None) -> Frame:
    """Frame the later half's bands: the first ones may be wider than the paper."""
    later = steps[len(steps) // 10 :]
    lows = [step.low for step in later] + list(accepted or ())
    highs = [step.high for step in later] + list(accepted or ())
    margin = (max(highs) - min(lows)) / 20 or 0.01
    return Frame(steps[-1].x, min(lows) - margin, max(highs) + margin, _PLOT_HEIGHT)


def bars(values: Sequence[tuple[str, float]], title: str) -> str:
    """Draw a bar for each name, its value in percent written above."""
    top = max(value for _, value in values)
    frame = Frame(len(values), 0.0, top * 1.12, _BAR_HEIGHT)
    parts = axis_y(frame, lambda value: f"{value:.0f} %")
    for place, (name, value) in enumerate(values):
        left, right = frame.x(place + 0.18), frame.x(place + 0.82)
        middle = (left + right) / 2
        size = (right - left, frame.y(0) - frame.y(value))
        parts.append(rectangle("bar", (left, frame.y(value)), size))
        parts.append(text((middle, frame.y(value) - 6), f"{value:.4f}", "middle"))
        parts.append(text((middle, frame.height - _BOTTOM + 20), name, "middle"))
    return drawing(frame.height, title, parts)


def ticks(low: float, high: float) -> list[float]:
    """Return round values between, at steps of 1, 2 or 5 times a power of ten."""
    rough = (high - low) / _TICKS_ABOUT
    power = 10.0 ** floor(log10(rough))
    step = next(size * power for size in (1, 2, 5, 10) if size * power >= rough)
    first, last = ceil(low / step), floor(high / step)
    return [number * step for number in range(first, last + 1)]


def axis_y(frame: Frame, label: Callable[[float], str]) -> list[str]:
    values = ticks(frame.y_low, frame.y_high)
    return [level(frame, value, label(value)) for value in values]


def level(frame: Frame, value: float, name: str) -> str:
    """Draw the line of one value, its name at the left."""
    y = frame.y(value)
    line = rule("grid", (_LEFT, y), (WIDTH - _RIGHT, y))
    return line + text((_LEFT - 8, y + 4), name, "end")


def axis_x(frame: Frame, title: str, label: Callable[[float], str]) -> list[str]:
    parts = axis_x_at(frame, {x: label(x) for x in ticks(0, frame.x_max)})
    return [*parts, text((WIDTH / 2, frame.height - 6), title, "middle")]


def axis_x_at(frame: Frame, names: dict[float, str]) -> list[str]:
    """Draw the axis with names at these places."""
    bottom = frame.height - _BOTTOM
    parts = [rule("axis", (_LEFT, bottom), (WIDTH - _RIGHT, bottom))]
    for value, name in names.items():
        x = frame.x(value)
        parts.append(rule("axis", (x, bottom), (x, bottom + 5)))
        parts.append(text((x, bottom + 20), name, "middle"))
    return parts


def path(
    name: str,
    frame: Frame,
    points: Iterable[tuple[float, float]],
    *,
    closed: bool = False,
) -> str:
    places = (f"{frame.x(x):.1f} {frame.y(y):.1f}" for x, y in points)
    end = " Z" if closed else ""
    line = f"M {' L '.join(places)}{end}"
    return f'<path class="{name}" clip-path="url(#paper{frame.height})" d="{line}"/>'


def paper(frame: Frame) -> str:
    """Return what cuts off where lines leave the frame."""
    size = (WIDTH - _LEFT - _RIGHT, frame.height - _TOP - _BOTTOM)
    inside = rectangle("paper", (_LEFT, _TOP), size)
    return f'<clipPath id="paper{frame.height}">{inside}</clipPath>'


def rectangle(name: str, at: tuple[float, float], size: tuple[float, float]) -> str:
    return (
        f'<rect class="{name}" x="{at[0]:.1f}" y="{at[1]:.1f}" '
        f'width="{size[0]:.1f}" height="{size[1]:.1f}"/>'
    )


def rule(name: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    return (
        f'<line class="{name}" x1="{start[0]:.1f}" y1="{start[1]:.1f}" '
        f'x2="{end[0]:.1f}" y2="{end[1]:.1f}"/>'
    )


def text(at: tuple[float, float], words: str, anchor: str) -> str:
    place = f'x="{at[0]:.1f}" y="{at[1]:.1f}"'
    return f'<text {place} text-anchor="{anchor}">{escape(words)}</text>'


def drawing(height: int, title: str, parts: Iterable[str]) -> str:
    box = f'viewBox="0 0 {WIDTH} {height}" role="img"'
    body = "\n".join(parts)
    return f"<svg {box}>\n<title>{escape(title)}</title>\n{body}\n</svg>"
