"""G13: the lobby shows what each game returns, and how that was found."""

from pathlib import Path

import httpx
from playwright.async_api import expect

from contracts import table as t
from push22.casino import PLATFORM
from services.gateway.told_rules import told_rules
from services.gateway.views import LimitsView
from tests.page.stage import DESKTOP, WAIT_MS, Stage, stage

LIMITS = LimitsView(500, 100_000, 100)
OTHER = {"soft17": "stand"}


async def with_more_tables(the: Stage) -> None:
    """Open one of another game, and one with options that have no figure."""
    casino = the.the.casino
    for command in (
        t.OpenTable("t2", "lv-8d", "EUR"),
        t.OpenTable("t3", "ny-switch-6d", "EUR", options=dict(OTHER)),
    ):
        answer = await casino.host.submit(casino.envelope(command, PLATFORM))
        assert answer.accepted, answer
    await the.the.settled()


async def launched(the: Stage) -> str:
    asked = {"currency": "EUR", "amount_minor": 100_000}
    await the.the.ask("POST", "/operator/v1/players/alice/deposits", asked)
    launch = {"player": "alice", "currency": "EUR"}
    token = await the.the.ask("POST", "/operator/v1/launches", launch)
    return str(token["launch_token"])


async def test_g13_the_lobby_shows_returns_beside_each_table(tmp_path: Path) -> None:
    """The same words as the table's own rules, from the same figures."""
    async with stage(tmp_path) as the:
        await with_more_tables(the)
        context = await the.browser.new_context(viewport=DESKTOP, locale="en-GB")
        page = await context.new_page()
        page.set_default_timeout(WAIT_MS)
        the.listen(page)
        token = await launched(the)
        await page.goto(f"{the.address}/play#launch={token}")
        rows = page.locator(".lobby li")
        await expect(rows).to_have_count(3)
        for name, rules, options in (
            ("t1", "ny-switch-6d", {}),
            ("t2", "lv-8d", {}),
            ("t3", "ny-switch-6d", OTHER),
        ):
            row = rows.filter(has=page.get_by_role("button", name=name))
            texts = await row.locator(".returns").all_text_contents()
            assert tuple(texts) == told_rules(rules, options, LIMITS).returns
        await expect(page.locator(".lobby")).to_contain_text("97.45 %")


async def test_g13_the_list_of_tables_tells_returns(tmp_path: Path) -> None:
    """As the API's answer to players has them; so has the table's rules."""
    async with stage(tmp_path) as the:
        await with_more_tables(the)
        async with httpx.AsyncClient(base_url=the.address) as http:
            asked = {"launch_token": await launched(the)}
            told = (await http.post("/player/v1/sessions", json=asked)).json()
            http.headers["Authorization"] = f"Bearer {told['session_token']}"
            lines = (await http.get("/player/v1/tables")).json()["tables"]
            rules = [
                (await http.get(f"/player/v1/tables/{line['table']}/rules")).json()
                for line in lines
            ]

    assert len(lines) == 3
    assert [x["returns"] for x in lines] == [x["returns"] for x in rules]
    assert all(x["returns"] for x in lines)
