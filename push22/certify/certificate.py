"""The certificate as one value: what `--json` prints and the report shows.

Exact figures carry their fraction as text beside the float; the others are sampled.
The same rules, strategy, seed and rounds give the same certificate, byte for byte.
"""

from fractions import Fraction

import msgspec

from push22.certify.published import Verdict

FORMAT = "push22.certificate.v1"


class Exact(msgspec.Struct, frozen=True):
    """A rational number: `n/d` in lowest terms, and the float nearest to it."""

    fraction: str
    value: float


def exact(number: Fraction) -> Exact:
    return Exact(f"{number.numerator}/{number.denominator}", float(number))


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """What was certified: game, engine, and the digests of rules and strategy."""

    rules: str
    options: dict[str, object]
    engine: str
    rules_sha256: str
    strategy_sha256: str
    in_words: dict[str, str]


class SideLine(msgspec.Struct, frozen=True, kw_only=True):
    category: str
    pays: int
    combinations: int
    chance: Exact


class SideWager(msgspec.Struct, frozen=True, kw_only=True):
    """`value` is the player's per unit, the edge its negative in percent."""

    name: str
    lines: tuple[SideLine, ...]
    combinations: int
    value: Exact
    edge_percent: float
    deviation: float


class InsuranceLine(msgspec.Struct, frozen=True, kw_only=True):
    """`completing`: of the cards seen, those that would make the dealer's natural."""

    up: str
    seen: int
    completing: int
    natural: Exact
    value: Exact


class DealerTotals(msgspec.Struct, frozen=True, kw_only=True):
    """Chances by ending; `by_up` for each up card, no other card seen."""

    soft_17: str
    overall: dict[str, Exact]
    by_up: dict[str, dict[str, Exact]]


class PublishedFigure(msgspec.Struct, frozen=True, kw_only=True):
    """`difference` says what is other in the game that the figure is of, if anything.

    `verdict` is of the whole 95 % interval: inside the range, outside, or neither.
    """

    game: str
    figure_percent: str
    low_percent: float
    high_percent: float
    source: str
    difference: str
    verdict: Verdict


class ConvergencePoint(msgspec.Struct, frozen=True):
    rounds: int
    edge_percent: float
    margin_percent: float


class MainGame(msgspec.Struct, frozen=True, kw_only=True):
    """Sampled. Percentages of the initial wager; `margin` is half a 95 % interval.

    `by_values_percent` is the edge added up from the strategy's values, without
    chance; null where they don't tell.
    """

    rounds: int
    seed: int
    edge_percent: float
    low_percent: float
    high_percent: float
    margin_percent: float
    by_values_percent: float | None
    deviation: float
    staked_per_initial: float
    switch_percent: float | None
    naturals_per_round: float
    convergence: tuple[ConvergencePoint, ...]
    published: PublishedFigure | None


class Certificate(msgspec.Struct, frozen=True, kw_only=True):
    identity: Identity
    side_wager: SideWager | None
    insurance: tuple[InsuranceLine, ...]
    natural: Exact
    dealer: DealerTotals
    main_game: MainGame
    format: str = FORMAT


def to_json(certificate: Certificate) -> bytes:
    return msgspec.json.encode(certificate)
