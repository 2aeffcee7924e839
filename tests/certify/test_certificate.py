"""The certificate's JSON is stable: names, exact figures as text, sampled as floats."""

import json
from typing import Any

import msgspec
import pytest

from blackjack.rule_sets import RULE_SETS, digest, rule_set
from contracts import ENGINE_VERSION
from push22.certify.certificate import Certificate, to_json
from tests.certify.samples import STRATEGY, given_certificate


def decoded(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(to_json(given_certificate(rule_set(name))))
    return found


def test_it_says_what_was_certified() -> None:
    """Rule set, options, engine and both digests."""
    options: dict[str, object] = {"soft17": "stand"}
    rules = rule_set("ny-switch-6d", options)
    found = json.loads(to_json(given_certificate(rules, options)))

    assert found["format"] == "push22.certificate.v1"
    assert found["identity"]["rules"] == "ny-switch-6d"
    assert found["identity"]["options"] == {"soft17": "stand"}
    assert found["identity"]["engine"] == ENGINE_VERSION
    assert found["identity"]["rules_sha256"] == digest(rules)
    assert found["identity"]["strategy_sha256"] == STRATEGY
    assert found["identity"]["in_words"]["soft 17"] == "dealer stands"


def test_exact_figures_are_fractions_and_floats() -> None:
    """`n/d` in lowest terms, beside the nearest float."""
    found = decoded("ny-switch-6d")

    assert found["side_wager"]["value"] == {
        "fraction": "-126536/4965115",
        "value": -126536 / 4965115,
    }
    assert found["side_wager"]["lines"][0] == {
        "category": "pair",
        "pays": 1,
        "combinations": 136_401_408,
        "chance": {"fraction": "1748736/4965115", "value": 1748736 / 4965115},
    }
    assert found["natural"]["fraction"] == "192/4043"
    assert found["insurance"][0] == {
        "up": "A",
        "seen": 0,
        "completing": 0,
        "natural": {"fraction": "96/311", "value": 96 / 311},
        "value": {"fraction": "-23/311", "value": -23 / 311},
    }


def test_the_dealer_is_told_by_up_card() -> None:
    """Ten up cards of eight endings each, and their mean."""
    found = decoded("lv-6d-high-limit")["dealer"]

    assert found["soft_17"] == "stand"
    assert list(found["by_up"]) == list("23456789TA")
    assert round(found["overall"]["17"]["value"], 6) == 0.145245
    assert {len(endings) for endings in found["by_up"].values()} == {8}


def test_the_main_game_is_told_in_percent() -> None:
    """The hand-made sample keeps 0.6 % of the initial wagers."""
    found = decoded("lv-2d")["main_game"]

    assert (found["rounds"], found["seed"]) == (400, 7)
    assert found["edge_percent"] == pytest.approx(0.6)
    assert found["high_percent"] - found["low_percent"] == pytest.approx(
        2 * found["margin_percent"]
    )
    assert found["switch_percent"] is None
    assert len(found["convergence"]) == 4
    assert found["published"]["figure_percent"] == "0.391"
    assert found["published"]["verdict"] == "open"
    assert found["by_values_percent"] is None


def test_a_nearby_figure_has_no_verdict() -> None:
    """The game differs, so it is neither inside nor outside."""
    found = decoded("ny-switch-6d")["main_game"]

    assert found["switch_percent"] == pytest.approx(32.5)
    assert found["published"]["verdict"] == "another_game"


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_rule_set_has_a_certificate(name: str) -> None:
    """What is written can be read again, and writes the same bytes."""
    found = to_json(given_certificate(rule_set(name)))

    again = msgspec.json.decode(found, type=Certificate)

    assert to_json(again) == found


def test_what_a_rule_set_has_not_is_null() -> None:
    """One deck has no side wager; nobody has published multiple action."""
    assert decoded("lv-1d")["side_wager"] is None
    assert decoded("ny-multiple-action")["main_game"]["published"] is None
