"""Cases by the support API: from the complaint to the money, by two people."""

from pathlib import Path

from contracts import table as t
from contracts.envelope import Actor
from tests.desk.asking import (
    ALICE,
    OPEN_ROUND,
    ROUND,
    WHY,
    a_case,
    a_house,
    balance,
    bet,
    correction,
    done,
    get,
    post,
)


async def test_a_correction_needs_a_second_person(tmp_path: Path) -> None:
    """Proposed by one, approved by another; then the money is there, once."""
    async with a_house(tmp_path) as the:
        case, before = await a_case(the), await balance(the)
        proposed = await post(the, f"/cases/{case}/corrections", correction())
        approve = f"/cases/{case}/proposals/1/approve"
        own = await post(the, approve)
        assert await balance(the) == before
        other = await post(the, approve, who="adam")
        again = await post(the, approve, who="adam")
        after = await balance(the)

    assert proposed.json()["proposals"][0]["standing"] == "proposed"
    assert (own.status_code, own.json()["reason"]) == (403, "self_approval")
    (found,) = other.json()["proposals"]
    assert (found["standing"], found["decided_by"]) == ("done", "adam")
    assert again.json()["reason"] == "proposal_ended"
    assert after == before + 2500


async def test_a_correction_is_in_the_currency_of_its_round(tmp_path: Path) -> None:
    """Money of another one would stand in the round's balances as if it were its."""
    async with a_house(tmp_path) as the:
        case = await a_case(the)
        asked = correction() | {"currency": "USD"}
        answer = await post(the, f"/cases/{case}/corrections", asked)
        told = await get(the, f"/cases/{case}")
        never = await post(the, f"/cases/{case}x/corrections", asked)

    assert (answer.status_code, answer.json()["reason"]) == (422, "wrong_currency")
    assert told.json()["proposals"] == []
    assert never.status_code == 404


async def test_nobody_is_a_second_person_by_another_spelling(tmp_path: Path) -> None:
    """Upper case is the same person; blanks and what is not seen are no names."""
    async with a_house(tmp_path) as the:
        case = await a_case(the)
        await post(the, f"/cases/{case}/corrections", correction())
        path = f"/cases/{case}/proposals/1/approve"
        own = await post(the, path, {}, "Rita")
        unseen = [
            await post(the, path, {}, who)
            for who in ("rita ", " rita", "rita\u200b", "\uff52ita", "", "\ud800")
        ]
        told = await get(the, f"/cases/{case}")

    assert (own.status_code, own.json()["reason"]) == (403, "self_approval")
    assert {answer.status_code for answer in unseen} == {401}
    assert told.json()["proposals"][0]["standing"] == "proposed"


async def test_what_one_person_may_decide_is_done_at_once(tmp_path: Path) -> None:
    """The door's threshold, by currency; what is over it waits."""
    async with a_house(tmp_path, EUR=2500) as the:
        case, before = await a_case(the), await balance(the)
        path = f"/cases/{case}/corrections"
        small = await post(the, path, correction(2500))
        large = await post(the, path, correction(1))
        waiting = await get(the, "/cases?status=waiting")
        after = await balance(the)

    (done,) = small.json()["proposals"]
    assert (done["standing"], done["is_alone"]) == ("done", True)
    assert large.json()["proposals"][1]["standing"] == "proposed"
    assert [row["case"] for row in waiting.json()["cases"]] == [case]
    assert after == before + 2500


async def test_a_void_goes_through_a_case(tmp_path: Path) -> None:
    """In one request a case is opened and the void proposed; a second one approves."""
    async with a_house(tmp_path) as the:
        await bet(the, OPEN_ROUND)
        before = await balance(the)
        key = {"Idempotency-Key": "void-0001"}
        path = f"/rounds/{OPEN_ROUND}/void"
        asked = await post(the, path, {"reason": WHY}, **key)
        again = await post(the, path, {"reason": WHY}, **key)
        found = asked.json()
        approve = f"/cases/{found['case']}/proposals/1/approve"
        approved = await post(the, approve, who="adam")
        await the.settled()
        after = await balance(the)
        told = await get(the, f"/cases/{found['case']}")

    assert asked.status_code == 201
    assert found["proposals"][0]["amount_minor"] == 2000
    assert again.json()["case"] == found["case"]
    assert len(again.json()["proposals"]) == 1
    assert approved.status_code == 200
    assert told.json()["proposals"][0]["standing"] == "done"
    assert after == before + 2000


async def test_h4_a_repeated_void_is_the_same_though_stakes_have_grown(
    tmp_path: Path,
) -> None:
    """What is staked is looked up by the door: it is no other request for that."""
    key = {"Idempotency-Key": "void-0001"}
    path = f"/rounds/{OPEN_ROUND}/void"
    async with a_house(tmp_path) as the:
        alice = Actor("player", ALICE)
        await done(the, t.PlaceBet(OPEN_ROUND, 1, (1000, 1000)), alice)
        first = await post(the, path, {"reason": WHY}, **key)
        await done(the, t.PlaceBet(OPEN_ROUND, 2, (1000, 1000)), alice)
        again = await post(the, path, {"reason": WHY}, **key)

    assert again.status_code == 201, again.text
    assert again.json() == first.json()


async def test_a_case_tells_its_story_and_is_closed(tmp_path: Path) -> None:
    """Each entry says who, when and what; a closed case takes nothing more."""
    async with a_house(tmp_path) as the:
        case = await a_case(the)
        await post(the, f"/cases/{case}/notes", {"text": "the camera shows it"})
        await post(the, f"/cases/{case}/corrections", correction())
        early = await post(the, f"/cases/{case}/close", {"resolution": "paid"})
        reject = f"/cases/{case}/proposals/1/reject"
        await post(the, reject, {"reason": "no such thing"}, who="adam")
        closed = await post(the, f"/cases/{case}/close", {"resolution": "explained"})
        late = await post(the, f"/cases/{case}/notes", {"text": "more"})
        listed = await get(the, f"/cases?round_id={ROUND}&status=closed")

    assert early.json()["reason"] == "proposals_open"
    found = closed.json()
    assert (found["status"], found["player"]) == ("closed", ALICE)
    said = [(entry["what"], entry["who"], entry["text"]) for entry in found["entries"]]
    assert said == [
        ("case_opened", "rita", "alice's double"),
        ("note_added", "rita", "the camera shows it"),
        ("correction_proposed", "rita", WHY),
        ("proposal_rejected", "adam", "no such thing"),
        ("case_closed", "rita", "explained"),
    ]
    assert late.json()["reason"] == "case_closed"
    assert [row["case"] for row in listed.json()["cases"]] == [case]


async def test_there_is_no_case_about_what_never_was(tmp_path: Path) -> None:
    """Neither a round nor a case that is not there."""
    async with a_house(tmp_path) as the:
        no_round = {"round_id": "round-t9-1", "subject": "x"}
        answers = [
            await post(the, "/cases", no_round),
            await post(the, "/rounds/round-t9-1/void", {"reason": "x"}),
            await get(the, "/cases/t1-1-none"),
            await post(the, "/cases/t1-1-none/notes", {"text": "x"}),
        ]

    assert [answer.status_code for answer in answers] == [404] * 4


async def test_the_rounds_records_show_what_was_corrected(tmp_path: Path) -> None:
    """Approval and transfer belong to the round; what was said in the case does not."""
    async with a_house(tmp_path) as the:
        case = await a_case(the)
        await post(the, f"/cases/{case}/corrections", correction())
        await post(the, f"/cases/{case}/proposals/1/approve", who="adam")
        answer = await get(the, f"/rounds/{ROUND}")

    types = [record["type"] for record in answer.json()["records"]]
    assert types[-2:] == ["desk.proposal_approved.v1", "wallet.correction_posted.v1"]
    assert sum(name.startswith("desk.") for name in types) == 1


async def test_cases_are_listed_page_by_page(tmp_path: Path) -> None:
    """Newest first, each once."""
    async with a_house(tmp_path) as the:
        made = []
        for _ in range(3):
            the.clock.advance(seconds=1)
            made.append(await a_case(the))
        first = (await get(the, "/cases?limit=2")).json()
        rest = (await get(the, f"/cases?limit=2&cursor={first['cursor']}")).json()

    listed = [row["case"] for row in (*first["cases"], *rest["cases"])]
    assert listed == made[::-1]


async def test_a_corrected_round_is_replayed_and_matches(tmp_path: Path) -> None:
    """What came after its end is shown, and its decisions are made again."""
    async with a_house(tmp_path) as the:
        case = await a_case(the)
        await post(the, f"/cases/{case}/corrections", correction())
        await post(the, f"/cases/{case}/proposals/1/approve", who="adam")
        replay = await get(the, f"/rounds/{ROUND}/replay")
        verdict = await get(the, f"/rounds/{ROUND}/verdict")

    assert replay.status_code == 200, replay.text
    assert "correction_posted" in replay.text
    assert verdict.status_code == 200, verdict.text
    assert "MATCH" in verdict.text.upper()
