"""Whole rounds in a browser: every card known, every amount looked at."""

import asyncio
from pathlib import Path

from playwright.async_api import expect

from tests.page.stage import PHONE, Stage, act, bet, hand, over, stage

SWITCH_TO_21 = "Ah 9c 6d 9s Kd 6c Tc 8d Th"
"""A switch makes 21 of A-9 and 9-K, and a pair of nines; the dealer's 22 pushes."""
INSURED = "Th 9c As 8s 7d Kh"


async def test_a_switched_ace_and_ten_is_marked_as_21(tmp_path: Path) -> None:
    """Switch, split and stand; the dealer's 22 pushes three hands."""
    async with stage(tmp_path, SWITCH_TO_21) as the:
        page = await the.opened()
        await bet(page)
        await page.get_by_role("button", name="Deal").click()
        await expect(hand(page, "1.1")).to_contain_text("soft 20")
        await act(page, "switch")
        first = hand(page, "1.1")
        await expect(first).to_contain_text("21, not a blackjack")
        await expect(first.get_by_role("img").last).to_have_accessible_name(
            "king of diamonds"
        )
        await expect(page.get_by_text("Blackjack", exact=True)).to_have_count(0)
        await expect(page.locator("[data-action=switch]")).to_be_disabled()
        await act(page, "stand")
        await act(page, "split")
        await expect(hand(page, "1.2.1")).to_contain_text("19")
        await act(page, "stand")
        await expect(hand(page, "1.2.2")).to_contain_text("17")
        await act(page, "stand")
        await over(page)
        await expect(page.locator(".result")).to_have_text(["Push €0.00"] * 3)
        await expect(page.get_by_role("region", name="Dealer")).to_contain_text(
            "22 pushes"
        )
        await expect(page.locator(".balance")).to_contain_text("1,000.00")


async def test_insurance_pays_two_to_one(tmp_path: Path) -> None:
    """Half of one hand's bet is insured, the other hand is not."""
    async with stage(tmp_path, INSURED) as the:
        page = await the.opened()
        await bet(page)
        await page.get_by_role("button", name="Deal").click()
        await expect(page.locator("[data-action=hit]")).to_be_disabled()
        await act(page, "insure")
        await act(page, "decline")
        await over(page)
        await expect(page.get_by_text("Insurance Win +€10.00")).to_be_visible()
        await expect(hand(page, "1.1")).to_contain_text("\u2212€10.00")
        await expect(page.locator(".balance")).to_contain_text("€990.00")


async def test_a_double_for_less_is_typed(tmp_path: Path) -> None:
    """The amount that is typed is what the double costs."""
    async with stage(tmp_path, "5h 9c 6d 6s 7d Kc Td 9h") as the:
        page = await the.opened()
        await bet(page)
        await page.get_by_role("button", name="Deal").click()
        await page.get_by_label("Double for less").fill("2.50")
        await act(page, "double")
        await expect(hand(page, "1.1")).to_contain_text("€12.50")
        await act(page, "stand")
        await over(page)
        await expect(hand(page, "1.1").locator(".result")).to_have_text("Win +€12.50")


async def test_a_bet_without_funds_deals_nothing(tmp_path: Path) -> None:
    """The box that the wallet covers stands, and the player is asked again."""
    async with stage(tmp_path, SWITCH_TO_21) as the:
        page = await the.opened()
        await page.get_by_role("radio", name="€500.00").click()
        for box in (1, 2):
            place = page.get_by_role("region", name=f"Box {box}, ")
            await place.locator(".spot.wager").first.click()
        await page.get_by_role("button", name="Deal").click()
        words = "Your balance does not cover that."
        await expect(page.locator(".headline")).to_have_text(words)
        await expect(page.locator(".balance")).to_contain_text("€0.00")
        await expect(page.get_by_role("region", name="Box 1, you")).to_be_visible()
        await expect(page.get_by_role("region", name="Box 2, free")).to_be_visible()
        await page.get_by_role("button", name="Clear").click()
        await expect(page.locator(".balance")).to_contain_text("€1,000.00")


async def test_a_round_by_keys_alone(tmp_path: Path) -> None:
    """From the first chip to the outcome nobody touches a mouse."""
    async with stage(tmp_path, SWITCH_TO_21) as the:
        page = await the.opened()
        for _ in range(30):
            await page.keyboard.press("Tab")
            label = await page.evaluate("document.activeElement.ariaLabel ?? ''")
            if label.startswith("Hand 1 of box 1"):
                break
        await page.keyboard.press("Enter")
        await page.keyboard.press("Space")
        await page.keyboard.press("Enter")
        await page.keyboard.press("Delete")
        await expect(page.locator(".limits")).to_contain_text("Bets €20.00")
        await page.keyboard.press("d")
        for key, action in ("w", "switch"), ("s", "stand"), ("p", "split"):
            await expect(page.locator(f"[data-action={action}]")).to_be_enabled()
            await page.keyboard.press(key)
        for label in ("1.2.1", "1.2.2"):
            await expect(page.locator(".headline")).to_contain_text(label[2:])
            await page.keyboard.press("s")
        await over(page)
        said = page.locator("#said")
        await expect(said).to_contain_text("ace of hearts, king of diamonds: 21, not a")
        await expect(said).to_contain_text("Your turn: box 1, hand 1")
        await expect(said).to_contain_text("Round over: €0.00. Balance €1,000.00.")


async def _deal_both(the: Stage) -> tuple[object, object]:
    """Two players bet on a box each and say that they are ready."""
    alice = await the.opened("alice")
    bob = await the.opened("bob", size=PHONE)
    await bet(alice, 1)
    await alice.get_by_role("button", name="Place bets").click()
    await expect(bob.get_by_role("region", name="Box 1, player 1")).to_be_visible()
    await bet(bob, 2)
    await bob.get_by_role("button", name="Deal").click()
    await expect(bob.locator(".headline")).to_contain_text("waiting for the others")
    await alice.get_by_role("button", name="Deal").click()
    return alice, bob


async def test_two_players_see_each_other_s_hands(tmp_path: Path) -> None:
    """Each plays his own box, and is offered nothing on the other's."""
    cards = "Th 9c 8h 7c 6d Ts 9d Kd Jd Tc 8s"
    async with stage(tmp_path, cards) as the:
        alice, bob = await _deal_both(the)
        for page, other in (alice, 2), (bob, 1):
            theirs = page.get_by_role("region", name=f"Box {other}, player")
            await expect(theirs.get_by_role("img")).to_have_count(4)
        await expect(bob.locator("[data-action=hit]")).to_be_disabled()
        await act(alice, "stand")
        await act(alice, "stand")
        await expect(alice.locator("[data-action=hit]")).to_be_disabled()
        await act(bob, "stand")
        await act(bob, "stand")
        await asyncio.gather(over(alice), over(bob))


async def test_several_boxes_of_one_player(tmp_path: Path) -> None:
    """A later box may be switched while an earlier one is asked (NY-20)."""
    cards = "Th 9c Ah 9s 6d Ts 9d 9h Kd 6c Tc"
    async with stage(tmp_path, cards) as the:
        page = await the.opened()
        await bet(page, 1)
        await bet(page, 2)
        await page.get_by_role("button", name="Deal").click()
        await expect(page.locator(".headline")).to_contain_text("box 1, hand 1")
        await page.get_by_role("button", name="Play this box").click()
        await expect(page.locator(".headline")).to_contain_text("box 2")
        await act(page, "switch")
        await expect(hand(page, "2.1")).to_contain_text("21, not a blackjack")
        for label in ("1.1", "1.2", "2.1", "2.2"):
            box, one = label.split(".")
            headline = page.locator(".headline")
            await expect(headline).to_contain_text(f"box {box}, hand {one}")
            await act(page, "stand")
        await over(page)
