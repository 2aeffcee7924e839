"""Help whose lines break where the terminal ends, and nowhere else.

A docstring is wrapped in its source; wrapped once more it would break twice.
"""

import re

from cyclopts.help import DefaultFormatter, HelpPanel, InlineText
from rich.console import Console, ConsoleOptions
from rich.text import Text

_WRAPPED = re.compile(r"(?<=\S)\n(?=\S)")
"""A break within a paragraph; an indented line is one on purpose."""


def joined(text: str) -> str:
    """Return each paragraph as one line."""
    return _WRAPPED.sub(" ", text)


class JoinedLines(DefaultFormatter):
    """Prints a command's help with paragraphs that the terminal alone wraps."""

    def __call__(
        self, console: Console, options: ConsoleOptions, panel: HelpPanel
    ) -> None:
        for entry in panel.entries:
            _join(entry.description)
        super().__call__(console, options, panel)

    def render_description(
        self, console: Console, options: ConsoleOptions, description: object
    ) -> None:
        _join(description)
        super().render_description(console, options, description)


def _join(description: object) -> None:
    if not isinstance(description, InlineText):
        return
    written = description.primary_renderable
    if isinstance(written, Text):
        description.primary_renderable = Text(joined(written.plain), end=written.end)
