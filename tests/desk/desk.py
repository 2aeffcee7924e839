"""Support before a casino's door: browsers that are signed in at the desk."""

from typing import Any

from playwright.async_api import Page, ViewportSize, expect

from tests.page.stage import DESKTOP, WAIT_MS, Stage


async def signed_in(
    the: Stage, path: str = "/desk", *, role: str = "viewer", **how: Any
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
