"""A round as a transcript to read: step by step, then settlement and money.

It shows what was seen at the table and nothing else; every screen says REPLAY.
"""

from collections.abc import Iterable, Iterator

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from contracts import round_events as e
from contracts import settlement as st
from contracts.base import is_refusal, tag_of
from contracts.envelope import Envelope
from push22.inspect.history import steps_in
from push22.inspect.money import moment, money, offset
from push22.inspect.reader import Reader
from push22.inspect.round_balances import Balances, corrections_told
from push22.inspect.wording import HIDDEN, actor_of, words_of
from runtime.sqlite_file import SqliteFile
from services.archive.rebuild import (
    BoxView,
    DealerView,
    HandView,
    RoundView,
    Step,
    view_at,
    view_of,
)
from services.archive.round_book import transfers_in

WATERMARK = "REPLAY, not live"
PLAYED = "as just played, read back from the log"
_LEGEND = """
indented: other services, by their own clocks, which may be a little apart
may wait: need not be decided yet; settled: each result and what it pays back
dealt from: places in the shoe, 0 after the last; clauses: docs/rules.md"""

_NUMBERS = frozenset(
    ["stake", "payout", "net", "before", "after", "amount", "other", "owed"],
)
_SERVICE_NAMES = {"table-orchestrator": "table"}


def print_round(file: SqliteFile, round_id: str, console: Console) -> None:
    """Print a round of an open casino's file as it stands."""
    steps = steps_in(Reader(file), round_id)
    view = view_at(steps, steps[-1].sequence)
    show(console, steps, view, mark=PLAYED, legend="")


def show(
    console: Console,
    steps: tuple[Step, ...],
    view: RoundView,
    *,
    mark: str = WATERMARK,
    legend: str = _LEGEND,
) -> None:
    """Print the transcript up to where the view stands, under a visible mark.

    The legend is left out of rounds printed one after another.
    """
    past = tuple(step for step in steps if step.sequence <= view.sequence)
    console.print(Rule(mark))
    console.print(_header(past, view))
    console.print(_timeline(past))
    parts = (_standing(view), _lines(past), _money(past), _corrections(past))
    for part in parts:
        if part is not None:
            console.print(part)
    if legend:
        console.print(Text(legend, style="dim"))
    console.print(Rule(mark))


def _header(steps: tuple[Step, ...], view: RoundView) -> RenderableType:
    first = _first(steps)
    opened = first.event
    terms = opened.terms
    at = first.record.recorded_at
    closed = [s.record for s in steps if isinstance(s.event, e.RoundClosed)]
    end = f"closed {moment(closed[0].recorded_at)}" if closed else "not closed"
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold")
    grid.add_column(overflow="fold")
    grid.add_row("round", f"{opened.round_id}  after event {view.sequence}")
    grid.add_row("status", view.phase)
    grid.add_row("time (UTC)", f"opened {moment(at)}, {end}")
    grid.add_row("table", f"{terms.table}, {terms.currency}, shoe {terms.shoe}")
    grid.add_row("rules", f"{terms.rule_set}, digest {terms.rule_set_digest}")
    grid.add_row("engine", terms.engine)
    return Group(grid, Text())


def _first(steps: tuple[Step, ...]) -> Step:
    return next(step for step in steps if isinstance(step.event, e.RoundOpened))


def _timeline(steps: tuple[Step, ...]) -> Table:
    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style="bold")
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("seconds", justify="right", no_wrap=True)
    table.add_column("who", overflow="fold", max_width=20)
    table.add_column("what", overflow="fold", ratio=1)
    began = _first(steps).record.recorded_at
    shown = ""
    for step in steps:
        _add_step(table, step, began)
        if not step.foreign and (now := _cards(step)) != shown:
            shown = now
            if now:
                table.add_row("", "", "", Text(now, style="cyan"))
    return table


def _add_step(table: Table, step: Step, began: int) -> None:
    record = step.record
    words = Text(words_of(step.event))
    if step.foreign:
        who = _SERVICE_NAMES.get(record.service, record.service)
        at = offset(record.recorded_at, began)
        table.add_row("", at, Text(f"  {who}"), words, style="dim")
        for move in transfers_in(step.event):
            text = f"{move.id}: {money(move.amount_minor)}"
            table.add_row("", "", "", Text(f"  {text}"), style="dim")
        return
    if is_refusal(tag_of(step.event)) or "REFUSED" in words.plain:
        words.stylize("bold")
    table.add_row(
        str(step.sequence),
        offset(record.recorded_at, began),
        Text(actor_of(record, step.event)),
        words,
    )


def _cards(step: Step) -> str:
    """Show all hands on one line, empty while there are none."""
    view = view_of(step.state, step.sequence, {})
    hands = [_hand(hand) for box in view.boxes for hand in box.hands if hand.cards]
    if not hands:
        return ""
    return " | ".join([*hands, f"dealer {dealer_cards(view.dealer)}"])


def _hand(hand: HandView) -> str:
    return f"{hand.label} {' '.join(hand.cards)} ({_total(hand)})"


def _total(view: HandView | DealerView) -> str:
    return f"soft {view.total}" if view.soft else str(view.total)


def dealer_cards(dealer: DealerView) -> str:
    """Show the dealer's open cards; one that lies face down shows its back."""
    cards = [*dealer.cards, *([HIDDEN] if dealer.face_down else [])]
    shown = " ".join(cards) or "none"
    return f"{shown} ({_total(dealer)})" if dealer.total else shown


def _standing(view: RoundView) -> RenderableType | None:
    """Show where an unfinished round stands: the options as they were offered."""
    table = _block("hands", "box", "player", "hand", "cards", "total", "stake")
    for box in view.boxes:
        for row in _box_rows(box):
            table.add_row(*row)
    table.add_row("", "dealer", "", dealer_cards(view.dealer), "", "")
    lines = [
        f"{o.target}: {' '.join(x.action for x in o.options)}" for o in view.offers
    ]
    if view.pending:
        lines.append(f"funds awaited: {', '.join(view.pending)}")
    return Group(table, *(Text(f"may now  {line}") for line in lines))


def _box_rows(box: BoxView) -> Iterator[tuple[str, ...]]:
    sides = " ".join(f"{n} {money(a)}" for n, a in box.side_wagers_minor.items())
    if not box.hands:
        wagers = " + ".join(map(money, box.wagers_minor))
        state = "" if box.confirmed else "funds awaited"
        yield (str(box.box), box.player, "", state, "", f"{wagers} {sides}")
    for hand in box.hands:
        yield (
            str(box.box),
            box.player,
            hand.label,
            f"{' '.join(hand.cards)} {hand.status}",
            _total(hand),
            money(hand.stake_minor),
        )


def _block(title: str, *columns: str) -> Table:
    table = Table(
        title=f"\n{title}",
        title_justify="left",
        title_style="bold",
        box=None,
        padding=(0, 1),
        pad_edge=False,
        header_style="dim",
    )
    for name in columns:
        table.add_column(
            name, justify="right" if name in _NUMBERS else "left", overflow="fold"
        )
    return table


def _lines(steps: Iterable[Step]) -> RenderableType | None:
    """Show each wager's result with the clauses that decided it."""
    names = ("wager", "player", "result", "stake", "payout", "net", "clauses")
    table = _block("settlement", *names)
    for step in steps:
        event = step.event
        if isinstance(event, st.WagersSettled):
            for item in event.lines:
                line = item.line
                net = line.payout_minor - line.stake_minor
                table.add_row(
                    line.label,
                    item.player,
                    line.result,
                    money(line.stake_minor),
                    money(line.payout_minor),
                    money(net, signed=True),
                    " ".join(line.clauses),
                )
        if isinstance(event, st.RoundVoidSettled):
            for refund in event.refunds:
                _add_refund(table, refund)
    return table if table.row_count else None


def _add_refund(table: Table, refund: st.Refund) -> None:
    back = money(refund.stake_minor)
    lost = money(refund.lost_minor, signed=True)
    table.add_row(refund.label, refund.player, "void", back, back, lost)


def _money(steps: tuple[Step, ...]) -> RenderableType | None:
    balances = Balances(steps)
    if not balances.rows:
        return None
    table = _block("balances", *balances.heads)
    for row in balances.rows:
        table.add_row(*row)
    return Group(table, *(Text(note, style="dim") for note in balances.notes))


def _corrections(steps: tuple[Step, ...]) -> RenderableType | None:
    told = corrections_told(steps)
    if not told:
        return None
    title = Text("\ncorrections, no part of the round's result", style="bold")
    return Group(title, *map(Text, told))


def step_as_json(step: Step) -> dict[str, object]:
    """Return a step for machines: its place, and the record as it was stored."""
    record: Envelope = step.record
    return {
        "sequence": step.sequence,
        "foreign": step.foreign,
        "words": words_of(step.event),
        "record": record,
        "balances_minor": step.balances_minor,
    }
