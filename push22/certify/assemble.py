"""Counts and sample become a certificate; nothing is worked out anywhere else."""

from fractions import Fraction
from typing import NamedTuple

from blackjack.house_rules import RuleSet, digest
from contracts import ENGINE_VERSION
from push22.certify import certificate as c
from push22.certify.certificate import exact
from push22.certify.counting import natural_chance
from push22.certify.dealer_totals import by_up_card, of_any_up_card
from push22.certify.estimate import Estimate
from push22.certify.insurance_worth import insurance_worths
from push22.certify.published import comparison_for
from push22.certify.rules_in_words import rules_in_words
from push22.certify.side_wagers import side_worth


def identity(
    rules: RuleSet, options: dict[str, object], strategy_sha256: str
) -> c.Identity:
    return c.Identity(
        rules=rules.id,
        options=options,
        engine=ENGINE_VERSION,
        rules_sha256=digest(rules),
        strategy_sha256=strategy_sha256,
        in_words=rules_in_words(rules),
    )


class Played(NamedTuple):
    """What is known of the main game: by chance from a seed, and without chance."""

    estimate: Estimate
    seed: int
    by_values: float | None


def assemble(rules: RuleSet, certified: c.Identity, played: Played) -> c.Certificate:
    return c.Certificate(
        identity=certified,
        side_wager=_side_wager(rules),
        insurance=_insurance(rules),
        natural=exact(natural_chance(rules.decks)),
        dealer=_dealer(rules),
        main_game=_main_game(rules, played),
    )


def _side_wager(rules: RuleSet) -> c.SideWager | None:
    found = side_worth(rules)
    if found is None:
        return None
    return c.SideWager(
        name=found.name,
        lines=tuple(
            c.SideLine(
                category=each.name,
                pays=each.pays,
                combinations=each.combinations,
                chance=exact(each.chance),
            )
            for each in found.categories
        ),
        combinations=found.combinations,
        value=exact(found.value),
        edge_percent=-100 * float(found.value),
        deviation=found.deviation,
    )


def _insurance(rules: RuleSet) -> tuple[c.InsuranceLine, ...]:
    return tuple(
        c.InsuranceLine(
            up=each.up,
            seen=each.seen,
            completing=each.completing,
            natural=exact(each.natural),
            value=exact(each.value),
        )
        for each in insurance_worths(rules)
    )


def _dealer(rules: RuleSet) -> c.DealerTotals:
    by_up = by_up_card(rules.decks, hits_soft_17=rules.hits_soft_17)
    return c.DealerTotals(
        soft_17="hit" if rules.hits_soft_17 else "stand",
        overall=_exact_each(of_any_up_card(by_up)),
        by_up={up: _exact_each(chances) for up, chances in by_up.items()},
    )


def _exact_each(chances: dict[str, Fraction]) -> dict[str, c.Exact]:
    return {ending: exact(chance) for ending, chance in chances.items()}


def _main_game(rules: RuleSet, played: Played) -> c.MainGame:
    found, by_values = played.estimate, played.by_values
    points = (
        c.ConvergencePoint(point.rounds, 100 * point.edge, 100 * point.margin)
        for point in found.convergence
    )
    return c.MainGame(
        rounds=found.rounds,
        seed=played.seed,
        edge_percent=100 * found.edge,
        low_percent=100 * found.low,
        high_percent=100 * found.high,
        margin_percent=100 * found.margin,
        by_values_percent=None if by_values is None else 100 * by_values,
        deviation=found.deviation,
        staked_per_initial=found.staked,
        switch_percent=100 * found.switch_share if rules.switch else None,
        naturals_per_round=found.naturals_per_round,
        convergence=tuple(points),
        published=_published(rules, found),
    )


def _published(rules: RuleSet, estimated: Estimate) -> c.PublishedFigure | None:
    found = comparison_for(rules)
    if found is None:
        return None
    return c.PublishedFigure(
        game=found.published.game,
        figure_percent=found.published.figure,
        low_percent=found.published.low,
        high_percent=found.published.high,
        source=found.published.source,
        difference=found.difference,
        verdict=found.verdict(100 * estimated.low, 100 * estimated.high),
    )
