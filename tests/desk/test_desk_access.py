"""The desk shuts nobody out: axe finds nothing serious, nothing is cut off."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.desk.desk import looked_at, opened, play_a_round
from tests.desk.pictures import CARDS
from tests.page.stage import DESKTOP, PHONE, ViewportSize, stage
from tests.page.test_access import violations

pytestmark = pytest.mark.usefixtures("a_browser")

SIZES = {"desktop": DESKTOP, "phone": PHONE}


async def is_wide(page: Page) -> bool:
    """Tell whether the page itself must be scrolled sideways."""
    wide: bool = await page.evaluate(
        "document.documentElement.scrollWidth > innerWidth"
    )
    return wide


@pytest.mark.parametrize("name", SIZES)
async def test_axe_finds_nothing_serious_at_the_desk(name: str, tmp_path: Path) -> None:
    """Signing in, the viewer, and every one of its panels, at both sizes."""
    size: ViewportSize = SIZES[name]
    async with stage(tmp_path, CARDS) as the:
        await play_a_round(the)
        page = await opened(the, "/desk", size=size)
        await expect(page.get_by_label("Bearer token")).to_be_visible()
        assert await violations(page) == []
        page = await looked_at(the, "?at=17", size=size)
        for tab in ("This event", "Settlement", "Money", "Verdict", "What-if"):
            await page.get_by_role("tab", name=tab).click()
            if tab == "Verdict":
                await page.get_by_role("button", name="Check this round").click()
                await expect(page.locator(".verdict-box")).to_be_visible()
            if tab == "What-if":
                await page.get_by_role("button", name="Turn what-if on").click()
            assert await violations(page) == [], tab
            assert not await is_wide(page), tab


async def test_cards_move_only_for_those_who_want_it(tmp_path: Path) -> None:
    """With reduced motion a step moves nothing; without, the switch is seen."""
    async with stage(tmp_path, CARDS) as the:
        await play_a_round(the)
        page = await looked_at(the, "?at=13")
        await page.emulate_media(reduced_motion="reduce")
        await page.evaluate(
            "() => { window.moved = 0; const animate = Element.prototype.animate;"
            " Element.prototype.animate = function (...how)"
            " { window.moved += 1; return animate.apply(this, how); }; }"
        )
        hand = page.get_by_role("group", name="Hand 1.1, ")
        step = page.get_by_role("button", name="Step (right arrow)")
        await page.get_by_role("button", name="Deal", exact=True).click()
        for _ in range(4):
            await step.click()
        await expect(hand).to_contain_text("21, not a blackjack")
        assert await page.evaluate("window.moved") == 0
        await page.get_by_role("button", name="Deal", exact=True).click()
        await expect(hand).to_contain_text("soft 20")
        await page.emulate_media(reduced_motion="no-preference")
        for _ in range(4):
            await step.click()
        await expect(hand).to_contain_text("21, not a blackjack")
        assert await page.evaluate("window.moved") == 2
