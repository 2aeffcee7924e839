"""Small pieces of a page: tables, figures and sections, everything escaped."""

from collections.abc import Iterable, Sequence
from html import escape

Row = Sequence[str]


def facts(rows: dict[str, str], *, fixed: bool = False) -> str:
    """Return names and what they are; `fixed` sets digests in fixed width."""
    name = "facts fixed" if fixed else "facts"
    body = "".join(
        f'<tr><th scope="row">{escape(key)}</th><td>{escape(text)}</td></tr>\n'
        for key, text in rows.items()
    )
    return f'<table class="{name}">\n{body}</table>'


def grid(heads: Row, rows: Iterable[Row], *, last_is_sum: bool = False) -> str:
    """Return a table of figures; the first column names its row."""
    found = list(rows)
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    body = "".join(_row(row, is_sum=last_is_sum and row is found[-1]) for row in found)
    return (
        f'<table class="grid">\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}</tbody>\n</table>"
    )


def _row(row: Row, *, is_sum: bool) -> str:
    first, *others = row
    cells = "".join(f"<td>{escape(text)}</td>" for text in others)
    name = ' class="sum"' if is_sum else ""
    return f'<tr{name}><th scope="row">{escape(first)}</th>{cells}</tr>\n'


def figure(drawing: str, caption: str) -> str:
    return f"<figure>\n{drawing}\n<figcaption>{caption}</figcaption>\n</figure>"


def section(title: str, *parts: str) -> str:
    body = "\n".join(part for part in parts if part)
    return f"<section>\n<h2>{escape(title)}</h2>\n{body}\n</section>"


def note(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def tiles(rows: dict[str, tuple[str, str]]) -> str:
    """Return the figures a reader looks for first: name, figure, and what it means."""
    body = "".join(
        f"<div><span>{escape(name)}</span><strong>{escape(text)}</strong>"
        f"<span>{escape(under)}</span></div>\n"
        for name, (text, under) in rows.items()
    )
    return f'<div class="tiles">\n{body}</div>'
