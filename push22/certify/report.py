"""The certificate as one HTML page for a regulator: no address, no script, no fetch."""

from html import escape

from push22.certify import html, svg
from push22.certify import wording as w
from push22.certify.certificate import Certificate, Exact, MainGame
from push22.certify.dealer_totals import ENDINGS
from push22.certify.style import STYLE

_SAMPLED = (
    "Each round is dealt from a full, freshly shuffled shoe to one box and played by "
    "the strategy named above: the best switch, then the best play of each hand, no "
    "insurance. The edge is what the house keeps of the initial wagers; doubled and "
    "split stakes count in what is won and lost, not in the divisor."
)
_COUNTED = (
    "Every combination of a full shoe is counted, with the pay table of the rule data. "
    "The fractions are exact; decimals are rounded in their last place."
)
_INSURANCE = (
    "The value to the player of one unit, as a function of the cards seen besides the "
    "up card: none, or the starting cards of the player's own box."
)
_DEALER = (
    "The dealer plays out every hand of a full shoe, no other card seen. 21 is without "
    "the natural. Exact; rounded here to six decimals, in full by --json."
)


def page(certificate: Certificate) -> str:
    """Return the whole report; equal certificates, equal bytes."""
    title = f"Certificate: {certificate.identity.rules}"
    body = "\n".join(
        (
            _header(certificate),
            _summary(certificate),
            _identity(certificate),
            _main_game(certificate.main_game),
            _side_wager(certificate),
            _insurance(certificate),
            _dealer(certificate),
            _footer(certificate),
        )
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _header(certificate: Certificate) -> str:
    identity = certificate.identity
    chosen = w.options(certificate)
    return (
        f"<header>\n<h1>{escape(identity.rules)}</h1>\n"
        f"<p>Certificate of the game's mathematics. House options: {escape(chosen)}."
        "</p>\n</header>"
    )


def _summary(certificate: Certificate) -> str:
    game = certificate.main_game
    found = {"House edge": (w.percent(game.edge_percent, 3), w.margin(game))}
    if game.published is not None:
        figure = f"{game.published.figure_percent} %"
        found["Published"] = (figure, w.verdict_in_short(game.published))
    if game.switch_percent is not None:
        found["Switched"] = (w.percent(game.switch_percent, 2), "of rounds")
    side = certificate.side_wager
    if side is not None:
        name = w.SIDE_NAMES[side.name]
        found[name] = (w.percent(side.edge_percent), "house edge, exact")
    return html.tiles(found)


def _identity(certificate: Certificate) -> str:
    identity, game = certificate.identity, certificate.main_game
    digests = {
        "rule data, SHA-256": identity.rules_sha256,
        "strategy, SHA-256": identity.strategy_sha256,
        "engine": identity.engine,
        "seed": str(game.seed),
        "rounds": f"{game.rounds:,}",
    }
    return html.section(
        "1  What is certified",
        html.facts(digests, fixed=True),
        html.facts(identity.in_words),
    )


def _main_game(game: MainGame) -> str:
    found = game.published
    lines = w.main_game_lines(game) | w.published_lines(found)
    accepted = None if found is None else (found.low_percent, found.high_percent)
    steps = [
        svg.Step(
            point.rounds,
            point.edge_percent,
            point.edge_percent - point.margin_percent,
            point.edge_percent + point.margin_percent,
        )
        for point in game.convergence
    ]
    caption = (
        'House edge after so many rounds. <b class="key-line"></b>edge '
        '<b class="key-band"></b>its 95 % interval'
    )
    if found is not None:
        other = " of another game" if found.difference else ""
        caption += f'<b class="key-accepted"></b>range of the published figure{other}'
    plot = svg.line_plot(steps, accepted, "Convergence of the house edge")
    return html.section(
        "2  Main game, sampled",
        html.note(_SAMPLED),
        html.facts(lines),
        html.figure(plot, caption),
    )


def _side_wager(certificate: Certificate) -> str:
    side = certificate.side_wager
    title = "3  Side wager, exact"
    if side is None:
        return html.section(title, html.note("The rule set has no side wager."))
    rows = [
        (
            w.CATEGORY_NAMES[line.category],
            f"{line.pays} : 1" if line.pays > 0 else "loses",
            f"{line.combinations:,}",
            line.chance.fraction,
            f"{line.chance.value:.10f}",
        )
        for line in side.lines
    ]
    rows.append(("all", "", f"{side.combinations:,}", "1", "1"))
    worth = {
        "value to the player": f"{side.value.fraction} per unit",
        "house edge": f"{side.edge_percent:.6f} %",
        "standard deviation": f"{side.deviation:.6f} per unit",
    }
    heads = (w.SIDE_NAMES[side.name], "pays", "combinations", "probability", "decimal")
    return html.section(
        title,
        html.note(_COUNTED),
        html.grid(heads, rows, last_is_sum=True),
        html.facts(worth),
    )


def _insurance(certificate: Certificate) -> str:
    rows = [
        (
            w.up_name(line.up),
            w.seen(line),
            line.natural.fraction,
            line.value.fraction,
            f"{100 * line.value.value:+.4f} %",
        )
        for line in certificate.insurance
    ]
    heads = ("up card", "cards seen", "dealer natural", "value per unit", "in percent")
    return html.section(
        "4  Insurance, exact", html.note(_INSURANCE), html.grid(heads, rows)
    )


def _dealer(certificate: Certificate) -> str:
    dealer = certificate.dealer
    values = [(name, 100 * dealer.overall[name].value) for name in ENDINGS]
    rows = [("any", *_decimals(dealer.overall))]
    rows += [(w.up_name(up), *_decimals(found)) for up, found in dealer.by_up.items()]
    natural = {
        "natural in two cards": f"{certificate.natural.fraction} = "
        f"{certificate.natural.value:.7f}",
        "soft 17": f"the dealer {dealer.soft_17}s",
    }
    return html.section(
        "5  The dealer's endings, exact",
        html.note(_DEALER),
        html.facts(natural),
        html.figure(
            svg.bars(values, "The dealer's endings"),
            "Percent of the dealer's hands, any up card.",
        ),
        html.grid(("up card", *ENDINGS), rows),
    )


def _decimals(chances: dict[str, Exact]) -> list[str]:
    return [f"{chances[each].value:.6f}"[1:] for each in ENDINGS]


def _footer(certificate: Certificate) -> str:
    command = escape(w.command(certificate))
    return (
        "<footer>\nThe same command on the same build gives this page again, byte for "
        f"byte:<br><code>{command}</code>\n</footer>"
    )
