"""A sample written by hand, so that what is shown of it can be told beforehand."""

from typing import NamedTuple

from blackjack.house_rules import RuleSet
from push22.certify.assemble import Played, assemble, identity
from push22.certify.certificate import Certificate
from push22.certify.estimate import estimate

STRATEGY = "5" * 64


class GivenBatch(NamedTuple):
    rounds: int
    net_minor: int


class GivenSample(NamedTuple):
    """400 rounds of two wagers of 100, that cost the player 480 in all."""

    rounds: int = 400
    initial_minor: int = 80_000
    staked_minor: int = 88_000
    net_minor: int = -480
    net_squared: int = 12_000_576
    switches: int = 130
    naturals: int = 38
    batches: tuple[GivenBatch, ...] = (
        GivenBatch(100, -1_000),
        GivenBatch(100, 700),
        GivenBatch(100, 0),
        GivenBatch(100, -180),
    )


def given_certificate(
    rules: RuleSet, options: dict[str, object] | None = None
) -> Certificate:
    certified = identity(rules, options or {}, STRATEGY)
    return assemble(rules, certified, Played(estimate(GivenSample()), 7, None))
