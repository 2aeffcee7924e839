"""What of an event reaches a viewer: `contracts.sight`, and what money would tell.

Nothing is shown that was not cut here first.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from blackjack.rule_sets import rule_set
from contracts import settlement as st
from contracts.sight import seen_by
from contracts.table_events import RoundTerms

EVERYBODY = ""
"""The viewer who sees what all may see."""


def lies_face_down(rule_set_id: str, options: Mapping[str, object]) -> bool:
    """Tell whether players see cards of their own (LV-13)."""
    return rule_set(rule_set_id, options).pitch


def cut(event: Any, terms: RoundTerms, viewer: str) -> Any:
    """Return the event as the viewer may see it.

    A side wager's result tells of cards that may lie face down still (LV-13): its
    line is its player's own there.
    """
    if isinstance(event, st.WagersSettled):
        is_open = not lies_face_down(terms.rule_set, terms.options)
        lines = tuple(
            item
            for item in event.lines
            if is_open or item.line.kind != "side" or item.player == viewer
        )
        return replace(event, lines=lines)
    return seen_by(event, viewer)
