"""A dispute at the desk's pages: one proposes, another approves, the player is paid."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from contracts import table as t
from contracts import wallet as w
from contracts.envelope import Actor
from push22.casino import PLATFORM
from tests.desk.asking import ALICE, ROUND, a_case, correction, done, get, post
from tests.desk.desk import opened
from tests.page.stage import DESKTOP, PHONE, Stage, stage
from tests.page.test_access import violations

pytestmark = pytest.mark.usefixtures("a_browser")


async def desk(the: Stage, path: str, who: str, role: str = "resolver") -> Page:
    """Open the desk as somebody of support."""
    page = await opened(the, f"{path}#token={the.the.support(role, who)}")
    await expect(page.locator(".desk-head .who")).to_contain_text(who)
    return page


async def bet(the: Stage) -> None:
    """Put 20.00 of Alice's on the first round."""
    await done(the.the, w.Deposit(ALICE, "EUR", 100_000), PLATFORM)
    placed = t.PlaceBet(ROUND, 1, (1000, 1000))
    await done(the.the, placed, Actor("player", ALICE))


async def test_a_correction_by_two_people_reaches_the_players_balance(
    tmp_path: Path,
) -> None:
    """Rita proposes 25.00, Adam approves, and Alice's page shows them."""
    async with stage(tmp_path) as the:
        player = await the.opened()
        await bet(the)
        purse = player.locator(".balance")
        before = await purse_minor(the)
        case = await a_case(the.the)

        rita = await desk(the, f"/desk/cases/{case}", "rita")
        await rita.get_by_label("Amount").fill("25.00")
        form = rita.get_by_role("form", name="Correction")
        await form.get_by_label("Reason").fill("dealt twice")
        await rita.get_by_role("button", name="Propose correction").click()
        await expect(rita.locator(".standing")).to_have_text("proposed")
        await expect(rita.get_by_role("button", name="Approve")).to_have_count(0)
        assert await purse_minor(the) == before

        adam = await desk(the, "/desk/cases", "adam")
        await adam.get_by_label("Show").select_option("waiting")
        await adam.get_by_role("link", name=case).click()
        await adam.get_by_role("button", name="Approve").click()
        await expect(adam.locator(".standing")).to_have_text("done")
        assert await purse_minor(the) == before + 2500
        await expect(purse).to_contain_text(f"{(before + 2500) / 100:,.2f}")


async def purse_minor(the: Stage) -> int:
    return (await the.the.port.balance(ALICE, "EUR")).minor


async def test_a_void_is_proposed_noted_and_closed(tmp_path: Path) -> None:
    """Every stake comes back; the story of the case tells it in order."""
    async with stage(tmp_path) as the:
        await bet(the)
        before = await purse_minor(the)
        case = await a_case(the.the)
        rita = await desk(the, f"/desk/cases/{case}", "rita")
        await rita.get_by_label("Note").fill("the camera failed")
        await rita.get_by_role("button", name="Add note").click()
        await rita.get_by_label("Void the round because").fill("no picture")
        await rita.get_by_role("button", name="Propose void").click()

        adam = await desk(the, f"/desk/cases/{case}", "adam")
        await adam.get_by_role("button", name="Approve").click()
        await expect(adam.locator(".standing")).not_to_have_text("proposed")
        await adam.reload()
        await expect(adam.locator(".standing")).to_have_text("done")
        assert await purse_minor(the) == before + 2000
        await adam.get_by_label("Resolution").fill("stakes returned")
        await adam.get_by_role("button", name="Close case").click()
        await expect(adam.locator(".case-story")).to_contain_text("stakes returned")
        await expect(adam.get_by_role("button", name="Add note")).to_have_count(0)


async def test_a_viewer_only_reads_a_case(tmp_path: Path) -> None:
    """No form is shown, and the look is recorded for that case."""
    async with stage(tmp_path) as the:
        await bet(the)
        case = await a_case(the.the)
        vera = await desk(the, f"/desk/cases/{case}", "vera", "viewer")
        await expect(vera.locator(".case-story")).to_contain_text("alice's double")
        await expect(vera.locator(".case form")).to_have_count(0)
        looks = (await get(the.the, "/access?who=vera", "ada", "admin")).json()["looks"]

    assert ("read_case", case) in [(look["what"], look["case"]) for look in looks]


async def test_a_case_is_opened_beside_the_round(tmp_path: Path) -> None:
    """The viewer's panel lists the round's cases and works on one of them."""
    async with stage(tmp_path) as the:
        await bet(the)
        rita = await desk(the, f"/desk/rounds/{ROUND}", "rita")
        panel = rita.get_by_role("region", name="Cases")
        await expect(panel).to_contain_text("no case about this round")
        await panel.get_by_label("New case about").fill("a wrong bet")
        await panel.get_by_role("button", name="Open case").click()
        await expect(panel.locator(".case-list")).to_contain_text("a wrong bet")
        player = panel.get_by_role("combobox", name="Player", exact=True)
        await expect(player).to_have_value(ALICE)
        await panel.get_by_label("Amount").fill("5")
        await panel.get_by_label("Which way").select_option("Take back")
        form = panel.get_by_role("form", name="Correction")
        await form.get_by_label("Reason").fill("bet twice")
        await panel.get_by_role("button", name="Propose correction").click()
        await expect(panel.locator(".case table")).to_contain_text(
            "\N{MINUS SIGN}€5.00"
        )

        adam = await desk(the, f"/desk/rounds/{ROUND}", "adam")
        await adam.get_by_role("button", name="a wrong bet").click()
        await adam.get_by_label("Because", exact=True).fill("he bet once")
        await adam.get_by_role("button", name="Reject").click()
        await expect(adam.locator(".case .standing")).to_have_text("rejected")


async def test_axe_finds_nothing_serious_in_cases(tmp_path: Path) -> None:
    """The list, a case with a proposal, and the panel beside its round."""
    async with stage(tmp_path) as the:
        await bet(the)
        case = await a_case(the.the)
        await post(the.the, f"/cases/{case}/corrections", correction())
        for size in (DESKTOP, PHONE):
            page = await opened(
                the, f"/desk/cases#token={the.the.support('admin')}", size=size
            )
            await expect(page.get_by_role("link", name=case)).to_be_visible()
            assert await violations(page) == []
            await page.get_by_role("link", name=case).click()
            await expect(page.locator(".standing")).to_have_text("proposed")
            assert await violations(page) == []
            await page.get_by_role("link", name=ROUND).click()
            await page.get_by_role("button", name="alice's double").click()
            await expect(page.locator(".standing")).to_have_text("proposed")
            assert await violations(page) == []
