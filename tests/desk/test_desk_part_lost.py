"""The desk begins though a part of it, or an answer, was dropped on its way."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.desk.desk import play_a_round
from tests.desk.pictures import CARDS
from tests.page.lines import DROPPED, drop
from tests.page.stage import WAIT_MS, stage


@pytest.mark.parametrize("what", ["static/desk/search.js", "support/v1/rounds*"])
async def test_what_was_dropped_is_asked_for_again(what: str, tmp_path: Path) -> None:
    """The page is loaded again with its token; what only looks is asked once more."""
    async with stage(tmp_path, CARDS, expected=DROPPED) as the:
        await play_a_round(the, until="switch")
        context = await the.browser.new_context(locale="en-GB")
        page = await context.new_page()
        page.set_default_timeout(WAIT_MS)
        the.listen(page)
        await drop(page, f"**/{what}", times=1)
        token = the.the.support("viewer")
        await page.goto(f"{the.address}/desk?player=acme.alice#token={token}")

        await expect(page.get_by_role("status")).to_have_text("1 round.")
        assert set(the.errors) == {DROPPED}
