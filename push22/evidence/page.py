"""The pages of a report: A4, one typeface, headings, tables, page numbers.

Only fonts that every reader of PDF has are used; what they lack is shown as `?`.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from fpdf import FPDF
from fpdf.enums import TableBordersLayout, XPos, YPos
from fpdf.fonts import FontFace

MARGIN = 15.0
WIDTH = 210.0 - 2 * MARGIN
_FOOT = 16.0
_GREY = (95, 95, 95)
_SHADE = (232, 238, 243)
_TITLE = (20, 50, 80)
_MARK = "REPLAY, not live"


class Page(FPDF):
    """A document with our head and foot. `round_id` stands on every page."""

    def __init__(self, round_id: str, made_at: int) -> None:
        super().__init__(format="A4")
        self._round_id = round_id
        self.set_margins(MARGIN, MARGIN, MARGIN)
        self.set_auto_page_break(auto=True, margin=_FOOT + 4)
        self.set_creation_date(datetime.fromtimestamp(made_at / 1_000_000, tz=UTC))
        self.set_title(f"Evidence: {round_id}")
        self.set_producer("Push22")
        self.set_creator("push22 evidence")
        self.set_lang("en")
        self.alias_nb_pages("{pages}")

    def header(self) -> None:
        self.set_font("Helvetica", "", 8)
        self.set_text_color(*_GREY)
        self.cell(WIDTH / 2, 5, self._round_id)
        self.cell(WIDTH / 2, 5, _MARK, align="R", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self.ln(2)
        self.set_text_color(0, 0, 0)

    def footer(self) -> None:
        self.set_y(-_FOOT)
        self.set_font("Helvetica", "", 8)
        self.set_text_color(*_GREY)
        text = f"Evidence pack of {self._round_id}"
        self.cell(WIDTH / 2, 5, text)
        self.cell(WIDTH / 2, 5, f"page {self.page_no()} of {{pages}}", align="R")
        self.set_text_color(0, 0, 0)

    def big_title(self, text: str, below: str) -> None:
        self.set_font("Helvetica", "B", 20)
        self.set_text_color(*_TITLE)
        self.line_of(10, text)
        self.set_font("Helvetica", "", 11)
        self.set_text_color(*_GREY)
        self.line_of(6, below)
        self.set_text_color(0, 0, 0)
        self.ln(3)

    def heading(self, text: str, room: float = 30.0) -> None:
        """Begin a part; where less room is left for it, on a new page."""
        self.ensure(room)
        self.ln(4)
        self.set_font("Helvetica", "B", 13)
        self.set_text_color(*_TITLE)
        self.line_of(7, text)
        self.set_draw_color(*_TITLE)
        self.set_line_width(0.3)
        self.line(MARGIN, self.get_y(), MARGIN + WIDTH, self.get_y())
        self.set_text_color(0, 0, 0)
        self.ln(2)

    def ensure(self, room: float) -> None:
        if self.get_y() + room > self.page_break_trigger:
            self.add_page()

    def line_of(self, height: float, text: str) -> None:
        self.cell(WIDTH, height, shown(text), new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def paragraph(self, text: str, *, size: float = 9.5, bold: bool = False) -> None:
        self.set_font("Helvetica", "B" if bold else "", size)
        height = size * 0.5
        self.multi_cell(
            WIDTH, height, shown(text), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT
        )
        self.ln(1)

    def facts(self, rows: Iterable[tuple[str, str]]) -> None:
        """Name and value beside each other."""
        self.set_fill_color(255, 255, 255)
        self.set_font("Helvetica", "", 9.5)
        with self.table(
            col_widths=(32, WIDTH - 32),
            borders_layout=TableBordersLayout.NONE,
            first_row_as_headings=False,
            line_height=5.0,
            text_align="LEFT",
            width=WIDTH,
        ) as table:
            for name, value in rows:
                row = table.row()
                row.cell(shown(name), style=FontFace(color=_GREY))
                row.cell(shown(value))

    def grid(
        self,
        names: Sequence[str],
        widths: Sequence[float],
        rows: Iterable[Sequence[str]],
        numbers: Sequence[int] = (),
    ) -> None:
        """A table whose heading comes again on each page; `numbers` stand right."""
        self.set_font("Helvetica", "", 8.5)
        self.set_fill_color(255, 255, 255)
        self.set_draw_color(205, 213, 220)
        self.set_line_width(0.2)
        align = tuple("R" if at in numbers else "L" for at in range(len(names)))
        with self.table(
            col_widths=tuple(widths),
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            headings_style=FontFace(emphasis="BOLD", fill_color=_SHADE),
            line_height=4.2,
            padding=(0.8, 2.0, 0.8, 1.0),
            text_align=align,
            v_align="TOP",
            width=WIDTH,
        ) as table:
            table.row([shown(name) for name in names])
            for row in rows:
                table.row([shown(cell) for cell in row])


_PLAINER = str.maketrans({"\u2013": "-", "\u2014": "-", "\u2019": "'", "\u2026": "..."})


def shown(text: str) -> str:
    """Return a text in the letters that the typeface has."""
    plainer = " ".join(text.translate(_PLAINER).split())
    return plainer.encode("latin-1", "replace").decode("latin-1")
