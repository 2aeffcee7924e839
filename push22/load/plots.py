"""Plots of a load report: several lines over one another, each with its name below."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from math import ceil, log10
from typing import NamedTuple

from push22.certify import html, svg

Points = Sequence[tuple[float, float]]
Lines = Mapping[str, Points]

COLOURS = (
    "#1f5f9e",
    "#c2541b",
    "#2f7d3b",
    "#7b3fa0",
    "#b0882a",
    "#a32638",
    "#3b8a8a",
    "#5a6475",
    "#d070a0",
    "#7f9a1f",
    "#1a2230",
    "#4aa3df",
)
STYLE = "".join(
    f"svg .line.c{number} {{ stroke: {colour}; stroke-width: 1.8; }}\n"
    f"figcaption b.c{number} {{ background: {colour}; height: 3px;"
    " vertical-align: middle; border: 0; }\n"
    for number, colour in enumerate(COLOURS)
)
"""Beside the certificate's style."""

_HEIGHT = 270
_ROOM = 1.08
_LOWEST_MS = 0.1


class Span(NamedTuple):
    """A stretch of the test, in seconds, and what went on in it."""

    name: str
    begun_at: float
    ended_at: float


def over_time(
    lines: Lines,
    title: str,
    label: Callable[[float], str],
    span: Span | None = None,
) -> str:
    """Draw values by the second of the test, and where a span begins and ends."""
    shown = {name: points for name, points in lines.items() if points}
    last = max((points[-1][0] for points in shown.values()), default=0.0)
    top = max((y for points in shown.values() for _, y in points), default=0.0)
    frame = svg.Frame(max(last, 1.0), 0.0, (top or 1.0) * _ROOM, _HEIGHT)
    parts = [svg.paper(frame), *svg.axis_y(frame, label)]
    parts += svg.axis_x(frame, "seconds", lambda value: f"{value:,.0f}")
    parts += _marked(frame, span) if span is not None else []
    return _figure(frame, shown, title, parts)


def _marked(frame: svg.Frame, span: Span) -> list[str]:
    low, high = frame.y(frame.y_low), frame.y(frame.y_high)
    ends = [frame.x(min(at, frame.x_max)) for at in (span.begun_at, span.ended_at)]
    rules = [svg.rule("span", (x, low), (x, high)) for x in ends]
    return [*rules, svg.text((ends[0], high - 4), span.name, "middle")]


def latencies(curves: Lines, goals: dict[str, tuple[float, float]]) -> str:
    """Draw milliseconds by percentile, both so that their tails can be read.

    `goals` are points that a line should pass below.
    """
    shown = {name: _logged(points) for name, points in curves.items() if points}
    title = "Response time by percentile"
    ends = [points[-1][0] for points in shown.values()]
    highs = [y for points in shown.values() for _, y in points]
    highs += [log10(ms) for _, ms in goals.values()]
    x_max = max((*ends, 2.0))
    low = min((*highs, 0.0))
    frame = svg.Frame(x_max, float(int(low) - (low < 0)), max(ceil(max(highs)), 1), 330)
    parts = [svg.paper(frame), *_decades(frame), *svg.axis_x_at(frame, _nines(x_max))]
    for name, (nines, ms) in goals.items():
        x, y = frame.x(nines), frame.y(log10(ms))
        parts.append(svg.rule("goal", (x - 22, y), (x + 22, y)))
        parts.append(svg.text((x, y - 6), name, "middle"))
    return _figure(frame, shown, title, parts)


def by_rate(lines: Lines, title: str, label: Callable[[float], str]) -> str:
    """Draw values by the rate that was asked for."""
    top = max(y for points in lines.values() for _, y in points)
    last = max(points[-1][0] for points in lines.values())
    frame = svg.Frame(last, 0.0, top * _ROOM, _HEIGHT)
    parts = [svg.paper(frame), *svg.axis_y(frame, label)]
    parts += svg.axis_x(frame, "rounds/s asked for", lambda value: f"{value:g}")
    return _figure(frame, lines, title, parts)


def _figure(frame: svg.Frame, lines: Lines, title: str, parts: list[str]) -> str:
    keys = []
    for number, (name, points) in enumerate(lines.items()):
        colour = f"c{number % len(COLOURS)}"
        parts.append(svg.path(f"line {colour}", frame, points))
        keys.append(f'<b class="{colour}"></b>{escape(name)}')
    caption = f"{escape(title)}. {' '.join(keys)}"
    return html.figure(svg.drawing(frame.height, title, parts), caption)


def _logged(points: Points) -> Points:
    return [(x, log10(max(y, _LOWEST_MS))) for x, y in points]


def _decades(frame: svg.Frame) -> list[str]:
    powers = range(round(frame.y_low), round(frame.y_high) + 1)
    return [svg.level(frame, power, duration(power)) for power in powers]


def duration(power: int) -> str:
    """Name 10 to this power of milliseconds; short, for it stands left of the plot."""
    whole = 3
    return f"{10 ** (power - whole):,} s" if power >= whole else f"{10.0**power:g} ms"


def _nines(most: float) -> dict[float, str]:
    """Return the places of the percentiles that people speak of."""
    known = {0.0: "0", 0.30103: "50 %", 1.0: "90 %", 2.0: "99 %", 3.0: "99.9 %"}
    known[4.0] = "99.99 %"
    return {nines: name for nines, name in known.items() if nines <= most}
