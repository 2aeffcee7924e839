"""The bar counts down to the next deal where the table has a minimum cycle."""

import re
from pathlib import Path

from playwright.async_api import expect

from contracts import table as t
from tests.page.stage import bet, over, stage

CYCLE_MS = 20_000
CARDS = "Th 9c 6d 8s 7d Tc 9h"
SLOW = t.Timings(120_000, 5_000, 120_000, 1_000, 10_000, CYCLE_MS)


async def test_the_next_deal_is_counted_down(tmp_path: Path) -> None:
    """Ready at once, the player waits for the cycle; then cards come by themselves."""
    async with stage(tmp_path, CARDS, timings=SLOW) as the:
        page = await the.opened()
        await bet(page)
        await page.get_by_role("button", name="Deal").click()
        await over(page)
        wait = page.locator(".next-deal")
        await expect(wait).to_have_text(
            re.compile(r"^next deal in \d+ s at the earliest$")
        )
        await page.get_by_role("button", name="New bets").click()
        await bet(page)
        await page.get_by_role("button", name="Deal").click()
        headline = page.locator(".headline")
        await expect(headline).to_have_text("Ready: waiting for the deal")
        await expect(wait).to_be_visible()
        await expect(page.locator(".box .hand").first).to_be_visible()
        await expect(wait).to_have_count(0)
