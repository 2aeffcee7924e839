"""A certificate in a terminal of 80 columns."""

from rich.console import Console
from rich.table import Table

from push22.certify import wording as w
from push22.certify.certificate import Certificate
from push22.certify.dealer_totals import ENDINGS


def show(certificate: Certificate, out: Console) -> None:
    for title, table in (
        ("", _identity(certificate)),
        ("main game, sampled", _main_game(certificate)),
        ("side wager, exact", _side_wager(certificate)),
        ("insurance, exact, per unit", _insurance(certificate)),
        ("dealer's endings, exact", _dealer(certificate)),
    ):
        if table is None:
            continue
        if title:
            out.print(f"\n{title}", style="bold")
        out.print(table)


def _facts(facts: dict[str, str]) -> Table:
    table = Table(box=None, padding=(0, 1), pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, text in facts.items():
        table.add_row(name, text)
    return table


def _columns(first: str, *others: str, space: int = 2) -> Table:
    table = Table(box=None, padding=(0, space, 0, 0), pad_edge=False)
    table.add_column(first, no_wrap=True)
    for name in others:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _identity(certificate: Certificate) -> Table:
    identity, game = certificate.identity, certificate.main_game
    return _facts(
        {
            "rule set": identity.rules,
            "options": w.options(certificate),
            "rules SHA-256": identity.rules_sha256,
            "strategy": identity.strategy_sha256,
            "engine": identity.engine,
            "seed, rounds": f"{game.seed}, {game.rounds:,}",
        }
    )


def _main_game(certificate: Certificate) -> Table:
    game = certificate.main_game
    return _facts(w.main_game_lines(game) | w.published_lines(game.published))


def _side_wager(certificate: Certificate) -> Table | None:
    side = certificate.side_wager
    if side is None:
        return None
    table = _columns(w.SIDE_NAMES[side.name], "pays", "ways", "chance", "decimal")
    for line in side.lines:
        table.add_row(
            w.CATEGORY_NAMES[line.category],
            f"{line.pays:+d}",
            f"{line.combinations:,}",
            line.chance.fraction,
            f"{line.chance.value:.10f}",
        )
    value = f"{side.value.value:+.8f}"
    table.add_row("value", "", f"{side.combinations:,}", side.value.fraction, value)
    edge = f"{side.edge_percent:.6f} %"
    table.add_row("edge; deviation", "", "", f"{side.deviation:.6f}", edge)
    return table


def _insurance(certificate: Certificate) -> Table:
    table = _columns("up card", "cards seen", "dealer natural", "value", "percent")
    for line in certificate.insurance:
        table.add_row(
            w.up_name(line.up),
            w.seen(line),
            line.natural.fraction,
            line.value.fraction,
            f"{100 * line.value.value:+.4f}",
        )
    return table


def _dealer(certificate: Certificate) -> Table:
    dealer = certificate.dealer
    table = _columns("up card", *ENDINGS, space=1)
    rows = {"any card": dealer.overall} | {
        w.up_name(up): chances for up, chances in dealer.by_up.items()
    }
    for name, chances in rows.items():
        table.add_row(name, *(f"{chances[each].value:.6f}"[1:] for each in ENDINGS))
    return table
