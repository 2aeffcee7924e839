"""What an operator's report counts, and what it says of parameters that are missing."""

from pathlib import Path

import pytest
from house import House, house
from test_routes import OPEN, prepared

from contracts import table as t
from contracts.envelope import Actor

ALL = "since=0&until=9000000000000000"
REPORTS = "/operator/v1/reports/rounds"


async def bet_in_play(the: House) -> None:
    """Let alice bet on the round that is open."""
    alice = Actor("player", "acme.alice")
    bet = the.casino.envelope(t.PlaceBet(OPEN, 1, (1000, 1000)), alice)
    assert (await the.casino.host.submit(bet)).accepted
    await the.settled()


@pytest.mark.parametrize("by", ["day", "table", "rule_set"])
async def test_a_round_in_play_is_in_no_row_of_a_report(
    by: str, tmp_path: Path
) -> None:
    """It is counted apart, and its stakes count when it is closed."""
    async with house(tmp_path) as the:
        await prepared(the)
        before = await the.ask("GET", f"{REPORTS}?{ALL}&by={by}")
        await bet_in_play(the)
        after = await the.ask("GET", f"{REPORTS}?{ALL}&by={by}")
        rival = await the.ask("GET", f"{REPORTS}?{ALL}&by={by}", operator="rival")
        early = await the.ask("GET", f"{REPORTS}?since=0&until=1&by={by}")
        table = await the.http.send(the.signed("GET", f"{REPORTS}.csv?{ALL}"))

    assert [row["rounds"] for row in before["rows"]] == [1]
    assert before["rows"][0]["stakes_minor"] >= 2000
    assert after["rows"] == before["rows"]
    assert (before["open_rounds"], after["open_rounds"]) == (0, 1)
    assert (rival["open_rounds"], early["open_rounds"]) == (0, 0)
    assert "1970" not in str(after["rows"])
    assert "open_rounds,1" in table.text.splitlines()


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/operator/v1/players/alice/balance", "currency"),
        (f"{REPORTS}?until=1", "since"),
        (f"{REPORTS}?since=1", "until"),
        (f"{REPORTS}.csv?since=1", "until"),
    ],
)
async def test_a_missing_parameter_is_named(
    path: str, name: str, tmp_path: Path
) -> None:
    """The detail of the problem says which one."""
    async with house(tmp_path) as the:
        answer = await the.http.send(the.signed("GET", path))

    assert answer.status_code == 400
    assert answer.json()["detail"] == f"{name}: missing, a query parameter"
