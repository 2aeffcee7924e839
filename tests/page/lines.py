"""A line that drops what is under way, as when a browser changes networks."""

from typing import Any

from playwright.async_api import Page

DROPPED = "Failed to load resource: net::ERR_CONNECTION_RESET"
"""What a browser complains of then."""


async def drop(page: Page, what: str, *, times: int) -> None:
    """Let so many requests for something get no answer."""

    async def dropped(route: Any) -> None:
        await route.abort("connectionreset")

    await page.route(what, dropped, times=times)
