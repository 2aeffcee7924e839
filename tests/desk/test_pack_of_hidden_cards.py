"""G1, H12: a pack shows no card that nobody has seen while its shoe is in use."""

import base64
import io
import json
import re
from pathlib import Path
from typing import Any

from pypdf import PdfReader

from blackjack.commitment import Slot, salt_of
from contracts import table as t
from contracts.envelope import Actor
from push22.__main__ import run
from push22.casino import PLATFORM
from push22.evidence import verify
from tests.desk.rounds import ALICE, ROUND, deal, done, stacked
from tests.desk.test_hidden_cards import said
from tests.gateway.house import House

CAROL = Actor("support", "carol")
HOLE, NEXT = "Qc", ("Tc", "8d", "Th")
PITCH = "Th 9c Qh 8h 7c 6d 5s Kd Jd"


async def pack(the: House, **query: str) -> Any:
    headers = {"Authorization": f"Bearer {the.support('resolver')}"}
    path = f"/support/v1/rounds/{ROUND}/evidence"
    return await the.http.get(path, params=query, headers=headers)


async def voided(the: House) -> None:
    await done(the, t.VoidRound(ROUND, "the table was hit"), CAROL)


async def retired(the: House) -> dict[str, Any]:
    """Close the table; return what its shoe reveals then."""
    await done(the, t.CloseTable("t1", "the night is over"), PLATFORM)
    while True:
        rows = the.casino.host.file.query(
            "SELECT body FROM records WHERE type = 'shoe.shoe_retired.v1'"
        )
        if rows:
            found: dict[str, Any] = json.loads(rows[0][0])["data"]
            return found
        the.clock.advance(seconds=31)
        await the.settled()


async def test_what_was_not_turned_over_is_not_in_the_pack(tmp_path: Path) -> None:
    """A void before the dealer's turn: no hole card, no salt of it, no next card."""
    async with stacked(tmp_path, "ny-switch-6d", f"Ah 9c 6d 9s Kd {HOLE} Tc") as the:
        await deal(the, (ALICE, t.PlaceBet(ROUND, 1, (1000, 1000))))
        await voided(the)
        answer = await pack(the)
        revealed = await retired(the)

    files = verify.unzipped(answer.content)
    texts = [data.decode() for name, data in files.items() if name != "report.pdf"]
    reader = PdfReader(io.BytesIO(files["report.pdf"]))
    report = " ".join(page.extract_text() for page in reader.pages)
    assert any(said(text, "Kd") for text in texts)
    assert not [x for x in (HOLE, *NEXT) for text in texts if said(text, x)]
    # In pictures a rank stands alone; only the hole card has this one.
    assert re.search(r"\bK\b", report)
    assert not re.search(r"\bQ\b", report)
    assert not salts_beyond(files, revealed) & set(
        re.findall(r"[\w+/]{43}=", texts_of(files))
    )


def texts_of(files: dict[str, bytes]) -> str:
    return files["records.jsonl"].decode() + files["proofs.json"].decode()


def salts_beyond(files: dict[str, bytes], revealed: dict[str, Any]) -> set[str]:
    """Return the salts of all cards of the shoe but those that lay open."""
    dealt = json.loads(files["proofs.json"])["dealt"]
    seen = {
        card["index"]
        for event in dealt
        for card in event.get("cards", [])
        if "card" in card
    }
    assert seen
    secret = base64.b64decode(revealed["secret"])
    slots = [Slot(revealed["shoe"], 0, at) for at in range(len(revealed["order"]) // 2)]
    salts = {at: salt_of(secret, slot) for at, slot in enumerate(slots)}
    text = texts_of(files)
    assert all(base64.b64encode(salts[at]).decode() in text for at in seen)
    return {base64.b64encode(salts[at]).decode() for at in salts if at not in seen}


async def test_a_hand_never_shown_waits_for_the_end_of_its_shoe(tmp_path: Path) -> None:
    """LV-13: as at the desk; by the door, by the command, and for its own player."""
    async with stacked(tmp_path, "lv-2d-pitch", PITCH) as the:
        await deal(the, (ALICE, t.PlaceBet(ROUND, 1, (1000,))))
        await voided(the)
        early = [await pack(the), await pack(the, player="acme.alice")]
        zip_path = tmp_path / "pack.zip"
        words = ["evidence", ROUND, "-o", str(zip_path), "--data", str(tmp_path)]
        code = run(words)
        is_written = zip_path.exists()
        await retired(the)
        late = await pack(the)

    for answer in early:
        assert (answer.status_code, answer.json()["reason"]) == (409, "in_play")
        assert "shoe is in use" in answer.json()["detail"]
    assert (code, is_written) == (2, False)
    assert late.status_code == 200
    assert "9c" in verify.unzipped(late.content)["records.jsonl"].decode()
