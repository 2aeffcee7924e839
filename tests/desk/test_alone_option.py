"""What one person may decide alone is said on the command line, or nothing is."""

import pytest

from push22.door.options import DoorOptions
from push22.errors import Failure


def test_the_option_names_amounts_by_currency() -> None:
    """Minor units; of a currency that is not named nothing may be decided alone."""
    assert DoorOptions(alone="EUR=5000, USD=0").thresholds() == {"EUR": 5000, "USD": 0}
    assert DoorOptions().thresholds() == {}


@pytest.mark.parametrize(
    "text", ["EUR", "EUR=", "eur=5", "EUR=-5", "EUR=5.0", "EUR=٣", "EUR=1" + "0" * 15]
)
def test_what_is_no_amount_starts_no_gateway(text: str) -> None:
    """A misspelt limit must not become another one."""
    with pytest.raises(Failure, match="--alone"):
        DoorOptions(alone=text).thresholds()
