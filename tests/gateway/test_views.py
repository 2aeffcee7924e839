"""The view is the round as its table knows it, and deltas are all that changes it."""

import json
from pathlib import Path
from typing import Any

import pytest

from blackjack import machine
from blackjack.rule_sets import RULE_SETS, rule_set
from blackjack.script import read_script
from contracts import round_events as e
from contracts.identities import table_of_round
from contracts.table import OpenTable
from contracts.table_events import TableOpened
from push22.bot import Wagers
from push22.casino import PLATFORM, Casino
from push22.follower import Follower
from push22.script_runner import ScriptTable
from push22.session import Session, Table
from push22.stacked import stacked_ambient
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy
from runtime.bus_memory import Delivery
from services.gateway.lobby import Lobby
from services.gateway.views import RoundView
from services.table_orchestrator.state import Playing

SCRIPTS = sorted((Path(__file__).parents[2] / "docs" / "scripts").glob("*.toml"))


def cards_by_hand(view: RoundView) -> dict[str, tuple[str, ...]]:
    return {hand.label: hand.cards for box in view.boxes for hand in box.hands}


class Compared:
    """Holds the view against the table's own state after every event of a round.

    The host contains what a hearer raises, so differences are noted here, and the test
    asserts that there are none.
    """

    def __init__(self, casino: Casino, player: str) -> None:
        self.lobby = Lobby("f")
        self.follower = Follower(casino)
        self.player = player
        self.compared = 0
        self.differences: list[str] = []
        casino.host.subscribe(self._hear)

    def _hear(self, delivery: Delivery) -> None:
        try:
            self._take(delivery)
        except Exception as error:  # noqa: BLE001 - the test fails for it
            self.differences.append(f"{delivery.record.type}: {error!r}")

    def _take(self, delivery: Delivery) -> None:
        self.lobby.hear(delivery)
        name = delivery.record.stream
        if name not in self.follower.rounds.open_rounds():
            return
        state = self.follower.rounds.state(name)
        if isinstance(state, Playing) and delivery.record.type.startswith("table."):
            self._compare(name, state.game)

    def _compare(self, name: str, game: machine.Round) -> None:
        view = self.lobby.felts[table_of_round(name)].seen_by(self.player).view
        assert view is not None
        own = {hand.label: hand for hand in machine.hands(game) if hand.cards}
        shown = {hand.label: hand for box in view.boxes for hand in box.hands}

        self._same(cards_by_hand(view), {x: hand.cards for x, hand in own.items()})
        self._same(
            {x: hand.total for x, hand in shown.items()},
            {x: hand.total for x, hand in own.items()},
        )
        for label, hand in own.items():
            if hand.status in ("bust", "surrendered", "even_money"):
                self._same(shown[label].status, hand.status)
        self._compare_dealer(view, game)
        self.compared += 1

    def _same(self, shown: object, own: object) -> None:
        if shown != own:
            self.differences.append(f"shown {shown}, but the table has {own}")

    def _compare_dealer(self, view: RoundView, game: machine.Round) -> None:
        """A dealer round that only begins is shown once it has a second card."""
        seen = tuple(card for card in view.dealer.cards if card)
        if len(game.dealer_hand) != 1 or game.dealer_round == 0:
            self._same(seen, game.dealer_hand if game.dealer else ())


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
async def test_the_view_holds_the_cards_of_the_table(rules: str) -> None:
    """Every hand, total and end of it is as the rule book has it, event by event."""
    ambient = Ambient(ManualClock(), SeededEntropy(11), KeyRing.in_memory())
    casino = await Casino.in_memory(ambient)
    compared = Compared(casino, "local.you")
    own = rule_set(rules)
    wagers = Wagers((1,), (max(own.floor_minor, 1000),) * own.wagers_max)
    session = Session(casino, Table("t1", rules, "local.you", wagers))
    await session.open()
    for _ in range(40):
        await session.play(session.bot)

    assert compared.differences == []
    assert compared.compared > 400


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.name)
async def test_the_view_follows_every_script(file: Path) -> None:
    """Rounds with insurance, splits and several boxes are shown as they were played."""
    script = read_script(file.read_text())
    ambient, clock = stacked_ambient(script)
    casino = await Casino.in_memory(ambient)
    compared = Compared(casino, "local.you")
    if rule_set(script.rule_set).pitch:
        compared.player = f"local.{script.boxes[0].player}"
    await ScriptTable(script, casino, clock).play()

    assert compared.differences == []
    assert compared.compared > 5


class Folded:
    """A client that has the first snapshot and does what the deltas say."""

    def __init__(self, snapshot: bytes) -> None:
        message = json.loads(snapshot)
        self.seq = message["seq"]
        self.view: dict[str, Any] = message["view"]

    def take(self, body: bytes) -> None:
        message = json.loads(body)
        assert message["seq"] == self.seq + 1
        self.seq += 1
        changes = message["changes"]
        self.view |= changes.pop("table", {})
        if changes:
            self.view["round"] |= changes


async def test_a_snapshot_and_its_deltas_are_the_view() -> None:
    """After every delta a client has what a fresh snapshot would give."""
    ambient = Ambient(ManualClock(), SeededEntropy(3), KeyRing.in_memory())
    casino = await Casino.in_memory(ambient)
    lobby = Lobby("f")
    casino.host.subscribe(lobby.hear)
    opening = OpenTable("t1", "ny-switch-6d", "EUR")
    await casino.host.submit(casino.envelope(opening, PLATFORM))
    felt = lobby.felts["t1"]
    seen = felt.seen_by("local.you")
    client = Folded(seen.feed.snapshot(felt.view(seen), "new"))
    heard: list[tuple[bytes, bytes]] = []

    def note(body: bytes) -> None:
        heard.append((body, seen.feed.snapshot(felt.view(seen), "new")))

    seen.feed.listeners.add(note)
    session = Session(casino, Table("t1", "ny-switch-6d", "local.you", WAGERS))
    await session.open()
    for _ in range(5):
        await session.play(session.bot)

    assert len(heard) > 100
    for body, fresh in heard:
        client.take(body)
        assert client.view == json.loads(fresh)["view"]


WAGERS = Wagers((1,), (1000, 1000), {"super_match": 100})


async def test_settlement_waits_for_the_table() -> None:
    """Lines heard before the table's event stand in the view all the same."""
    ambient = Ambient(ManualClock(), SeededEntropy(3), KeyRing.in_memory())
    casino = await Casino.in_memory(ambient)
    heard: list[Delivery] = []
    casino.host.subscribe(heard.append)
    session = Session(casino, Table("t1", "ny-switch-6d", "local.you", WAGERS))
    await session.open()
    await session.play(session.bot)
    first = [x for x in heard if not x.record.stream.endswith("t1-2")]
    opening = [x for x in first if isinstance(x.event, TableOpened | e.RoundOpened)]
    early = [x for x in first if x.record.service == "settlement"]
    rest = [x for x in first if x not in opening and x not in early]
    views = []
    for order in (first, [*opening, *early, *rest]):
        lobby = Lobby("f")
        for delivery in order:
            lobby.hear(delivery)
        view = lobby.felts["t1"].everybody.view
        assert view is not None
        views.append(view)

    assert {line.label for line in views[0].lines} >= {"1.1", "1.2", "1.super_match"}
    assert views[0] == views[1]
