"""`python -m tests.page.pictures [SIZE ...]`: the page as the documents show it."""

import asyncio
import sys
import tempfile
from pathlib import Path

from playwright.async_api import Page, expect

from tests.page.stage import DESKTOP, PHONE, TABLET, act, bet, hand, over, stage

FOLDER = Path(__file__).parents[2] / "docs/images"
CARDS = "Ah 9c Th 8s 6d 9s Kd 7c Jh 6c Tc 8d Th"
"""Two boxes; a switch on the first makes 21 and a pair, and the dealer's 22 pushes."""
MOVED_MS = 1500
SIZES = {"desktop": DESKTOP, "phone": PHONE, "tablet": TABLET}


async def drawn(page: Page, name: str) -> None:
    """Take a picture once nothing moves."""
    await page.wait_for_timeout(MOVED_MS)
    await page.screenshot(path=FOLDER / f"{name}.png")


async def pictures(size: str) -> None:
    """Play one round at a size, and take the pictures on the way."""
    with tempfile.TemporaryDirectory() as data:
        async with stage(Path(data), CARDS) as the:
            page = await the.opened(size=SIZES[size])
            await bet(page, 1, side=True)
            await bet(page, 2)
            await drawn(page, f"bets-{size}")
            await page.get_by_role("button", name="Deal").click()
            await act(page, "switch")
            await expect(hand(page, "1.1")).to_contain_text("21, not a blackjack")
            await drawn(page, f"switch-{size}")
            for action in ("stand", "split", "stand", "stand", "stand", "stand"):
                await act(page, action)
            await over(page)
            await drawn(page, f"outcome-{size}")
            await page.get_by_role("button", name="Fairness").click()
            await expect(page.locator(".verdict-box")).to_be_visible()
            await drawn(page, f"fairness-{size}")


async def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for size in sys.argv[1:] or ("desktop", "phone"):
        await pictures(size)


if __name__ == "__main__":
    asyncio.run(main())
