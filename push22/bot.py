"""The bot: basic strategy with switching, for any number of tables at once.

It answers the offers it hears of and keeps nothing that the log does not hold, so
that a killed casino goes on where it was.
"""

from typing import Any

import msgspec

from blackjack import strategy
from contracts import round_events as e
from contracts import table as t
from contracts.envelope import Actor
from push22.follower import Follower, player_actor
from services.table_orchestrator.state import Betting, Playing, RoundState


class Wagers(msgspec.Struct, frozen=True):
    """What the bot puts on each of its boxes, minor units."""

    boxes: tuple[int, ...]
    main_minor: tuple[int, ...]
    side_minor: dict[str, int] = {}


def next_move(
    follower: Follower, round_id: str, player: str, wagers: Wagers
) -> tuple[msgspec.Struct, Actor] | None:
    """Return the bot's next command in a round, or `None` while others are due."""
    return move_in(follower.rounds.state(round_id), player, wagers)


def move_in(
    state: RoundState, player: str, wagers: Wagers
) -> tuple[msgspec.Struct, Actor] | None:
    """Return what the bot does where a round stands so."""
    actor = player_actor(player)
    match state:
        case Betting():
            command = _bet(state, player, wagers)
        case Playing():
            command = _decision(state, player)
        case _:
            command = None
    return None if command is None else (command, actor)


def _bet(state: Betting, player: str, wagers: Wagers) -> msgspec.Struct | None:
    if state.closed or state.pending:
        return None
    held = {bet.box for bet in state.bets if bet.player == player}
    for box in wagers.boxes:
        if box not in held:
            return t.PlaceBet(state.round_id, box, wagers.main_minor, wagers.side_minor)
    if player in state.ready:
        return None
    return t.StartDealing(state.round_id)


def _decision(state: Playing, player: str) -> msgspec.Struct | None:
    if not state.offered or state.pending or state.voiding:
        return None
    choice = strategy.choose(state.game)
    if choice is None:
        return None
    target, action, amount = choice
    if state.owners[int(target.partition(".")[0])] != player:
        return None
    return command_for(state.round_id, target, (action, amount))


def command_for(
    round_id: str, target: str, move: tuple[str, int | None]
) -> t.HandCommand:
    """Return the command of a decision given in the rule book's words."""
    action, amount = move
    command = t.COMMAND_FOR[action]
    if issubclass(command, t.AmountCommand):
        return command(round_id, target, amount_minor=amount)
    return command(round_id, target)


HEARD = (
    e.RoundOpened,
    e.WagersAccepted,
    e.WagersRefused,
    e.PlayerReady,
    e.DecisionOpened,
)
"""The events after which the bot may have something to do."""


def may_act(event: Any) -> bool:
    return isinstance(event, HEARD)
