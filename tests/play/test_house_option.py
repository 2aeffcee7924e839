"""House options on the command line read the same for every command."""

import pytest

from push22.errors import Failure
from push22.house_option import options_of


def test_values_are_read_as_json_or_words() -> None:
    """A number, true, false and a list are values; everything else is a word."""
    words = ["boxes=3", "look=true", "entry=[1,2]", "soft17=stand"]

    assert options_of(words) == {
        "boxes": 3,
        "look": True,
        "entry": [1, 2],
        "soft17": "stand",
    }
    assert options_of(None) == {}


@pytest.mark.parametrize("words", [["soft17"], ["=hit"], ["soft17="], ["a=1", "a=2"]])
def test_what_names_no_value_is_refused(words: list[str]) -> None:
    """Law 8: a name without a value, or with two, is a usage error."""
    with pytest.raises(Failure, match="--option") as failed:
        options_of(words)

    assert failed.value.exit_code == 2
