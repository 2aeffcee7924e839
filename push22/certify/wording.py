"""The words in which a certificate is shown, on paper and in the terminal alike."""

import json
import shlex

from push22.certify.certificate import (
    Certificate,
    InsuranceLine,
    MainGame,
    PublishedFigure,
)

SIDE_NAMES = {"super_match": "Super Match", "bet_the_set": "Bet the Set"}
CATEGORY_NAMES = {
    "suited": "suited pair",
    "pair": "pair",
    "three": "three of a kind",
    "two_pairs": "two pairs",
    "four": "four of a kind",
    "no_match": "no match",
}
VERDICTS = {
    "inside": "inside the range",
    "outside": "OUTSIDE the range",
    "open": "not decided by so many rounds",
    "another_game": "of the nearest game",
}
UP_NAMES = {"A": "ace", "T": "ten-value"}
COMPLETING_NAMES = {"A": "ten-values", "T": "aces"}


def up_name(up: str) -> str:
    return UP_NAMES.get(up, up)


def percent(value: float, digits: int = 4) -> str:
    return f"{value:.{digits}f} %"


def interval(game: MainGame) -> str:
    return f"{percent(game.low_percent)} to {percent(game.high_percent)}"


def accept_range(found: PublishedFigure) -> str:
    return f"{found.low_percent:.3f} to {found.high_percent:.3f} %"


def verdict(found: PublishedFigure) -> str:
    if found.verdict == "another_game":
        return f"not judged, the game differs: {found.difference}"
    return VERDICTS[found.verdict]


def seen(line: InsuranceLine) -> str:
    if not line.seen:
        return "no other card"
    return f"{line.seen}, of them {COMPLETING_NAMES[line.up]}: {line.completing}"


def options(certificate: Certificate) -> str:
    found = certificate.identity.options
    return ", ".join(f"{name}={value}" for name, value in found.items()) or "none"


def by_values(game: MainGame) -> str:
    """Return the edge without chance; values of one hand don't tell a box's edge."""
    found = game.by_values_percent
    return "not for this game" if found is None else f"{percent(found, 3)}, no chance"


def main_game_lines(game: MainGame) -> dict[str, str]:
    """Return every sampled figure by its name."""
    lines = {
        "house edge": f"{percent(game.edge_percent)} of the initial wagers",
        "95 % interval": interval(game),
        "by the values": by_values(game),
        "standard deviation": f"{game.deviation:.4f} of a round's initial wagers",
        "staked": f"{game.staked_per_initial:.4f} of the initial wagers",
        "player's naturals": f"{game.naturals_per_round:.5f} a round",
    }
    if game.switch_percent is not None:
        lines["switched"] = f"{percent(game.switch_percent, 2)} of rounds"
    return lines


def published_lines(found: PublishedFigure | None) -> dict[str, str]:
    """Return what others have published, and what it says of ours."""
    if found is None:
        return {"published": "no figure for this game"}
    return {
        "published": f"{found.figure_percent} % ({found.game})",
        "accepted": accept_range(found),
        "verdict": verdict(found),
        "source": found.source,
    }


def margin(game: MainGame) -> str:
    return f"\N{PLUS-MINUS SIGN} {percent(game.margin_percent, 3)}, 95 % interval"


def verdict_in_short(found: PublishedFigure) -> str:
    return VERDICTS[found.verdict]


def command(certificate: Certificate) -> str:
    """Return the command line that gives this certificate again."""
    identity, game = certificate.identity, certificate.main_game
    words = [f"push22 certify {identity.rules}"]
    words += [f"--rounds {game.rounds} --seed {game.seed}"]
    words += [f"--option {word}" for word in map(_option, identity.options.items())]
    return " ".join(words)


def _option(item: tuple[str, object]) -> str:
    name, value = item
    text = value if isinstance(value, str) else json.dumps(value)
    return shlex.quote(f"{name}={text}")
