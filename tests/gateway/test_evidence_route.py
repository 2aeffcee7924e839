"""Evidence packs through the door: who gets one, what is in it, and what is noted."""

import re
from pathlib import Path
from typing import Any

from case_rows import CASE
from house import House, house
from test_routes import OLD, OPEN, prepared

from push22.checkpoints.keys import PUBLIC_NAME
from push22.door.packs import FilePacks
from push22.evidence import verify


async def asked(the: House, round_id: str, role: Any = "resolver", **query: str) -> Any:
    path = f"/support/v1/rounds/{round_id}/evidence"
    headers = {"Authorization": f"Bearer {the.support(role)}"}
    return await the.http.get(path, params=query, headers=headers)


async def test_a_resolver_gets_a_pack_that_verifies(tmp_path: Path) -> None:
    """It is a zip to save, signed by the casino's key; who made it stands in it."""
    async with house(tmp_path) as the:
        await prepared(the)
        answer = await asked(the, OLD, case=CASE, note="he saw another card")

    keys = verify.read_keys((tmp_path / PUBLIC_NAME).read_bytes(), "keys")
    files = verify.unzipped(answer.content)
    manifest = verify.read_json(files["manifest.json"], "manifest")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/zip"
    assert f"evidence-{OLD}.zip" in answer.headers["content-disposition"]
    assert verify.judge(files, keys).lines[-1] == "RIGHT"
    assert (manifest["made_by"], manifest["case"]) == ("carol", CASE)


async def test_what_there_is_no_pack_of_has_its_reason(tmp_path: Path) -> None:
    """A round in play, an unknown one, a stranger, a note too long, no case of ours."""
    async with house(tmp_path) as the:
        await prepared(the)
        in_play = await asked(the, OPEN)
        unknown = await asked(the, "round-acme1-99")
        stranger = await asked(the, OLD, player="acme.mallory")
        too_long = await asked(the, OLD, note="x" * 2001)
        no_case = await asked(the, OLD, case="C-17")
        viewer = await asked(the, OLD, role="viewer")
        paths = (await the.http.get("/openapi.json")).json()["paths"]

    assert (in_play.status_code, in_play.json()["reason"]) == (409, "in_play")
    assert (unknown.status_code, unknown.json()["reason"]) == (404, "not_found")
    assert (stranger.status_code, stranger.json()["reason"]) == (404, "not_found")
    assert too_long.status_code == 400
    assert (no_case.status_code, no_case.json()["reason"]) == (400, "malformed")
    route = paths["/support/v1/rounds/{round_id}/evidence"]["get"]
    (case,) = [x["schema"] for x in route["parameters"] if x["name"] == "case"]
    assert not re.search(case["pattern"], "C-17")
    assert re.search(case["pattern"], "acme1-1-c7")
    assert viewer.status_code == 403


async def test_more_packs_at_once_than_may_be_are_put_off(tmp_path: Path) -> None:
    """Support cannot take the processor away from the players."""
    async with house(tmp_path) as the:
        await prepared(the)
        packs = the.door.packs
        assert isinstance(packs, FilePacks)
        held = [packs._free.acquire(blocking=False) for _ in range(2)]
        busy = await asked(the, OLD)
        packs._free.release()
        again = await asked(the, OLD)

    assert held == [True, True]
    assert (busy.status_code, again.status_code) == (503, 200)
