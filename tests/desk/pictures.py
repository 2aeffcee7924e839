"""`python -m tests.desk.pictures [SIZE ...]`: the desk as the documents show it."""

import asyncio
import sys
import tempfile
from pathlib import Path

from playwright.async_api import Page, expect

from tests.desk.desk import looked_at, play_a_round
from tests.page.pictures import FOLDER, SIZES
from tests.page.stage import stage

CARDS = "Ah 9c Th 8s 6d 9s Kd 7c Jh 6c Tc 8d Th"
SETTLED_MS = 600


async def drawn(page: Page, name: str) -> None:
    """Take a picture once nothing moves: of the whole page, but on a phone."""
    await page.evaluate("scrollTo(0, 0)")
    await page.wait_for_timeout(SETTLED_MS)
    is_whole = not name.endswith("phone")
    await page.screenshot(path=FOLDER / f"desk-{name}.png", full_page=is_whole)


async def pictures(size: str) -> None:
    """Play one round, and look at it again."""
    with tempfile.TemporaryDirectory() as data:
        async with stage(Path(data), CARDS) as the:
            await play_a_round(the)
            page = await looked_at(the, size=SIZES[size])
            await page.get_by_role("button", name="Second hand").click()
            await drawn(page, f"viewer-{size}")
            if size == "phone":
                return
            await page.get_by_role("tab", name="Settlement").click()
            await page.locator(".clause").last.click()
            await drawn(page, f"settlement-{size}")
            await page.get_by_role("tab", name="Verdict").click()
            await page.get_by_role("button", name="Check this round").click()
            await expect(page.locator(".verdict-box")).to_contain_text("MATCH")
            await drawn(page, f"verdict-{size}")
            await page.get_by_role("tab", name="What-if").click()
            await page.get_by_role("button", name="Turn what-if on").click()
            await page.get_by_role("button", name="Play it").click()
            await expect(page.locator(".what-if table")).to_be_visible()
            await drawn(page, f"what-if-{size}")


async def main() -> None:
    # It is made of what is above.
    from tests.desk.dispute_pictures import dispute

    FOLDER.mkdir(parents=True, exist_ok=True)
    for size in sys.argv[1:] or ("desktop", "phone"):
        await pictures(size)
        await dispute(size)


if __name__ == "__main__":
    asyncio.run(main())
