"""Who may sit at the desk: a token in, a token out."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.desk.desk import opened, signed_in
from tests.gateway.house import house
from tests.page.stage import stage

pytestmark = pytest.mark.usefixtures("a_browser")

REFUSED = (
    "Failed to load resource: the server responded with a status of 401 (Unauthorized)"
)


async def test_a_pasted_token_signs_in_and_signing_out_forgets_it(
    tmp_path: Path,
) -> None:
    """A reload stays signed in; after signing out it is not."""
    async with stage(tmp_path) as the:
        page = await opened(the, "/desk")
        await page.get_by_label("Bearer token").fill(the.the.support("resolver"))
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.locator(".who")).to_have_text("carol resolver")
        await page.reload()
        await expect(page.locator(".who")).to_have_text("carol resolver")
        await page.get_by_role("button", name="Sign out").click()
        await expect(page.get_by_label("Bearer token")).to_be_visible()
        await page.reload()
        await expect(page.get_by_label("Bearer token")).to_be_visible()


async def test_the_address_brings_a_token_and_loses_it(tmp_path: Path) -> None:
    """`#token=` signs in and leaves the address; links and Back stay on the page."""
    async with stage(tmp_path) as the:
        page = await signed_in(the, "/desk/rounds/round-t1-1?at=3")
        assert page.url == f"{the.address}/desk/rounds/round-t1-1?at=3"
        await page.get_by_role("link", name="Cases").click()
        assert page.url == f"{the.address}/desk/cases"
        await expect(page.get_by_role("heading", name="Cases")).to_be_visible()
        await page.go_back()
        await expect(page).to_have_title("round-t1-1 · Push22 desk")


async def test_a_token_that_counts_no_more_asks_again(tmp_path: Path) -> None:
    """A wrong token says why, and is not kept."""
    async with stage(tmp_path, expected=REFUSED) as the:
        page = await opened(the, "/desk#token=nobody")
        await expect(page.get_by_role("alert").first).to_contain_text("unauthenticated")
        await page.reload()
        await expect(page.get_by_label("Bearer token")).to_be_visible()
        await expect(page.locator(".wrong")).to_have_count(0)


async def test_the_desk_loads_only_what_is_its_own(tmp_path: Path) -> None:
    """The page has the strict policy on every path, and no file is open besides."""
    async with house(tmp_path) as the:
        pages = [
            await the.http.get(path)
            for path in ("/desk", "/desk/rounds/round-t1-1", "/desk/cases/x")
        ]
        hidden = await the.http.get("/static/desk.html")

    for page in pages:
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert "unsafe" not in page.headers["content-security-policy"]
        assert b"Dispute desk" in page.content
    assert hidden.status_code == 404
