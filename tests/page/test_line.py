"""When the line breaks, or the page is loaded again, the round is where it was."""

import json
from pathlib import Path
from typing import Any

from playwright.async_api import Page, expect

from tests.page.stage import act, bet, hand, over, stage

_NO_TOKEN = (
    "Failed to load resource: the server responded with a status of 401 (Unauthorized)"
)
CARDS = "Th 9c 6d 8s 7d Tc 9h"


class Line:
    """A player's socket that the test can break; `kinds` came over each connection."""

    def __init__(self) -> None:
        self.kinds: list[list[str]] = []
        self.orders: list[dict[str, Any]] = []
        self._socket: Any = None

    async def lay(self, page: Page) -> None:
        await page.route_web_socket("**/player/v1/socket", self._connected)

    def _connected(self, socket: Any) -> None:
        self._socket = socket
        server = socket.connect_to_server()
        kinds: list[str] = []
        self.kinds.append(kinds)

        def to_page(text: str) -> None:
            kinds.append(json.loads(text)["kind"])
            socket.send(text)

        def to_server(text: str) -> None:
            message = json.loads(text)
            if message["kind"] == "command":
                self.orders.append(message)
            server.send(text)

        server.on_message(to_page)
        socket.on_message(to_server)

    async def cut(self) -> None:
        await self._socket.close(code=1001)


async def test_a_broken_line_goes_on_where_it_was(tmp_path: Path) -> None:
    """After a break only what was missed comes, and the clock's hand is played."""
    line = Line()
    async with stage(tmp_path, CARDS) as the:
        page = await the.opened()
        await line.lay(page)
        await page.reload()
        await bet(page)
        await page.get_by_role("button", name="Deal").click()
        await expect(hand(page, "1.1")).to_contain_text("18")
        await line.cut()
        await expect(page.get_by_text("Connection lost")).to_be_visible()
        await expect(page.locator("[data-action=hit]")).to_be_disabled()
        await expect(page.get_by_text("Connected", exact=True)).to_be_visible()
        await act(page, "stand")
        await act(page, "stand")
        await over(page)
    assert line.kinds[0].count("snapshot") == 1
    assert "snapshot" not in line.kinds[-1]
    assert "delta" in line.kinds[-1]
    acted = [x["order"] for x in line.orders if x["order"]["do"] == "act"]
    assert all(order["expected_version"] > 0 for order in acted)
    assert len({x["id"] for x in line.orders}) == len(line.orders)


async def test_a_reload_in_mid_round_finds_the_seat(tmp_path: Path) -> None:
    """The session outlives the page: cards, totals, offers and balance are there."""
    async with stage(tmp_path, CARDS) as the:
        page = await the.opened()
        await bet(page)
        await page.get_by_role("button", name="Deal").click()
        await expect(hand(page, "1.2")).to_contain_text("16")
        await page.reload()
        await expect(hand(page, "1.1")).to_contain_text("18")
        await expect(page.locator(".headline")).to_contain_text("Your turn")
        await expect(page.locator(".balance")).to_contain_text("€980.00")
        await act(page, "stand")
        await act(page, "stand")
        await over(page)
        assert "launch" not in page.url


async def test_a_second_window_takes_the_place_of_the_first(tmp_path: Path) -> None:
    """The first one says so, and takes the game back when asked."""
    async with stage(tmp_path, CARDS) as the:
        page = await the.opened()
        kept = await page.evaluate("sessionStorage.getItem('push22.session')")
        other = await page.context.new_page()
        script = f"sessionStorage.setItem('push22.session', {json.dumps(kept)})"
        await other.add_init_script(script)
        await other.goto(page.url)
        await expect(other.get_by_text("Connected", exact=True)).to_be_visible()
        await expect(page.get_by_text("Opened in another window")).to_be_visible()
        await page.get_by_role("button", name="Play here").click()
        await expect(page.get_by_text("Connected", exact=True)).to_be_visible()


async def test_a_refusal_is_told_in_plain_words(tmp_path: Path) -> None:
    """A bet below the minimum and a link that was used say what is wrong."""
    async with stage(tmp_path, CARDS, expected=_NO_TOKEN) as the:
        page = await the.opened()
        await page.get_by_role("region", name="Box 1, ").locator(".spot").first.click()
        await page.get_by_role("button", name="Deal").click()
        words = "That is less than the table's minimum."
        await expect(page.locator(".headline")).to_have_text(words)
        await expect(page.get_by_role("alert").first).to_have_text(words)
        await page.evaluate("sessionStorage.clear()")
        await page.goto(f"{the.address}/play/t1#launch=no-such-token")
        await page.reload()
        await expect(
            page.get_by_role("main").get_by_text("Open the game")
        ).to_be_visible()
