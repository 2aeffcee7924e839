"""The clock of a decision is shown, and what the table decided is told as such."""

import re
from pathlib import Path

from playwright.async_api import expect

from contracts import table as t
from tests.page.stage import bet, over, stage

CARDS = "Th 9c 6d 8s 7d Tc 9h"
QUICK = t.Timings(120_000, 5_000, 120_000, 4_000, 10_000)


async def test_a_round_plays_on_when_the_clock_runs_out(tmp_path: Path) -> None:
    """Nobody decides: the hands stand, and history says who stood them."""
    async with stage(tmp_path, CARDS, timings=QUICK) as the:
        page = await the.opened()
        await bet(page)
        await page.get_by_role("button", name="Deal").click()
        timer = page.get_by_role("timer")
        await expect(timer).to_have_accessible_name(re.compile("^[1-4] seconds left$"))
        await over(page)
        await page.get_by_role("button", name="History").click()
        await page.get_by_role("button", name="round-t1-1", exact=True).click()
        told = page.get_by_role("dialog")
        await expect(told).to_contain_text("Replay of a finished round")
        await expect(told).to_contain_text("hand stood · 1.1 · decided by the table")
        await expect(told).to_contain_text("Hand 1 Win +€10.00")
