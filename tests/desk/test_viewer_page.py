"""A round looked at again in a browser: every control, every panel, by hand and key."""

import contextlib
import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from push22.casino import LOG_NAME
from push22.door.index import FileIndex
from tests.archive.forgery import body_of, version_of, write
from tests.archive.small_casino import copy_of
from tests.desk.desk import looked_at, play_a_round, signed_in
from tests.desk.pictures import CARDS
from tests.desk.rounds import ROUND
from tests.page.stage import stage

pytestmark = pytest.mark.usefixtures("a_browser")


async def at(page: Page, sequence: int) -> None:
    """Wait until the address and the timeline stand there."""
    await expect(page).to_have_url(re.compile(rf"[?&]at={sequence}(&|$)"))
    current = page.locator(".timeline [aria-current=step] .seq")
    await expect(current).to_have_text(str(sequence))


async def last_of(page: Page) -> int:
    return int(await page.locator(".scrub input").get_attribute("max") or 0)


async def test_the_table_is_drawn_as_it_was(tmp_path: Path) -> None:
    """A link opens an event; the switch moves the cards, and 21 is no blackjack."""
    async with stage(tmp_path, CARDS) as the:
        await play_a_round(the)
        page = await looked_at(the, "?at=1")
        await at(page, 1)
        await expect(page.get_by_text("REPLAY, not live").first).to_be_visible()
        await page.get_by_role("button", name="Deal", exact=True).click()
        hand = page.get_by_role("group", name="Hand 1.1, ")
        await expect(hand).to_contain_text("soft 20")
        await page.get_by_role("button", name="Switch", exact=True).click()
        await page.get_by_role("button", name="Step (right arrow)").click()
        await expect(hand).to_contain_text("21, not a blackjack")
        await expect(page.locator(".now")).to_contain_text("1 switches")
        await page.get_by_role("button", name="Settle", exact=True).click()
        await page.get_by_role("button", name="Last event (End)").click()
        dealer = page.get_by_role("region", name="Dealer")
        await expect(dealer).to_contain_text("22 pushes")
        await expect(page.locator(".replay-felt .result").first).to_be_visible()
        await expect(page.locator(".replay-felt button")).to_have_count(0)


async def test_keys_step_play_and_jump(tmp_path: Path) -> None:
    """Arrows, Home, End and space; a typed space in a field plays nothing."""
    async with stage(tmp_path, CARDS) as the:
        await play_a_round(the)
        page = await looked_at(the, "?at=5")
        last = await last_of(page)
        await page.keyboard.press("ArrowRight")
        await at(page, 6)
        await page.keyboard.press("ArrowLeft")
        await page.keyboard.press("ArrowLeft")
        await at(page, 4)
        await page.keyboard.press("End")
        await at(page, last)
        await page.keyboard.press("Home")
        await at(page, 1)
        await page.get_by_label("Speed").select_option("4")
        await page.locator(".round-head h2").click()
        await page.keyboard.press("Space")
        await expect(page.get_by_role("button", name="Pause (space)")).to_be_visible()
        await expect(page.locator(".scrub b")).not_to_have_text("1")
        await page.keyboard.press("Space")
        await expect(page.get_by_role("button", name="Play (space)")).to_be_visible()
        await expect(page.locator("#said")).to_contain_text("Event 2: bets 10.00")


async def test_the_slider_and_the_timeline_lead_anywhere(tmp_path: Path) -> None:
    """Scrubbing follows; a foreign record is at hand with its JSON."""
    async with stage(tmp_path, CARDS) as the:
        await play_a_round(the)
        page = await looked_at(the)
        await page.locator(".scrub input").fill("10")
        await at(page, 10)
        await page.locator(".timeline .foreign", has_text="paid").first.click()
        await expect(page.locator("#record-title")).to_contain_text("With event")
        await page.get_by_text("The record as it is stored").click()
        raw = page.locator(".raw pre")
        await expect(raw).to_contain_text("wallet.payouts_posted.v1")
        await expect(page.locator(".facts-list").last).to_contain_text("transactions")


async def test_perspectives_and_both_sides(tmp_path: Path) -> None:
    """The player's own seat is "You", the table's is nobody's; nothing differs."""
    async with stage(tmp_path, CARDS) as the:
        await play_a_round(the)
        page = await looked_at(the, "?at=17")
        await expect(page.locator(".box .who").first).to_have_text("You")
        await expect(page.locator(".saw")).to_contain_text("What acme.alice saw")
        await expect(page.locator(".saw")).to_contain_text("€960.00")
        await page.get_by_role("button", name="Table", exact=True).click()
        await expect(page).to_have_url(re.compile("as=table"))
        await expect(page.locator(".box .who").first).to_have_text("Player 1")
        await expect(page.locator(".saw")).not_to_contain_text("€960.00")
        await page.get_by_role("button", name="Full record").click()
        await expect(page.locator(".saw")).to_contain_text("What there was to see")
        await expect(page.locator(".decided")).to_contain_text("split €10.00")
        await expect(page.locator("tr.differs")).to_have_count(0)


async def test_settlement_money_and_verdict(tmp_path: Path) -> None:
    """A clause is one click from its words; the round is executed again: MATCH."""
    async with stage(tmp_path, CARDS) as the:
        await play_a_round(the)
        page = await looked_at(the)
        await page.get_by_role("tab", name="Settlement").click()
        clause = page.locator(".clause", has_text="NY-41").first
        await clause.locator("summary").click()
        await expect(clause).to_contain_text("The dealer's 22 is a push")
        await page.get_by_role("tab", name="Money").click()
        await expect(page.locator(".balances")).to_contain_text("Before €1,000.00")
        await page.get_by_role("button", name="Go to event 12").first.click()
        await at(page, 12)
        await page.get_by_role("tab", name="Verdict").click()
        await page.get_by_role("button", name="Check this round").click()
        await expect(page.locator(".verdict-box")).to_contain_text("MATCH")
        await expect(page.locator(".judged")).to_contain_text("13 of 14 cards proved")


async def test_what_if_is_off_and_set_apart(tmp_path: Path) -> None:
    """It must be turned on, says what it is, and shows where it differs."""
    async with stage(tmp_path, CARDS) as the:
        await play_a_round(the)
        page = await looked_at(the)
        await page.get_by_role("tab", name="What-if").click()
        await expect(page.get_by_label("Round script")).to_have_count(0)
        await page.get_by_role("button", name="Turn what-if on").click()
        await expect(page.locator(".banner")).to_contain_text("not what happened")
        await page.get_by_role("button", name="Play it").click()
        await expect(page.locator(".what-if tbody tr")).to_have_count(7)
        await expect(page.locator(".what-if tr.differs")).to_have_count(0)
        script = page.get_by_label("Round script")
        text = await script.input_value()
        kept = text.replace('"1 switch"', '"1 keep"').replace('  "1.2 split",\n', "")
        kept = kept.replace('  "1.2.1 stand",\n', "").replace(
            "1.2.2 stand", "1.2 stand"
        )
        await script.fill(kept)
        await page.get_by_role("button", name="Play it").click()
        await expect(page.locator(".what-if tr.differs")).not_to_have_count(0)
        await script.fill("no script")
        await page.get_by_role("button", name="Play it").click()
        await expect(page.locator(".what-if .wrong")).to_contain_text("can't be played")


async def test_a_round_that_is_not_there_says_so(tmp_path: Path) -> None:
    """The page says why, in words, and breaks nothing."""
    missing = "Failed to load resource: the server responded with a status of 404"
    async with stage(tmp_path, CARDS, expected=f"{missing} (Not Found)") as the:
        page = await signed_in(the, "/desk/rounds/round-t1-999")
        await expect(page.locator(".wrong")).to_contain_text("not found")


async def test_an_open_round_hides_what_lies_face_down(tmp_path: Path) -> None:
    """It says that not all is shown; the hole card has its back up for everybody."""
    async with stage(tmp_path, CARDS) as the:
        await play_a_round(the, until="switch")
        page = await looked_at(the)
        await expect(page.locator(".hold")).to_contain_text("Not all is shown yet")
        await page.get_by_role("button", name="Full record").click()
        dealer = page.get_by_role("region", name="Dealer").get_by_role("img")
        await expect(dealer.last).to_have_accessible_name("face down card")
        await page.locator(
            ".timeline .foreign", has_text="cards of the shoe"
        ).first.click()
        await page.get_by_text("The record as it is stored").click()
        await expect(page.locator(".raw")).to_contain_text("Not shown")
        await page.get_by_role("tab", name="What-if").click()
        await expect(page.locator(".tab-panel")).to_contain_text(
            "only of a closed round"
        )


async def test_a_changed_record_is_shown_beside_what_it_should_be(
    tmp_path: Path,
) -> None:
    """One byte of a copy: DIFFERS, with recorded and expected side by side."""
    (tmp_path / "copy").mkdir()
    async with stage(tmp_path, CARDS) as the:
        await play_a_round(the)
        with contextlib.closing(copy_of(tmp_path, tmp_path / "copy")) as file:
            version = version_of(file, ROUND, "table.cards_switched.v1")
            body = body_of(file, ROUND, version)
            other = body.replace(b'"target":"1"', b'"target":"2"', 1)
            write(file, ROUND, version, other)
            file.commit()
        the.the.door._index = FileIndex(tmp_path / "copy" / LOG_NAME)
        page = await looked_at(the)
        await page.get_by_role("tab", name="Verdict").click()
        await page.get_by_role("button", name="Check this round").click()
        await expect(page.locator(".verdict-box")).to_contain_text("changed record")
        for title, target in (
            ("Recorded", '"target": "2"'),
            ("Expected", '"target": "1"'),
        ):
            told = page.locator(".two > div", has_text=title)
            await expect(told).to_contain_text(target)
