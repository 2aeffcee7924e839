"""What a transcript says of a refused action."""

from contracts import table_events as te
from push22.inspect.wording import words_of


def refused(reason: str) -> str:
    return words_of(te.CommandRefused("c1", "table.stand.v1", reason, "1.1"))


def test_another_decision_was_due_is_said() -> None:
    """Whose insurance is waited for would read the bare reason as our error."""
    words = "REFUSED: stand 1.1: not_your_turn (another decision was due first)"
    assert refused("not_your_turn") == words
    assert refused("hand_closed") == "REFUSED: stand 1.1: hand_closed"
