"""Support finds rounds on the desk: by address, by form, by keyboard, page by page."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.async_api import Page, expect

from contracts import table as t
from contracts import wallet as w
from contracts.envelope import Actor
from contracts.round_search import Query
from push22.casino import PLATFORM
from services.archive import search
from tests.desk.desk import signed_in
from tests.gateway.house import House
from tests.page.stage import PHONE, stage

pytestmark = pytest.mark.usefixtures("a_browser")

ALICE, SUPPORT = Actor("player", "acme.alice"), Actor("support", "carol")
FOUND = "table.found tbody th a"


async def voided(the: House, rounds: int) -> None:
    """Let alice bet on so many rounds, support void them, and the index hear of it."""
    await sent(the, w.Deposit("acme.alice", "EUR", 10**7), PLATFORM)
    for number in range(1, rounds + 1):
        name = f"round-t1-{number}"
        await sent(the, t.PlaceBet(name, 1, (1000, 1000)), ALICE)
        await sent(the, t.VoidRound(name, "for the test"), SUPPORT)
    await sent(the, t.PlaceBet(f"round-t1-{rounds + 1}", 1, (1000, 1000)), ALICE)
    while count_of(the, Query(status="void")) < rounds:
        await asyncio.sleep(0.05)


def count_of(the: House, query: Query) -> int:
    """Return how many rounds fit, however many pages they take."""
    found = the.door.index.find(query)
    count = len(found.rows)
    while found.place is not None:
        found = the.door.index.find(replace(query, before=found.place))
        count += len(found.rows)
    return count


async def sent(the: House, command: Any, actor: Actor) -> None:
    """Send until it is accepted: the round may not be open yet."""
    for _ in range(200):
        body = the.casino.envelope(command, actor)
        if (await the.casino.host.submit(body)).accepted:
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"never accepted: {command}")


async def names(page: Page) -> list[str]:
    return await page.locator(FOUND).all_inner_texts()


async def test_a_search_stands_in_the_address(tmp_path: Path) -> None:
    """A link shows the same to others; Back shows what was asked before."""
    async with stage(tmp_path) as the:
        await voided(the.the, 3)
        page = await signed_in(the)
        await expect(page.locator(FOUND)).to_have_count(4)
        assert await names(page) == [f"round-t1-{x}" for x in (4, 3, 2, 1)]

        await page.get_by_label("Status").select_option("void")
        await page.get_by_label("Player", exact=True).fill("acme.alice")
        await page.get_by_role("button", name="Search").click()
        await expect(page.locator(FOUND)).to_have_count(3)
        assert page.url == f"{the.address}/desk?player=acme.alice&status=void"
        await expect(page.get_by_role("status")).to_have_text("3 rounds.")

        other = await signed_in(the, "/desk?status=void&table=t1")
        await expect(other.locator(FOUND)).to_have_count(3)
        await expect(other.get_by_label("Status")).to_have_value("void")

        await page.go_back()
        await expect(page.locator(FOUND)).to_have_count(4)
        await expect(page.get_by_label("Status")).to_have_value("")


async def test_a_row_tells_amounts_and_leads_to_the_round(tmp_path: Path) -> None:
    """Amounts have their currency's decimals; coming back the list is as it was."""
    async with stage(tmp_path) as the:
        await voided(the.the, 1)
        page = await signed_in(the, "/desk?interrupted=true")
        row = page.locator("table.found tbody")
        await expect(row).to_contain_text("acme.alice")
        await expect(row.locator(".number").nth(1)).to_have_text("€20.00")
        await expect(row.locator(".number").nth(2)).to_have_text("€20.00")
        await expect(row.locator(".mark")).to_have_text("interrupted")

        await page.get_by_role("link", name="round-t1-1").click()
        assert page.url == f"{the.address}/desk/rounds/round-t1-1"
        await page.go_back()
        await expect(page.get_by_label("Interrupted")).to_be_checked()
        await expect(page.locator(FOUND)).to_have_count(1)


async def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    """No round fits, an amount is none, a name cannot be one: each in words."""
    no_name = (
        "Failed to load resource: the server responded with a status of"
        " 400 (Bad Request)"
    )
    async with stage(tmp_path, expected=no_name) as the:
        page = await signed_in(the, "/desk?player=acme.nobody")
        await expect(page.get_by_role("status")).to_have_text("No round fits.")

        page = await signed_in(the, "/desk?net_min=much")
        alert = page.locator("p.wrong")
        await expect(alert).to_have_text("Net at least: no amount")

        page = await signed_in(the, "/desk?player=no+name")
        in_words = re.compile("^player: write the player as")
        await expect(page.locator("p.wrong")).to_have_text(in_words)


async def test_more_comes_by_the_keyboard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next page is appended; the focus stays with the last row that was there."""
    monkeypatch.setattr(search, "WALKED", 3)
    monkeypatch.setattr(search, "PASSED", (5,))
    async with stage(tmp_path) as the:
        await voided(the.the, 60)
        page = await signed_in(the, "/desk?status=void")
        await expect(page.locator(FOUND)).to_have_count(50)
        status = page.get_by_role("status")
        await expect(status).to_have_text("50 rounds, and there may be more.")

        await page.get_by_role("button", name="More").focus()
        await page.keyboard.press("Enter")
        await expect(page.locator(FOUND)).to_have_count(60)
        await expect(status).to_have_text("60 rounds.")
        assert await names(page) == [f"round-t1-{x}" for x in range(60, 0, -1)]
        await expect(page.locator(FOUND).nth(49)).to_be_focused()
        await page.keyboard.press("Tab")
        await expect(page.locator(FOUND).nth(50)).to_be_focused()


async def test_amounts_and_times_are_asked_for_as_people_write_them(
    tmp_path: Path,
) -> None:
    """Decimals become minor units; times are UTC; the form opens what is in use."""
    async with stage(tmp_path) as the:
        await voided(the.the, 2)
        page = await signed_in(the, "/desk?staked_min=20.00&staked_max=20&net_max=0")
        await expect(page.locator(FOUND)).to_have_count(2)
        await expect(page.get_by_label("Staked at least")).to_have_value("20.00")

        await page.get_by_label("Staked at least").fill("20.01")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("status")).to_have_text("No round fits.")

        page = await signed_in(the, "/desk?since=2100-01-01T00:00")
        await expect(page.get_by_role("status")).to_have_text("No round fits.")


async def test_the_search_fits_a_phone(tmp_path: Path) -> None:
    """Nothing is wider than the screen but the table, which scrolls by itself."""
    async with stage(tmp_path) as the:
        await voided(the.the, 1)
        page = await signed_in(the, "/desk?staked_min=1", size=PHONE)
        await expect(page.locator(FOUND)).to_have_count(1)
        wide = "document.documentElement.scrollWidth > innerWidth"
        assert not await page.evaluate(wide)
