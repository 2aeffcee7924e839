"""Lists of which an item is more than a line of 80 columns holds: a block for each."""

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

_INDENT = 2
_APART = "  "


def block(out: Console, head: str, *lines: Sequence[str]) -> None:
    """Print an item: its head, and below it what else is known, a line a subject.

    A line breaks between its parts where it can. A part that is longer than a line is
    broken within, so nothing is left out and nothing leaves the screen.
    """
    out.print(Text(head, overflow="fold"), style="bold")
    for parts in lines:
        for line in _filled([x for x in parts if x], out.width - _INDENT):
            out.print(
                Padding(Text(line, overflow="fold"), (0, 0, 0, _INDENT), expand=False)
            )


def _filled(parts: Sequence[str], width: int) -> list[str]:
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(_APART) + len(part) <= width:
            lines[-1] += _APART + part
        else:
            lines.append(part)
    return lines
