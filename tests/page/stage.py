"""A casino whose shoe is stacked, its door, and players' browsers before it."""

import asyncio
import contextlib
import json
import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, ViewportSize, async_playwright, expect

from blackjack.script import read_script
from contracts import table as t
from push22.casino import KEYS_NAME, LOG_NAME, PLATFORM, Casino
from push22.stacked import StackedEntropy, stacked_order
from runtime.ambient import Ambient, KeyRing, SystemClock, SystemEntropy
from runtime.sqlite_file import SqliteFile
from services.gateway.web.app import Settings, application
from tests.gateway.house import House

DESKTOP = ViewportSize(width=1280, height=800)
TABLET = ViewportSize(width=768, height=1024)
PHONE = ViewportSize(width=360, height=740)
WAIT_MS = 60_000
_OF_NETWORK = "net::ERR_NETWORK_CHANGED"
"""A container that starts beside a test changes the machine's networks. The browser
drops what is under way then; the pages ask again."""
TABLE = "t1"
_TIMINGS = t.Timings(120_000, 5_000, 120_000, 120_000, 10_000)
_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = ("--no-sandbox", "--disable-background-networking")

expect.set_options(timeout=WAIT_MS)


class Stage:
    """The casino, where its door is, and a browser."""

    def __init__(self, the: House, address: str, browser: Browser) -> None:
        self.the = the
        self.address = address
        self.browser = browser
        self.errors: list[str] = []

    async def opened(
        self, player: str = "alice", *, size: ViewportSize = DESKTOP, **settings: Any
    ) -> Page:
        """Let a player in at the table; return the page before its first bet."""
        page, address = await self.launched(player, size=size, **settings)
        await page.goto(address)
        await expect(page.locator(".spot").first).to_be_visible()
        return page

    async def launched(
        self, player: str = "alice", *, size: ViewportSize = DESKTOP, **settings: Any
    ) -> tuple[Page, str]:
        """Return a browser's empty page, and the address that lets a player in."""
        asked = {"currency": "EUR", "amount_minor": 100_000}
        await self.the.ask("POST", f"/operator/v1/players/{player}/deposits", asked)
        launch = {"player": player, "currency": "EUR", "table": TABLE}
        token = await self.the.ask("POST", "/operator/v1/launches", launch)
        context = await self.browser.new_context(viewport=size, locale="en-GB")
        chosen = json.dumps(json.dumps({"seeds": False, **settings}))
        await context.add_init_script(
            "sessionStorage.getItem('push22.settings') ??"
            f" sessionStorage.setItem('push22.settings', {chosen})"
        )
        page = await context.new_page()
        page.set_default_timeout(WAIT_MS)
        self.listen(page)
        return page, f"{self.address}/play/{TABLE}#launch={token['launch_token']}"

    def listen(self, page: Page) -> None:
        """Note whatever a page complains of."""
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._heard)
        page.on("request", self._asked)

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning") and _OF_NETWORK not in message.text:
            self.errors.append(message.text)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.address, "blob:", "data:")):
            self.errors.append(f"asked elsewhere: {request.url}")


@contextlib.asynccontextmanager
async def browser() -> AsyncIterator[Browser]:
    """Run Debian's Chromium; its own bundled one is never fetched."""
    named = os.environ.get("PUSH22_CHROMIUM", "")
    found = named or next(filter(None, map(shutil.which, _CHROMIUM)), None)
    assert found, "no Chromium here: install it, or set PUSH22_SKIP_BROWSER=1"
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(
            executable_path=found, args=list(_ARGUMENTS)
        )
        try:
            yield running
        finally:
            await running.close()


@contextlib.asynccontextmanager
async def stage(data: Path, cards: str = "", **how: Any) -> AsyncIterator[Stage]:
    """Open a table; with `cards` its shoe deals these first, as in a round script.

    Whatever a page complains of fails the test.
    """
    rules = how.get("rules", "ny-switch-6d")
    casino = Casino(SqliteFile.open(data / LOG_NAME), _ambient(data, cards, rules))
    await casino.host.start()
    the = House(data, SystemClock(), casino)
    the.app = application(the.door, Settings("test", play_money=True))
    await the.door.start()
    stepping = the.port.run()
    try:
        opening = t.OpenTable(TABLE, rules, "EUR", timings=how.get("timings", _TIMINGS))
        await casino.host.submit(casino.envelope(opening, PLATFORM))
        async with the.served() as socket, browser() as running:
            address = socket.replace("ws://", "http://").partition("/player")[0]
            found = Stage(the, address, running)
            yield found
            complaints = [x for x in found.errors if x != how.get("expected")]
            assert not complaints, complaints
    finally:
        await the.http.aclose()
        await casino.close()
        await asyncio.wait_for(stepping, 20)


def _ambient(data: Path, cards: str, rules: str) -> Ambient:
    keys = KeyRing.load(data / KEYS_NAME)
    if not cards:
        return Ambient(SystemClock(), SystemEntropy(), keys)
    text = f'rules = "{rules}"\ncards = "{cards}"\n[[box]]\nbox = 1\nwager = 1000\n'
    order = stacked_order(read_script(text))
    return Ambient(SystemClock(), StackedEntropy(order), keys)


async def bet(page: Page, box: int = 1, *, side: bool = False) -> None:
    """Put 10.00 on each hand of a box, and 5.00 on its side wager."""
    place = page.get_by_role("region", name=f"Box {box}, ")
    spot = place.locator(".spot.wager").first
    await spot.click()
    await spot.click()
    if side:
        await place.locator(".spot.side").click()


async def act(page: Page, action: str) -> None:
    """Take an action by its button, as soon as it is offered."""
    button = page.locator(f"[data-action={action}]")
    await expect(button).to_be_enabled()
    await button.click()


def hand(page: Page, label: str) -> Any:
    return page.get_by_role("group", name=f"Hand {label}, ")


async def over(page: Page) -> None:
    """Wait for the round's outcome."""
    await expect(page.locator(".sub")).to_contain_text("this round")
