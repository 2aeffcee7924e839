"""Who sees the table plays as the bot inside it: in every rule set, at every turn."""

from collections import Counter

import msgspec
import pytest

from blackjack import strategy
from blackjack.rule_sets import RULE_SETS, rule_set
from contracts.identities import table_of_round
from push22.bot import Wagers
from push22.casino import Casino
from push22.client.views import Table
from push22.follower import Follower
from push22.seen_strategy import next_act
from push22.session import Session
from push22.session import Table as SessionTable
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy
from runtime.bus_memory import Delivery
from services.gateway.lobby import Lobby
from services.table_orchestrator.state import Playing

PLAYER = "local.you"
BOXES = frozenset({1, 2})


class Compared:
    """Asks both, each time that the round waits for a decision.

    What they say is kept: a hearer's failure would be contained, and never seen.
    """

    def __init__(self, casino: Casino) -> None:
        self.lobby = Lobby("f")
        self.follower = Follower(casino)
        self.moves: list[tuple[object, tuple[str, str] | None]] = []
        casino.host.subscribe(self._hear)

    def _hear(self, delivery: Delivery) -> None:
        self.lobby.hear(delivery)
        name = delivery.record.stream
        if name not in self.follower.rounds.open_rounds():
            return
        state = self.follower.rounds.state(name)
        if isinstance(state, Playing) and state.offered and not state.pending:
            self._compare(name, state)

    def _compare(self, name: str, state: Playing) -> None:
        felt = self.lobby.felts[table_of_round(name)]
        shown = felt.view(felt.seen_by(PLAYER))
        view = msgspec.json.decode(msgspec.json.encode(shown), type=Table)
        inside = strategy.choose(state.game)
        outside = next_act(view, BOXES)
        moved = (outside.target, outside.action) if outside else None
        self.moves.append((inside[:2] if inside else None, moved))


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
async def test_the_view_is_enough_to_play_by_basic_strategy(rules: str) -> None:
    """The same move follows from the view as from the round itself."""
    ambient = Ambient(ManualClock(), SeededEntropy(17), KeyRing.in_memory())
    casino = await Casino.in_memory(ambient)
    compared = Compared(casino)
    own = rule_set(rules)
    many = min(2, own.boxes_per_player, own.boxes)
    boxes = tuple(range(1, many + 1))
    wagers = Wagers(boxes, (max(own.floor_minor, 1000),) * own.wagers_max)
    session = Session(casino, SessionTable("t1", rules, PLAYER, wagers))
    await session.open()
    for _ in range(60):
        await session.play(session.bot)

    chosen = Counter(outside[1] for _, outside in compared.moves if outside)
    assert [x for x in compared.moves if x[0] is None or x[0] != x[1]] == []
    assert {"hit", "stand", "double"} <= chosen.keys()
    assert chosen.total() > 60
    if own.switch is not None:
        assert chosen["switch"] > 5
