"""Nobody is shut out: axe finds nothing serious, nothing is cut off, calm is kept."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.page.stage import DESKTOP, PHONE, TABLET, ViewportSize, act, bet, hand, stage

AXE = Path(__file__).parents[2] / "build/node/axe-core/axe.min.js"
CARDS = "Ah 9c 6d 9s Kd 6c Tc 8d Th"
SIZES = {"desktop": DESKTOP, "tablet": TABLET, "phone": PHONE}


async def violations(page: Page) -> list[str]:
    """Return what axe calls serious or critical, with the places."""
    assert AXE.is_file(), "axe-core is not here: make node"
    await page.evaluate(AXE.read_text())
    found = await page.evaluate("axe.run(document)")
    return [
        f"{one['id']}: {[node['target'] for node in one['nodes']]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


async def overlaps(page: Page) -> list[str]:
    """Return what is wider than the window, and buttons that others lie on."""
    found: list[str] = await page.evaluate(
        """() => {
            const wide = document.documentElement.scrollWidth > innerWidth;
            const buttons = [...document.querySelectorAll(".bar button, .head button")];
            const covered = buttons.filter((button) => {
                const at = button.getBoundingClientRect();
                const [x, y] = [at.left + at.width / 2, at.top + at.height / 2];
                const top = document.elementFromPoint(x, y);
                return !top || !(button.contains(top) || top.contains(button));
            });
            const cut = buttons.filter((x) => x.scrollWidth > x.clientWidth + 1);
            return [...(wide ? ["page"] : []), ...covered.map((x) => x.textContent),
                    ...cut.map((x) => `cut: ${x.textContent}`)];
        }"""
    )
    return found


@pytest.mark.parametrize("name", SIZES)
async def test_axe_finds_nothing_serious(name: str, tmp_path: Path) -> None:
    """While betting, in play and in every panel, at each size."""
    size: ViewportSize = SIZES[name]
    async with stage(tmp_path, CARDS) as the:
        page = await the.opened(size=size)
        assert await violations(page) == []
        assert await overlaps(page) == []
        await bet(page, side=True)
        await page.get_by_role("button", name="Deal").click()
        await act(page, "switch")
        await expect(hand(page, "1.1")).to_contain_text("21, not a blackjack")
        await page.wait_for_timeout(900)
        assert await violations(page) == []
        assert await overlaps(page) == []
        for panel in ("Rules", "History", "Fairness", "Settings"):
            await page.get_by_role("button", name=panel, exact=True).click()
            await expect(page.get_by_role("dialog")).to_be_visible()
            await expect(page.get_by_text("Looking…")).to_have_count(0)
            await expect(page.get_by_text("Checking…")).to_have_count(0)
            assert await violations(page) == [], panel
            await page.keyboard.press("Escape")


@pytest.mark.parametrize("rules", ["ny-switch-6d", "ny-multiple-action", "lv-6d"])
async def test_betting_places_lie_apart(rules: str, tmp_path: Path) -> None:
    """However many boxes and circles a game has, none lies on another or is cut off."""
    async with stage(tmp_path, rules=rules) as the:
        page = await the.opened()
        for width in (360, 768, 1000, 1280, 1600):
            await page.set_viewport_size({"width": width, "height": 800})
            crossing = await page.evaluate(
                """() => [...document.querySelectorAll(".box")].flatMap((box) => {
                    const rings = [...box.querySelectorAll(".ring")];
                    const at = [box, ...rings].map((x) => x.getBoundingClientRect());
                    const [outer, ...inner] = at;
                    return inner.filter((ring, i) =>
                        ring.right > outer.right || ring.left < outer.left
                        || inner.slice(i + 1).some((next) => next.left < ring.right));
                }).length"""
            )
            assert crossing == 0, width


async def test_reduced_motion_moves_nothing(tmp_path: Path) -> None:
    """Cards and switch are there at once for whoever asks for calm."""
    async with stage(tmp_path, CARDS) as the:
        page = await the.opened()
        await page.emulate_media(reduced_motion="reduce")
        await page.evaluate(
            "() => { window.moved = 0; const animate = Element.prototype.animate;"
            " Element.prototype.animate = function (...how)"
            " { window.moved += 1; return animate.apply(this, how); }; }"
        )
        await bet(page)
        await page.get_by_role("button", name="Deal").click()
        await act(page, "switch")
        await expect(hand(page, "1.1")).to_contain_text("21, not a blackjack")
        assert await page.evaluate("window.moved") == 0
        await page.emulate_media(reduced_motion="no-preference")
        await act(page, "switch_back")
        await expect(hand(page, "1.1")).to_contain_text("soft 20")
        assert await page.evaluate("window.moved") == 2


async def test_the_demo_is_labelled_and_keys_can_be_turned_off(tmp_path: Path) -> None:
    """Play money says so; a single key does nothing where it is not wanted."""
    async with stage(tmp_path, CARDS) as the:
        page = await the.opened(keys=False)
        label = page.get_by_role("note")
        await expect(label).to_have_text("Demo: play money, no value")
        await bet(page)
        await page.keyboard.press("x")
        await expect(page.locator(".limits")).to_contain_text("Bets €20.00")
