"""What a page is made of may be dropped on its way: it begins nevertheless."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.page.lines import DROPPED, drop
from tests.page.stage import Stage, bet, stage

CARDS = "Ah 9c 6d 9s Kd 6c Tc 8d Th"


async def dropping(the: Stage, what: str, times: int = 1) -> Page:
    """Open the table where that is dropped."""
    page, address = await the.launched()
    await drop(page, what, times=times)
    await page.goto(address)
    return page


@pytest.mark.parametrize("what", ["js/main.js", "js/money.js", "vendor/htm-preact.js"])
async def test_a_module_that_was_dropped_is_loaded_again(
    what: str, tmp_path: Path
) -> None:
    """The launch token is unused by then, so the player is let in."""
    async with stage(tmp_path, CARDS, expected=DROPPED) as the:
        page = await dropping(the, f"**/static/{what}")
        await bet(page)
        assert set(the.errors) == {DROPPED}
        kept = await page.evaluate("sessionStorage.getItem('push22.loads')")
        assert kept == "0"


async def test_after_some_tries_the_player_is_told(tmp_path: Path) -> None:
    """The page does not load for ever; what the player asks for, it tries."""
    async with stage(tmp_path, CARDS, expected=DROPPED) as the:
        page = await dropping(the, "**/static/js/money.js", times=4)
        await expect(
            page.get_by_text("A part of this page did not come")
        ).to_be_visible()
        assert set(the.errors) == {DROPPED}
        await page.get_by_role("button", name="Try again").click()
        await bet(page)


@pytest.mark.parametrize("kept", ["setItem", "getItem"])
async def test_a_page_that_remembers_nothing_is_not_loaded_for_ever(
    kept: str, tmp_path: Path
) -> None:
    """A full or forbidden store: told at once, for nobody could count the tries."""
    async with stage(tmp_path, CARDS, expected=DROPPED) as the:
        page, address = await the.launched()
        await page.add_init_script(
            f"Storage.prototype.{kept} = () => {{ throw new Error('full'); }};"
        )
        await drop(page, "**/static/js/money.js", times=1)
        await page.goto(address)
        await expect(
            page.get_by_text("A part of this page did not come")
        ).to_be_visible()
        await page.get_by_role("button", name="Try again").click()
        await bet(page)


async def test_a_style_sheet_that_was_dropped_is_fetched_again(tmp_path: Path) -> None:
    """The game goes on meanwhile, and looks as it should soon after."""
    async with stage(tmp_path, CARDS, expected=DROPPED) as the:
        page = await dropping(the, "**/static/css/base.css", times=2)
        await bet(page)
        rules = (
            "[...document.styleSheets].filter((x) => x.href.includes('base')).length"
        )
        await page.wait_for_function(f"{rules} === 1")
        assert set(the.errors) == {DROPPED}


@pytest.mark.parametrize("what", ["sessions", "tables/t1/rules"])
async def test_an_answer_that_was_dropped_is_asked_for_again(
    what: str, tmp_path: Path
) -> None:
    """No request that only opens the table ends the session by its loss."""
    async with stage(tmp_path, CARDS, expected=DROPPED) as the:
        page = await dropping(the, f"**/player/v1/{what}", times=2)
        await bet(page)
        assert set(the.errors) == {DROPPED}
