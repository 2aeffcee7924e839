"""Who looked at what: recorded before it is shown, or it is not shown."""

from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from push22.casino import LOG_NAME
from push22.inspect.parallel import verify_all
from push22.inspect.reader import Reader
from services.gateway.ports import NotAvailable
from tests.archive.forgery import rewrite, with_data
from tests.archive.small_casino import copy_of
from tests.desk.asking import (
    ROUND,
    a_case,
    a_house,
    correction,
    get,
    post,
)
from tests.gateway.house import House


async def looks(the: House, query: str = "") -> list[tuple[str, str, str, str]]:
    answer = await get(the, f"/access?{query}", "ada", "admin")
    assert answer.status_code == 200, answer.text
    return [
        (row["person"], row["what"], row["about"], row["case"])
        for row in answer.json()["looks"]
        if row["what"] != "access"
    ]


async def test_every_look_is_found_again(tmp_path: Path) -> None:
    """By person, round and case, newest first; a look may name its case."""
    async with a_house(tmp_path) as the:
        case = await a_case(the)
        await get(the, "/rounds?player=acme.alice", "vera", "viewer")
        await get(the, f"/rounds/{ROUND}", "vera", "viewer")
        await get(the, f"/rounds/{ROUND}?case={case}", "vera", "viewer")
        header = {"Push22-Case": case}
        await get(the, f"/rounds/{ROUND}/replay", "vera", "viewer", **header)
        the.clock.advance(seconds=1)
        await get(the, f"/cases/{case}", "adam", "admin")
        of_vera = await looks(the, "who=vera")
        of_case = await looks(the, f"about_case={case}")
        of_round = await looks(the, f"round_id={ROUND}")
        none = await looks(the, "until=1")

    assert of_vera == [
        ("vera", "replay", ROUND, case),
        ("vera", "round_records", ROUND, case),
        ("vera", "round_records", ROUND, ""),
        ("vera", "rounds", "player=acme.alice", ""),
    ]
    assert of_case == [("adam", "read_case", case, case), *of_vera[:2]]
    assert of_round == [*of_case, of_vera[2]]
    assert none == []


async def test_what_the_address_names_is_in_the_record(tmp_path: Path) -> None:
    """A statement is of somebody: without the player a look would tell nothing."""
    call = "0190a1b2-0000-8000-8000-000000000000"
    async with a_house(tmp_path) as the:
        for end in ("", ".csv"):
            path = f"/players/acme.alice/statement{end}?currency=EUR"
            assert (await get(the, path, "vera", "viewer")).status_code == 200
        await post(the, f"/calls/{call}/retry", {}, "rita")
        of_vera = await looks(the, "who=vera")
        of_rita = await looks(the, "who=rita")

    assert {(what, about) for _, what, about, _ in of_vera} == {
        ("statement", "acme.alice currency=EUR"),
        ("statement_csv", "acme.alice currency=EUR"),
    }
    assert [row[2] for row in of_rita] == [call]


async def test_a_look_stands_in_the_access_log_and_in_no_other(tmp_path: Path) -> None:
    """Who looked at whom is for admins, not for whoever reads a process log."""
    async with a_house(tmp_path) as the:
        with capture_logs() as said:
            await get(the, "/rounds?player=acme.alice", "vera", "viewer")
            await get(the, f"/rounds/{ROUND}", "vera", "viewer")
        found = await looks(the, "who=vera")

    assert [what for _, what, _, _ in found] == ["round_records", "rounds"]
    assert said == []


async def test_a_question_is_recorded_whole_or_not_answered(tmp_path: Path) -> None:
    """Nobody pushes what he asks for out of the record by what he says before it."""
    async with a_house(tmp_path) as the:
        padded = f"/rounds?x={'x' * 400}&player=acme.alice"
        taken = await get(the, padded, "vera", "viewer")
        refused = await get(the, f"{padded}&y={'y' * 2_000}", "vera", "viewer")
        found = await looks(the, "who=vera")

    assert taken.status_code == 200
    assert (refused.status_code, refused.json()["reason"]) == (400, "malformed")
    assert [about[-17:] for _, _, about, _ in found] == ["player=acme.alice"]


async def test_who_reads_the_access_log_stands_in_it(tmp_path: Path) -> None:
    """An admin is no exception."""
    async with a_house(tmp_path) as the:
        await get(the, "/access", "ada", "admin")
        answer = await get(the, "/access?who=ada", "ada", "admin")

    assert [row["what"] for row in answer.json()["looks"]] == ["access", "access"]


async def test_what_cannot_be_recorded_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fail closed: a log that takes no look lets nobody look."""

    async def away(body: bytes) -> Any:
        raise NotAvailable("the desk is away")

    async def silent(body: bytes) -> Any:
        raise TimeoutError

    async with a_house(tmp_path) as the:
        found = []
        for failing in (away, silent):
            monkeypatch.setattr(the.port, "submit", failing)
            found.append(await get(the, f"/rounds/{ROUND}"))

    for answer in found:
        assert (answer.status_code, answer.json()["reason"]) == (503, "not_available")
        assert ROUND not in answer.text


async def test_a_look_for_what_is_no_case_is_refused(tmp_path: Path) -> None:
    """A misspelt case would never be found again."""
    async with a_house(tmp_path) as the:
        answer = await get(the, f"/rounds/{ROUND}?case=nonsense")

    assert (answer.status_code, answer.json()["reason"]) == (400, "malformed")


async def test_who_may_not_look_is_not_recorded_as_having_looked(
    tmp_path: Path,
) -> None:
    """A viewer's attempt at an admin's route shows nothing."""
    async with a_house(tmp_path) as the:
        answer = await get(the, "/operators", "vera", "viewer")
        found = await looks(the, "who=vera")

    assert (answer.status_code, found) == (403, [])


async def test_a_look_that_is_taken_out_of_the_log_is_found(tmp_path: Path) -> None:
    """It is a record as every other: chained, and made again by verify."""
    data = tmp_path / "data"
    async with a_house(data) as the:
        case = await a_case(the)
        await post(the, f"/cases/{case}/corrections", correction())
        await post(the, f"/cases/{case}/proposals/1/approve", who="adam")
        await get(the, f"/rounds/{ROUND}", "vera", "viewer")
        assert (await looks(the, "who=vera"))[0][2] == ROUND
    whole = Reader.open(data)
    assert verify_all(whole, lambda _: None).is_match
    whole.close()

    file = copy_of(data, tmp_path / "forged")
    rewrite(
        file,
        ("access-vera", 1),
        lambda envelope: with_data(envelope, b'"about":"round-t1-1"', b'"about":"x"'),
    )
    file.close()
    forged = Reader.at(tmp_path / "forged" / LOG_NAME)
    verdict = verify_all(forged, lambda _: None)
    forged.close()

    faults = [log for log in verdict.logs if log.faults]
    assert [log.service for log in faults] == ["desk"]
