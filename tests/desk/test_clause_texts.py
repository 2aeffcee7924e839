"""A clause that decided a wager can be read: every rule set, every clause."""

import pytest

from blackjack import settlement
from blackjack.rule_sets import RULE_SETS, rule_set
from services.gateway.desk.clause_texts import clause_texts
from tests.test_clauses import clause_ids


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_clause_of_a_rule_set_has_its_words(name: str) -> None:
    """C-55: whatever a line may cite has one whole sentence or more."""
    rules = rule_set(name)
    texts = clause_texts(rules)

    assert set(texts) == set(rules.clauses.values())
    assert set(texts) <= set(clause_ids())
    for text in texts.values():
        assert text[0].isupper()
        assert text.endswith(".")
        assert "{" not in text


@pytest.mark.parametrize(
    ("name", "clause", "said"),
    [
        ("ny-switch-6d", "NY-36", "1 to 1"),
        ("lv-6d", "LV-40", "3 to 2"),
        ("lv-1d", "LV-41", "6 to 5"),
        ("ny-switch-6d", "NY-42", "more than 22"),
        ("lv-6d", "LV-42", "more than 21"),
        ("ny-switch-8d", "NY-15", "pays 50 to 1"),
        ("lv-2d", "LV-18", "two of a rank and a suit in the first two cards"),
        ("ny-switch-6d", "NY-11", "no two of a rank"),
    ],
)
def test_what_a_clause_pays_is_the_rule_set_s_own(
    name: str, clause: str, said: str
) -> None:
    """NY-36, LV-40, LV-41: odds are read from the rules, not written twice."""
    assert said in clause_texts(rule_set(name))[clause]


def test_the_page_and_the_settlement_name_the_same_results() -> None:
    """A kind of result without words would be found here first."""
    known = {result for rules in RULE_SETS.values() for result in rules.clauses}

    assert settlement.match_category(("Ah", "Ad", "As", "Ac")) in known
    assert settlement.pair_category(("Ah", "Ah")) in known
