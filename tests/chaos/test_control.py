"""The judge itself: content with a sound casino, and with no other."""

import pytest

from tests.chaos.case import Case
from tests.chaos.crowd import Crowd
from tests.chaos.marks import CHAOS

pytestmark = CHAOS


@pytest.mark.chaos_ci
async def test_a_casino_left_alone_is_in_order(case: Case) -> None:
    """No trouble: what the judge finds elsewhere comes from the trouble."""

    async def trouble(crowd: Crowd) -> None:
        await case.in_play(crowd)

    await case.run(trouble)
