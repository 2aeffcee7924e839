"""Evidence packs out of a browser: made by a button, kept, and verified."""

import subprocess
import sys
import zipfile
from pathlib import Path

from playwright.async_api import Page


async def made(page: Page, to: Path, **fields: str) -> Path:
    """Fill the form in and make a pack; return where it was kept."""
    await page.get_by_role("tab", name="Evidence").click()
    form = page.get_by_role("form", name="Evidence pack")
    for label, value in fields.items():
        field = form.get_by_label(label)
        if label == "Note":
            await field.fill(value)
        else:
            await field.select_option(value)
    async with page.expect_download() as waiting:
        await form.get_by_role("button", name="Make evidence pack").click()
    download = await waiting.value
    pack = to / download.suggested_filename
    await download.save_as(pack)
    return pack


def verified(pack: Path, *options: str) -> str:
    """Run a pack's own verifier on it, as a stranger would; return its last line."""
    verifier = pack.with_name("verify.py")
    with zipfile.ZipFile(pack) as file:
        verifier.write_bytes(file.read("verify.py"))
    command = [sys.executable, "-I", str(verifier), str(pack), *options]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout, done.stderr
    return done.stdout.splitlines()[-1]
