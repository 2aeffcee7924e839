"""Support before a casino's door: browsers that are signed in at the desk."""

from typing import Any

from playwright.async_api import Page, ViewportSize, expect

from contracts import table as t
from tests.desk.rounds import ALICE, ROUND
from tests.page.stage import DESKTOP, WAIT_MS, Stage


async def signed_in(
    the: Stage, path: str = "/desk", *, role: str = "resolver", **how: Any
) -> Page:
    """Open a page of the desk with a token in its address."""
    page = await opened(the, f"{path}#token={the.the.support(role)}", **how)
    await expect(page.locator(".desk-head .who")).to_contain_text("carol")
    return page


async def opened(
    the: Stage, path: str, *, size: ViewportSize = DESKTOP, **how: Any
) -> Page:
    """Open a path in a browser of its own; what the page complains of is noted."""
    context = await the.browser.new_context(viewport=size, locale="en-GB", **how)
    page = await context.new_page()
    page.set_default_timeout(WAIT_MS)
    the.listen(page)
    await page.goto(the.address + path)
    return page


async def play_a_round(the: Stage, *, until: str = "") -> None:
    """Play round 1 as alice: bet both boxes, switch on the first, split, stand.

    `until="switch"`: leave it open after that.
    """
    house = the.the
    asked = {"currency": "EUR", "amount_minor": 100_000}
    await house.ask("POST", "/operator/v1/players/alice/deposits", asked)
    for box in (1, 2):
        await do(the, t.PlaceBet(ROUND, box, (1000, 1000), {"super_match": 500}))
    await do(the, t.StartDealing(ROUND))
    await do(the, t.SwitchCards(ROUND, "1"))
    if until == "switch":
        return
    await do(the, t.Stand(ROUND, "1.1"))
    await do(the, t.SplitHand(ROUND, "1.2"))
    for label in ("1.2.1", "1.2.2", "2.1", "2.2"):
        await do(the, t.Stand(ROUND, label))


async def do(the: Stage, command: Any) -> None:
    """Send a command of alice's, which must be accepted."""
    casino = the.the.casino
    answer = await casino.host.submit(casino.envelope(command, ALICE))
    assert answer.accepted, answer
    await the.the.settled()


async def looked_at(the: Stage, query: str = "", **how: Any) -> Page:
    """Open the round in the viewer; return the page once the table is drawn."""
    page = await signed_in(the, f"/desk/rounds/{ROUND}{query}", **how)
    await expect(page.locator(".replay-felt .felt")).to_be_visible()
    return page
