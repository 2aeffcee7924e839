"""A case offers what its round allows, and the search says how a name is written."""

from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, expect

from contracts import desk as d
from contracts import table as t
from contracts import wallet as w
from contracts.envelope import Actor
from push22.casino import PLATFORM
from tests.desk.asking import ROUND, a_case, get, post
from tests.desk.desk import looked_at, play_a_round, signed_in
from tests.desk.pictures import CARDS
from tests.desk.rounds import done
from tests.page.stage import DESKTOP, PHONE, Stage, stage
from tests.page.test_access import violations

pytestmark = pytest.mark.usefixtures("a_browser")

BOB = "acme.bob"
SETTLED = "This round is settled, so it is not voided any more"
MALFORMED = "Failed to load resource: the server responded with a status of 400"


def players(page: Page) -> Locator:
    form = page.get_by_role("form", name="Correction")
    return form.get_by_role("combobox", name="Player", exact=True)


async def status(the: Stage) -> str:
    [row] = (await get(the.the, f"/rounds?round_id={ROUND}")).json()["rounds"]
    return str(row["status"])


async def bets(the: Stage, *names: str) -> None:
    """Let each have a bet on a box of the first round, which stays open."""
    for box, name in enumerate(names, 1):
        await done(the.the, w.Deposit(name, "EUR", 100_000), PLATFORM)
        placed = t.PlaceBet(ROUND, box, (1000, 1000))
        await done(the.the, placed, Actor("player", name))


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_a_settled_round_is_not_offered_to_be_voided(
    size: dict[str, int], tmp_path: Path
) -> None:
    """In its stead stands why; on the case's page and beside the round."""
    async with stage(tmp_path, CARDS) as the:
        await play_a_round(the)
        case = await a_case(the.the)
        alone = await signed_in(the, f"/desk/cases/{case}", size=size)
        beside = await looked_at(the, f"?case={case}", size=size)
        await beside.get_by_role("button", name="alice's double").click()
        for page in (alone, beside):
            await expect(page.locator(".no-void")).to_contain_text(SETTLED)
            propose = page.get_by_role("button", name="Propose void")
            await expect(propose).to_have_count(0)
            await expect(players(page)).to_have_value("acme.alice")
            assert await violations(page) == []


async def test_a_round_that_is_voided_meanwhile_is_offered_no_more(
    tmp_path: Path,
) -> None:
    """The page asks again after whatever was done in the case."""
    async with stage(tmp_path) as the:
        await bets(the, "acme.alice")
        case = await a_case(the.the)
        page = await signed_in(the, f"/desk/cases/{case}")
        await expect(page.get_by_role("button", name="Propose void")).to_be_visible()
        await post(the.the, f"/cases/{case}/void", {"reason": "no picture"})
        await post(the.the, f"/cases/{case}/proposals/1/approve", None, "adam")
        while await status(the) != "void":
            await the.the.settled()
        await page.get_by_label("Note").fill("both agree")
        await page.get_by_role("button", name="Add note").click()
        await expect(page.locator(".no-void")).to_contain_text("is void already")


async def test_of_several_players_one_has_to_be_chosen(tmp_path: Path) -> None:
    """Where the case is about none of them; nobody else can be."""
    async with stage(tmp_path) as the:
        await bets(the, "acme.alice", BOB)
        asked = {"round_id": ROUND, "subject": "who bet?"}
        case = (await post(the.the, "/cases", asked)).json()["case"]
        page = await signed_in(the, f"/desk/cases/{case}")
        await page.get_by_label("Amount in EUR").fill("5")
        form = page.get_by_role("form", name="Correction")
        await form.get_by_label("Reason").fill("dealt twice")
        propose = page.get_by_role("button", name="Propose correction")
        await propose.click()
        await expect(players(page)).to_be_focused()
        assert await players(page).locator("option").all_inner_texts() == [
            *("choose one", "acme.alice", BOB)
        ]
        await players(page).select_option(BOB)
        await propose.click()
        await expect(page.locator(".case table")).to_contain_text(BOB)
        told = (await get(the.the, f"/cases/{case}")).json()["proposals"]

    assert [(x["player"], x["amount_minor"]) for x in told] == [(BOB, 500)]
    assert told[0]["kind"] == d.ProposalKind.CORRECTION


async def test_a_players_pack_is_for_no_case_about_others(tmp_path: Path) -> None:
    """The newest that fits is chosen, until somebody chooses himself."""
    async with stage(tmp_path) as the:
        await bets(the, "acme.alice", BOB)
        of_alice = await a_case(the.the)
        page = await signed_in(the, f"/desk/rounds/{ROUND}")
        await page.get_by_role("tab", name="Evidence").click()
        case = page.get_by_role("combobox", name="Case", exact=True)
        whose = page.get_by_role("combobox", name="For", exact=True)
        await expect(case).to_have_value(of_alice)
        for player, chosen in ((BOB, ""), ("acme.alice", of_alice), ("", of_alice)):
            await whose.select_option(player)
            await expect(case).to_have_value(chosen)
        await case.select_option("")
        await whose.select_option("acme.alice")
        await expect(whose).to_have_value("acme.alice")
        await expect(case).to_have_value("")


async def test_a_short_name_is_answered_in_words(tmp_path: Path) -> None:
    """The search says how a player is written."""
    async with stage(tmp_path, expected=f"{MALFORMED} (Bad Request)") as the:
        page = await signed_in(the, "/desk?player=demo")
        words = "player: write the player as operator.name, such as local.demo"
        await expect(page.get_by_role("alert").first).to_contain_text(words)
        await page.get_by_label("Player", exact=True).fill("local.demo")
        await page.get_by_role("button", name="Search").click()
        await expect(page.get_by_role("status")).to_have_text("No round fits.")
