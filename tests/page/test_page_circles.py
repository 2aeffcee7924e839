"""Multiple Action: each circle takes its own amount, by pointer and by keys alone."""

from pathlib import Path
from typing import Any

from playwright.async_api import Page, expect

from contracts.round_events import WagersPlaced
from tests.page.stage import Stage, stage

RULES = "ny-multiple-action"


def circle(page: Page, number: int) -> Any:
    return page.get_by_role("button", name=f"Circle {number} of box 1, ")


async def placed(the: Stage, page: Page, heard: list[Any]) -> tuple[int, ...]:
    """Place the bets; return the wagers that the table has recorded."""
    await page.get_by_role("button", name="Place bets").click()
    box = page.get_by_role("region", name="Box 1, you")
    await expect(box).to_be_visible()
    await the.the.settled()
    wagers: tuple[int, ...] = heard[-1].wagers_minor
    return wagers


def listening(the: Stage) -> list[Any]:
    heard: list[Any] = []

    def hear(delivery: Any) -> None:
        if isinstance(delivery.event, WagersPlaced):
            heard.append(delivery.event)

    the.the.casino.host.subscribe(hear)
    return heard


async def test_each_circle_has_its_own_amount(tmp_path: Path) -> None:
    """The chip goes to the circle under the pointer, the box's name stakes all."""
    async with stage(tmp_path, rules=RULES) as the:
        heard = listening(the)
        page = await the.opened()
        name = page.get_by_role("button", name="Box 1: a chip on all circles")
        await name.click()
        await name.click()
        await circle(page, 2).click()
        await circle(page, 3).click()
        await circle(page, 3).click()
        await circle(page, 3).click(button="right")
        await circle(page, 3).click()
        await expect(circle(page, 1)).to_contain_text("10.00")
        await expect(circle(page, 2)).to_contain_text("15.00")
        await expect(circle(page, 3)).to_contain_text("20.00")
        await expect(page.locator(".limits b")).to_have_text("Bets €45.00")

        assert await placed(the, page, heard) == (1000, 1500, 2000)
        await expect(circle(page, 2)).to_contain_text("15.00")


async def test_circles_are_staked_by_keys_alone(tmp_path: Path) -> None:
    """Tab leads from the box's name over all circles; Enter adds, Delete takes off."""
    async with stage(tmp_path, rules=RULES) as the:
        heard = listening(the)
        page = await the.opened()
        keys = page.keyboard
        await page.get_by_role("button", name="Box 1: a chip on all circles").focus()
        await keys.press("Enter")
        await keys.press("Enter")
        await keys.press("Enter")
        await keys.press("Tab")
        await expect(circle(page, 1)).to_be_focused()
        await keys.press("Delete")
        await keys.press("Tab")
        await expect(circle(page, 2)).to_be_focused()
        await keys.press("Enter")
        await keys.press("Tab")
        await expect(circle(page, 3)).to_be_focused()

        assert await placed(the, page, heard) == (1000, 2000, 1500)


async def test_the_third_circle_may_stay_empty(tmp_path: Path) -> None:
    """MA-2: circles 1 and 2 are enough; and the rules say what the game returns."""
    async with stage(tmp_path, rules=RULES) as the:
        heard = listening(the)
        page = await the.opened()
        for number in (1, 2):
            await circle(page, number).click()
            await circle(page, number).click()

        assert await placed(the, page, heard) == (1000, 1000)
        await expect(circle(page, 3)).to_have_accessible_name(
            "Circle 3 of box 1, bet on this circle: none"
        )
        await page.get_by_role("button", name="Rules").click()
        told = page.locator(".returns")
        await expect(told).to_contain_text("with basic strategy (sampled, 20 million")
