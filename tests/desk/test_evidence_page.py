"""The button that makes evidence packs; names that a viewer sees for a case."""

from hashlib import sha256
from pathlib import Path

import pytest
from playwright.async_api import expect

from push22.checkpoints.keys import PUBLIC_NAME
from push22.door.packs import FilePacks
from push22.evidence import verify
from tests.desk.asking import a_case, post
from tests.desk.desk import looked_at, play_a_round
from tests.desk.packs import made, verified
from tests.desk.pictures import CARDS
from tests.desk.rounds import ROUND
from tests.page.stage import DESKTOP, PHONE, stage
from tests.page.test_access import violations

pytestmark = pytest.mark.usefixtures("a_browser")

BUSY = "Failed to load resource: the server responded with a status of 503"


async def test_a_pack_is_kept_and_verifies_by_itself(tmp_path: Path) -> None:
    """Its note and player are in it; the page names its digest."""
    async with stage(tmp_path, CARDS) as the:
        await play_a_round(the)
        page = await looked_at(the)
        fields = {"Note": "he saw another card", "For": "acme.alice"}
        pack = await made(page, tmp_path, **fields)
        told = page.locator(".pack .mono")
        await expect(told).to_have_text(sha256(pack.read_bytes()).hexdigest())

    manifest = verify.read_json(
        verify.unzipped(pack.read_bytes())["manifest.json"], "manifest"
    )
    assert (manifest["made_by"], manifest["note"]) == ("carol", fields["Note"])
    assert verified(pack, "--keys", str(tmp_path / PUBLIC_NAME)) == "RIGHT"
    spoiled = pack.with_name("spoiled.zip")
    spoiled.write_bytes(pack.read_bytes().replace(b"Ah", b"As", 1))
    assert verified(spoiled, "--keys", str(tmp_path / PUBLIC_NAME)).startswith("WRONG")


async def test_a_pack_is_for_the_newest_case_of_its_round(tmp_path: Path) -> None:
    """It is chosen already, also where it is closed; nobody has to think of it."""
    async with stage(tmp_path, CARDS) as the:
        await play_a_round(the)
        await a_case(the.the)
        newest = await a_case(the.the)
        await post(the.the, f"/cases/{newest}/close", {"resolution": "explained"})
        page = await looked_at(the)
        await page.get_by_role("tab", name="Evidence").click()
        chosen = page.get_by_role("combobox", name="Case", exact=True)
        await expect(chosen).to_have_value(newest)
        pack = await made(page, tmp_path)
    manifest = verify.read_json(
        verify.unzipped(pack.read_bytes())["manifest.json"], "manifest"
    )
    assert manifest["case"] == newest


async def test_what_cannot_be_made_now_is_said_in_words(tmp_path: Path) -> None:
    """While others are made none is; a moment later there is one."""
    async with stage(tmp_path, CARDS, expected=f"{BUSY} (Service Unavailable)") as the:
        await play_a_round(the)
        page = await looked_at(the)
        packs = the.the.door.packs
        assert isinstance(packs, FilePacks)
        assert all(packs._free.acquire(blocking=False) for _ in range(2))
        await page.get_by_role("tab", name="Evidence").click()
        await page.get_by_role("button", name="Make evidence pack").click()
        form = page.get_by_role("form", name="Evidence pack")
        await expect(form.get_by_role("alert")).to_contain_text("Try again in a moment")
        packs._free.release()
        assert (await made(page, tmp_path)).stat().st_size > 0
        await expect(form.get_by_role("alert")).to_have_text("")


async def test_a_viewer_sees_names_for_an_open_case(tmp_path: Path) -> None:
    """Hidden at first, shown by a case's link, and hidden again once it is closed."""
    async with stage(tmp_path, CARDS) as the:
        await play_a_round(the)
        case = await a_case(the.the)
        page = await looked_at(the, role="viewer")
        note = page.locator(".hold", has_text="Players' names are hidden")
        await expect(page.locator(".perspectives")).not_to_contain_text("alice")
        await note.get_by_role("link", name=case).click()
        await expect(page.locator(".perspectives")).to_contain_text("acme.alice")
        await expect(page.locator(".about-case")).to_contain_text(case)
        assert f"case={case}" in page.url
        await page.get_by_role("tab", name="Evidence").click()
        await expect(page.locator(".tab-panel")).to_contain_text("A resolver makes")
        await post(the.the, f"/cases/{case}/close", {"resolution": "explained"})
        await page.reload()
        await expect(note).to_contain_text("there is none")
        await expect(page.locator(".perspectives")).not_to_contain_text("alice")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_axe_finds_nothing_serious_in_packs_and_looks(
    size: dict[str, int], tmp_path: Path
) -> None:
    """A pack that was made, names that are hidden, the search, and who looked."""
    async with stage(tmp_path, CARDS) as the:
        await play_a_round(the)
        await a_case(the.the)
        page = await looked_at(the, size=size)
        await made(page, tmp_path)
        await expect(page.locator(".pack")).to_be_visible()
        assert await violations(page) == []
        hidden = await looked_at(the, role="viewer", size=size)
        await expect(hidden.locator(".hold").first).to_be_visible()
        assert await violations(hidden) == []
        admin = await looked_at(the, role="admin", size=size)
        for title, rows in (("Search", ".found tbody"), ("Access", ".looks tr")):
            await admin.get_by_role("link", name=title, exact=True).click()
            await expect(admin.locator(rows).first).to_be_visible()
            assert await violations(admin) == [], title
            wide = "document.documentElement.scrollWidth > innerWidth"
            assert not await admin.evaluate(wide), title
        await admin.get_by_label("Person").fill("nobody")
        await admin.get_by_role("button", name="Show").click()
        await expect(admin.get_by_text("Nobody looked.")).to_be_visible()
        link = admin.get_by_role("link", name="Access", exact=True)
        await expect(link).to_have_attribute("aria-current", "page")
        assert admin.url.endswith("/desk/access?who=nobody")
        assert ROUND not in admin.url
