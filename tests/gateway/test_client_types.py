"""The library's types are the door's, and it stands without the casino."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from contracts import round_search
from push22 import client
from push22.client import answers, messages, orders, views
from push22.client import cases as own_cases
from push22.client.folding import followed, whole
from push22.client.messages import Delta, Snapshot
from services.gateway import cases as door_cases
from services.gateway import door, fairness, feeds, ports, purses, story, told_rules
from services.gateway import orders as door_orders
from services.gateway import views as door_views
from services.gateway.web import bodies, case_bodies
from services.gateway.web import messages as door_messages

ROOT = Path(__file__).parents[2]

PAIRS: list[tuple[Any, Any]] = [
    (answers.Accepted, door.Accepted),
    (answers.Launch, door.Launch),
    (answers.Session, bodies.Session),
    (answers.Me, bodies.Me),
    (answers.TableLine, bodies.TableLine),
    (answers.Tables, bodies.Tables),
    (answers.TableState, bodies.TableState),
    (answers.Balance, bodies.Balance),
    (answers.Seat, round_search.SeatRow),
    (answers.RoundLine, bodies.RoundLine),
    (answers.Rounds, bodies.Rounds),
    (answers.RoundTold, bodies.RoundTold),
    (answers.ReportRow, ports.ReportRow),
    (answers.Report, bodies.Report),
    (answers.SideWager, told_rules.SideTold),
    (answers.Rules, told_rules.RulesTold),
    (answers.Record, story.Told),
    (answers.RoundRecords, bodies.RoundRecords),
    (answers.OperatorLine, bodies.OperatorLine),
    (answers.Operators, bodies.Operators),
    (own_cases.Proposal, door_cases.ProposalTold),
    (own_cases.CaseEntry, door_cases.CaseEntry),
    (own_cases.Case, door_cases.CaseTold),
    (own_cases.CaseLine, door_cases.CaseRow),
    (own_cases.Cases, case_bodies.Cases),
    (views.Hand, door_views.HandView),
    (views.Box, door_views.BoxView),
    (views.Dealer, door_views.DealerView),
    (views.Option, door_views.OptionView),
    (views.Offer, door_views.OfferView),
    (views.Decision, door_views.DecisionView),
    (views.Waiting, door_views.WaitingView),
    (views.Line, door_views.LineView),
    (views.Round, door_views.RoundView),
    (views.Limits, door_views.LimitsView),
    (views.Timings, door_views.TimingsView),
    (views.Shoe, door_views.ShoeView),
    (views.Table, door_views.TableView),
    (views.Happened, door_views.Happened),
    (messages.Refusal, purses.Refusal),
    (messages.You, purses.You),
    (messages.Snapshot, feeds.Snapshot),
    (messages.Delta, feeds.Delta),
    (messages.Hello, door_messages.Hello),
    (messages.Watch, door_messages.Watch),
    (messages.Unwatch, door_messages.Unwatch),
    (messages.Command, door_messages.Command),
    (orders.Bet, door_orders.BetOrder),
    (orders.Withdraw, door_orders.WithdrawOrder),
    (orders.Ready, door_orders.ReadyOrder),
    (orders.Act, door_orders.MoveOrder),
    (orders.OpenSeed, door_orders.SeedOrder),
    (orders.ShowBurnedCard, door_orders.BurnedCardOrder),
]


def members(kind: Any) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(kind)}


@pytest.mark.parametrize(("own", "doors"), PAIRS, ids=lambda kind: kind.__name__)
def test_a_type_has_the_members_of_the_doors(own: Any, doors: Any) -> None:
    """What the door sends or takes is neither missing nor misspelt in the library."""
    assert members(own) == members(doors)
    assert own.__struct_config__.tag == doors.__struct_config__.tag


def test_every_type_of_the_library_is_compared() -> None:
    """A type that is added is held against the door's as well."""
    compared = {own for own, _ in PAIRS} | {messages.Answer, messages.Wrong}
    bases = {answers.Body, views.View, orders.Order}
    own = {
        kind
        for module in (answers, messages, orders, own_cases, views)
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, msgspec.Struct)
        and kind.__module__ == module.__name__
        and not kind.__name__.startswith("_")
    }

    assert own - bases == compared
    assert fairness.ShoeRecord(  # the proof is handed on as it is
        {}, None, []
    ).format.startswith("push22")


def test_the_library_stands_without_the_casino() -> None:
    """Nothing of hosts, services and servers is loaded by importing it."""
    program = (
        "import sys, push22.client;"
        "print(*sorted(m for m in sys.modules if m.split('.')[0] in "
        "('services', 'runtime', 'blackjack', 'litestar', 'uvicorn', 'aiokafka', "
        "'asyncpg', 'faststream', 'cyclopts')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == []


def test_all_that_is_offered_is_there() -> None:
    """`__all__` names what can be imported, in order."""
    assert sorted(client.__all__) == client.__all__
    assert all(hasattr(client, name) for name in client.__all__)


VIEW = {
    "table": "t1",
    "status": "open",
    "rule_set": "ny-switch-6d",
    "currency": "EUR",
    "options": {},
    "limits": {"min_minor": 1, "max_minor": 2, "side_min_minor": 1, "new": 1},
    "timings": {},
    "shoe": {"id": "shoe-t1-1", "root": "AAEC", "cards_out": 0},
    "round": None,
    "weather": "fine",
}
ROUND = {
    "round_id": "round-t1-1",
    "number": 1,
    "version": 1,
    "phase": "raining",
    "boxes": [],
    "dealer": {"cards": [], "total": 0, "soft": False},
    "decision": None,
    "waiting": [],
    "lines": [],
    "burned_card": "",
    "status": "open",
    "umbrella": True,
}


def read(message: dict[str, Any]) -> Any:
    return messages.read(msgspec.json.encode(message))


def delta(seq: int, feed: str = "f", **changes: Any) -> Delta:
    happened = {"what": "x", "at": 1, "by": "player", "mood": "good"}
    found = read(
        {
            "kind": "delta",
            "table": "t1",
            "feed": feed,
            "seq": seq,
            "happened": happened,
            "changes": changes,
        }
    )
    assert isinstance(found, Delta)
    return found


def snapshot() -> Snapshot:
    found = read(
        {
            "kind": "snapshot",
            "table": "t1",
            "feed": "f",
            "seq": 4,
            "reason": "new",
            "view": VIEW,
        }
    )
    assert isinstance(found, Snapshot)
    return found


def test_a_newer_door_is_understood_as_far_as_it_is_known() -> None:
    """Unknown members, words and kinds of message do no harm."""
    seen = whole(snapshot())
    after = followed(seen, delta(5, table={"round": ROUND, "moon": 1}, sun=2))
    assert after is not None
    assert after.view.round is not None

    assert after.view.round.phase == "raining"
    assert after.view.shoe is not None
    assert after.view.shoe.root == b"\x00\x01\x02"
    assert read({"kind": "weather", "sunny": True}) is None


def test_a_repeated_delta_changes_nothing_and_a_missing_one_is_seen() -> None:
    """The place in the feed says which is which."""
    seen = whole(snapshot())
    once = followed(seen, delta(5, table={"status": "closed"}))
    assert once is not None

    assert once.view.status == "closed"
    assert followed(once, delta(5, table={"status": "open"})) == once
    assert followed(once, delta(4)) == once
    assert followed(once, delta(7)) is None
    assert followed(once, delta(6, feed="g")) is None


@pytest.mark.parametrize(
    "changes", [{"table": 1}, {"table": {"status": 1}}, {"boxes": {}}]
)
def test_changes_that_make_no_sense_are_not_taken(changes: dict[str, Any]) -> None:
    """They are no view of the door's."""
    seen = followed(whole(snapshot()), delta(5, table={"round": ROUND}))
    assert seen is not None

    with pytest.raises(client.Garbled):
        followed(seen, delta(6, **changes))


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"kind": "delta"}', '{"kind": 1}', b"\xff", "x" * 9],
)
def test_a_text_that_is_no_message_is_not_taken(text: str | bytes) -> None:
    """What has a kind that is known must be one."""
    with pytest.raises(client.Garbled):
        messages.read(text)
