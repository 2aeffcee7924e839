"""The page proves the cards itself, and sees when a proof does not hold."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, Route, expect

from push22 import verify_cards
from tests.fairness.records import VECTORS
from tests.page.stage import Stage, bet, over, stage


async def _played(the: Stage) -> Page:
    """Play a round with a seed for the cut; all that is asked is declined."""
    page = await the.opened(seeds=True)
    await bet(page)
    await page.get_by_role("button", name="Deal").click()
    sub = page.locator(".sub")
    while "this round" not in (await sub.text_content() or ""):
        for key in ("n", "k", "s"):
            await page.keyboard.press(key)
        await page.wait_for_timeout(100)
    await over(page)
    return page


async def _shown(page: Page) -> Any:
    await page.get_by_role("button", name="Fairness").click()
    await expect(page.locator(".verdict-box")).to_be_visible()
    return page.locator(".verdict-box")


async def test_all_cards_of_a_round_are_proved(tmp_path: Path) -> None:
    """Root, order, seeds and cut hold; `verify_cards.py` says so of the same record."""
    async with stage(tmp_path) as the:
        page = await _played(the)
        verdict = await _shown(page)
        await expect(verdict).to_contain_text("Every open card is proved")
        await expect(page.get_by_text("before any card had left")).to_be_visible()
        assert await page.locator("tr.proved").count() >= 6
        seeds = page.get_by_role("region", name="Seeds")
        await expect(seeds.locator("tbody tr")).to_have_count(1)
        await expect(seeds).not_to_contain_text("not opened")
        async with page.expect_download() as waiting:
            await page.get_by_role("button", name="Download the record").click()
        path = await (await waiting.value).path()
        text = path.read_text()

    assert "shown cards proved" in verify_cards.check_text(text)
    assert json.loads(text)["shoe_committed"]["sealed"] == ""


def _other(text: str) -> str:
    """Return base64 of which the first byte is another."""
    return ("B" if text[0] == "A" else "A") + text[1:]


def _alter(record: Any, what: str) -> None:
    dealt = next(x for x in record["dealt"] if x["type"] == "shoe.cards_dealt.v1")
    card = dealt["cards"][0]
    match what:
        case "proof":
            card["proof"][2] = _other(card["proof"][2])
        case "salt":
            card["salt"] = _other(card["salt"])
        case "card":
            card["card"] = "As" if card["card"] != "As" else "Ks"
        case "seed":
            share = record["shoe_cut"]["shares"][0]
            share["seed"] = _other(share["seed"])
        case "cut":
            record["shoe_cut"]["cut"] += 1
        case "root":
            record["shoe_committed"]["root"] = _other(record["shoe_committed"]["root"])
        case "left out":
            dealt["cards"].pop(1)


def _altering(what: str) -> Callable[[Route], Awaitable[None]]:
    async def altered(route: Route) -> None:
        record = await (await route.fetch()).json()
        _alter(record, what)
        await route.fulfill(json=record)

    return altered


ALTERED = ("proof", "salt", "card", "seed", "cut", "root", "left out")


async def test_what_is_altered_turns_red(tmp_path: Path) -> None:
    """A byte of a proof, a salt, a seed or the root: the panel says what is wrong."""
    async with stage(tmp_path) as the:
        page = await _played(the)
        for what in ALTERED:
            altered = _altering(what)
            await page.route("**/proof", altered)
            verdict = await _shown(page)
            await expect(verdict, what).to_contain_text("This record does not hold")
            await expect(verdict).to_have_class("verdict-box bad")
            if what == "proof":
                row = page.locator("tr.refuted")
                await expect(row).to_contain_text("does not lead to the root")
            await page.unroute("**/proof", altered)
            await page.keyboard.press("Escape")
        verdict = await _shown(page)
        await expect(verdict).to_have_class("verdict-box good")


@pytest.mark.parametrize("name", ["in_play", "ran_out"])
async def test_the_vectors_hold_in_the_browser(name: str, tmp_path: Path) -> None:
    """The page's verifier agrees with the frozen vectors of the algorithm."""
    record = json.loads((VECTORS / f"{name}.json").read_text())
    async with stage(tmp_path) as the:
        page = await the.opened()
        found = await page.evaluate(
            """async (record) => {
                const verify = await import("/static/js/verify.js");
                const cards = await verify.checkedCards(record);
                const flaw = await verify.cutFlaw(record);
                return [cards.map((x) => x.verdict), flaw];
            }""",
            record,
        )
    verdicts, flaw = found
    assert flaw == ""
    assert "proved" in verdicts
    assert "refuted" not in verdicts
