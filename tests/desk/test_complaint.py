"""A whole complaint at the desk's pages, from the first call to the evidence."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from contracts import table as t
from push22.checkpoints.keys import PUBLIC_NAME
from tests.desk.asking import ALICE
from tests.desk.desk import do, opened, play_a_round
from tests.desk.packs import made, verified
from tests.desk.pictures import CARDS
from tests.desk.rounds import ROUND
from tests.page.stage import Stage, stage

pytestmark = pytest.mark.usefixtures("a_browser")

IN_PLAY = "Failed to load resource: the server responded with a status of 409"


async def desk(the: Stage, who: str, path: str = "/desk", role: str = "") -> Page:
    token = the.the.support(role or "resolver", who)
    page = await opened(the, f"{path}#token={token}")
    await expect(page.locator(".desk-head .who")).to_contain_text(who)
    return page


async def purse_minor(the: Stage) -> int:
    return (await the.the.port.balance(ALICE, "EUR")).minor


async def found(page: Page) -> None:
    """Search for Alice's rounds, and open the one that she calls about."""
    await page.get_by_label("Player", exact=True).fill(ALICE)
    await page.get_by_role("button", name="Search").click()
    await page.get_by_role("link", name=ROUND, exact=True).click()
    await expect(page.locator(".replay-felt .felt")).to_be_visible()


async def case_opened(page: Page, subject: str) -> str:
    """Open a case beside the round; return its name, and go to its page."""
    panel = page.get_by_role("region", name="Cases")
    await panel.get_by_label("New case about").fill(subject)
    await panel.get_by_role("button", name="Open case").click()
    link = panel.locator(".case-list a")
    case = await link.inner_text()
    await link.click()
    await expect(page.locator("h2")).to_have_text(f"Case {case}")
    return case


async def noted(page: Page, text: str) -> None:
    await page.get_by_label("Note").fill(text)
    await page.get_by_role("button", name="Add note").click()
    await expect(page.locator(".case-story")).to_contain_text(text)


async def approved(the: Stage, case: str) -> None:
    """Let a second person find the case among those that wait, and approve."""
    adam = await desk(the, "adam", "/desk/cases")
    await adam.get_by_label("Show").select_option("waiting")
    await adam.get_by_role("link", name=case).click()
    await adam.get_by_role("button", name="Approve").click()
    await expect(adam.locator(".standing")).not_to_have_text("proposed")
    await the.the.settled()


async def evidence(page: Page, case: str, tmp_path: Path) -> list[str]:
    """Go from the case to its round and make a pack; return its verifier's words."""
    await page.get_by_role("link", name=ROUND, exact=True).click()
    await expect(page.locator(".about-case")).to_contain_text(case)
    pack = await made(page, tmp_path, Case=case, Note="for the ombudsman")
    await expect(page.locator(".pack")).to_contain_text(f"evidence-{ROUND}.zip")
    keys = str(tmp_path / PUBLIC_NAME)
    return [verified(pack, "--keys", keys), verified(pack)]


async def looks(the: Stage, query: str) -> set[tuple[str, str]]:
    """Read the page of looks as an admin; return who did what."""
    ada = await desk(the, "ada", f"/desk/access?{query}", "admin")
    rows = ada.locator(".looks tbody tr")
    await expect(rows.first).to_be_visible()
    return {
        (
            (await row.locator("th").inner_text()).split()[0],
            await row.locator("td").nth(1).inner_text(),
        )
        for row in await rows.all()
    }


RIGHT = ["RIGHT", "SELF-CONSISTENT; signer not confirmed: give --keys FILE"]


async def test_a_complaint_about_a_settled_round(tmp_path: Path) -> None:
    """Searched, looked at, judged, put right by two people, and handed over."""
    async with stage(tmp_path, CARDS) as the:
        await play_a_round(the)
        before = await purse_minor(the)
        rita = await desk(the, "rita")
        await found(rita)
        await rita.get_by_role("tab", name="Verdict").click()
        await rita.get_by_role("button", name="Check this round").click()
        await expect(rita.locator(".verdict-box")).to_contain_text("MATCH")
        case = await case_opened(rita, "her double was refused")
        await noted(rita, "the camera agrees with her")
        await rita.get_by_label("Amount").fill("25.00")
        form = rita.get_by_role("form", name="Correction")
        player = form.get_by_role("combobox", name="Player", exact=True)
        await expect(player).to_have_value(ALICE)
        await form.get_by_label("Reason").fill("the button was stuck")
        await rita.get_by_role("button", name="Propose correction").click()
        await expect(rita.locator(".standing")).to_have_text("proposed")
        assert await purse_minor(the) == before
        await approved(the, case)
        assert await purse_minor(the) == before + 2500

        await rita.reload()
        await expect(rita.locator(".standing")).to_have_text("done")
        assert await evidence(rita, case, tmp_path) == RIGHT
        for_case = await looks(the, f"about_case={case}")
        of_round = await looks(the, f"round_id={ROUND}")

    assert for_case >= {
        ("rita", "read case"),
        ("rita", "add note"),
        ("rita", "propose correction"),
        ("adam", "read case"),
        ("adam", "approve"),
        ("rita", "replay"),
        ("rita", "evidence"),
    }
    assert of_round >= {*for_case, ("rita", "verdict")}


async def test_a_complaint_about_a_round_that_cannot_end(tmp_path: Path) -> None:
    """It has no pack in play; two people void it, and every stake comes back."""
    async with stage(tmp_path, expected=f"{IN_PLAY} (Conflict)") as the:
        player = await the.opened()
        purse = await purse_minor(the)
        await do(the, t.PlaceBet(ROUND, 1, (1000, 1000)))
        await expect(player.locator(".balance")).to_contain_text(
            f"{(purse - 2000) / 100:,.2f}"
        )
        rita = await desk(the, "rita")
        await found(rita)
        await rita.get_by_role("tab", name="Evidence").click()
        await rita.get_by_role("button", name="Make evidence pack").click()
        told = rita.get_by_role("form", name="Evidence pack").get_by_role("alert")
        await expect(told).to_contain_text("The round is still in play")
        case = await case_opened(rita, "her table stands still")
        await noted(rita, "no dealer came")
        await rita.get_by_label("Void the round because").fill("it cannot end")
        await rita.get_by_role("button", name="Propose void").click()
        await expect(rita.locator(".standing")).to_have_text("proposed")
        await expect(rita.get_by_role("button", name="Approve")).to_have_count(0)
        await approved(the, case)
        assert await purse_minor(the) == purse
        await expect(player.locator(".balance")).to_contain_text(f"{purse / 100:,.2f}")

        await rita.reload()
        await expect(rita.locator(".standing")).to_have_text("done")
        assert await evidence(rita, case, tmp_path) == RIGHT
        for_case = await looks(the, f"about_case={case}")

    assert for_case >= {
        ("rita", "propose void"),
        ("adam", "approve"),
        ("rita", "replay"),
        ("rita", "evidence"),
    }
