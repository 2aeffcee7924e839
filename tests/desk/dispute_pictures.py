"""A dispute in pictures: the search, a case, its evidence, and who looked."""

import tempfile
from pathlib import Path

from playwright.async_api import expect

from tests.desk.asking import a_case, correction, post
from tests.desk.desk import looked_at, play_a_round, signed_in
from tests.desk.packs import made
from tests.desk.pictures import CARDS, drawn
from tests.desk.rounds import ROUND
from tests.page.pictures import SIZES
from tests.page.stage import stage


async def dispute(size: str) -> None:
    """Open a case, approve a correction, make a pack; look at each page of it."""
    with tempfile.TemporaryDirectory() as data:
        async with stage(Path(data), CARDS) as the:
            await play_a_round(the)
            case = await a_case(the.the)
            await post(the.the, f"/cases/{case}/notes", {"text": "the camera agrees"})
            await post(the.the, f"/cases/{case}/corrections", correction())
            page = await signed_in(the, size=SIZES[size])
            await expect(page.locator(".found tbody").first).to_be_visible()
            await drawn(page, f"search-{size}")
            await page.goto(f"{the.address}/desk/cases/{case}")
            await expect(page.locator(".standing")).to_have_text("proposed")
            await drawn(page, f"case-{size}")
            await post(the.the, f"/cases/{case}/proposals/1/approve", {}, who="adam")
            about = f"?at=17&case={case}"
            page = await looked_at(the, about, role="admin", size=SIZES[size])
            await made(page, Path(data), Case=case, Note="for the ombudsman")
            await expect(page.locator(".pack")).to_be_visible()
            await page.locator(".pack").scroll_into_view_if_needed()
            await drawn(page, f"evidence-{size}")
            await page.goto(f"{the.address}/desk/access?round_id={ROUND}")
            await expect(page.locator(".looks tr").first).to_be_visible()
            await drawn(page, f"access-{size}")
