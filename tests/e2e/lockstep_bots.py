"""Bots that play on in lockstep: round after round, from shoe to shoe, with seeds.

What a script of one round does not reach: a shoe that goes on, is retired and replaced,
and players' shares in the cut, opened or not (H12).
"""

import hashlib
import random
from typing import NamedTuple

import msgspec

from blackjack.rule_sets import rule_set
from contracts import identities
from contracts import table as t
from contracts.envelope import Actor
from push22.bot import Wagers, move_in
from push22.follower import PLATFORM, Follower, player_actor
from services.table_orchestrator.state import Betting, RoundState
from tests.e2e.lockstep import DEADLINE_S, Door

CURRENCY = identities.DEFAULT_CURRENCY
Move = tuple[msgspec.Struct, Actor]


class Bot(NamedTuple):
    """What is played; `opens`: whether the player opens the seed of the cut."""

    rule_set: str
    wagers: Wagers
    rounds: int
    opens: bool


def order_of(table: str, bot: Bot) -> list[int]:
    """Shuffle by the table's name: the same order wherever it is played."""
    order = list(range(52 * rule_set(bot.rule_set).decks))
    random.Random(table).shuffle(order)
    return order


async def play_bot(door: Door, bot: Bot) -> None:
    """Play the rounds to their ends."""
    follower, player = Follower(door), f"{door.table}.ann"
    await follower.send(t.OpenTable(door.table, bot.rule_set, CURRENCY), PLATFORM)
    await door.deposit(player, CURRENCY, 1_000_000)
    rounds = [identities.round_id(door.table, n + 1) for n in range(bot.rounds)]
    for round_id in rounds:
        assert round_id in follower.rounds.open_rounds(), f"{round_id} is not open"
        while round_id in follower.rounds.open_rounds():
            move = _move(follower.rounds.state(round_id), player, bot)
            if move is not None:
                answer = await follower.send(*move)
                assert answer.accepted, answer
                continue
            door.clock.advance(seconds=DEADLINE_S)
            await door.host.settle()


def _move(state: RoundState, player: str, bot: Bot) -> Move | None:
    if isinstance(state, Betting) and state.opening:
        shut = [bet.box for bet in state.bets if not bet.seed]
        if not shut or not bot.opens:
            return None
        opened = t.OpenSeed(state.round_id, shut[0], _seed(shut[0]))
        return opened, player_actor(player)
    move = move_in(state, player, bot.wagers)
    if move is None or not isinstance(move[0], t.PlaceBet):
        return move
    seed_hash = hashlib.sha256(_seed(move[0].box)).digest()
    return msgspec.structs.replace(move[0], seed_hash=seed_hash), move[1]


def _seed(box: int) -> bytes:
    return b"%032d" % box
