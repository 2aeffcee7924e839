"""The bot behind the door: plays rounds through a live session by basic strategy.

It decides on what it is shown and nothing else, so that many can play in one process,
each on its own, however often their connections are lost.
"""

import asyncio

import msgspec

from blackjack.rule_sets import rule_set
from push22.client import AnyOrder, Bet, Live, Problem, Ready, Round, Seen, Table, You
from push22.client.views import Box
from push22.seen_strategy import next_act

ROUND_S = 600.0
"""A round ends by itself: each decision has its time."""

_NOT_NOW = frozenset(
    {
        "betting_closed",
        "table_full",
        "entry_barred",
        "minimum_only",
        "round_over",
        "no_answer",
        "not_available",
    }
)
"""A bet is refused in this round, and may be taken in a later one."""

_TAKEN = frozenset({"box_taken", "bet_pending"})
"""Somebody was quicker: the view will show what is free."""


class CannotPlay(Exception):
    """The bot's bets are not taken; the text says why."""


class Stakes(msgspec.Struct, frozen=True):
    """How many boxes, and minor units on each main wager and the side wager."""

    boxes: int = 1
    main_minor: int = 1000
    side_minor: int = 0


class DoorBot:
    """One player at one table."""

    def __init__(self, live: Live, table: str, stakes: Stakes) -> None:
        self._live = live
        self._table = table
        self._stakes = stakes
        self._handled: tuple[Seen, You] | None = None
        self._own = ""
        self._sits_out = ""
        self.orders = 0

    async def play(self) -> str:
        """Play until a round with own bets is closed; return its id.

        Raises CannotPlay, TimeoutError, or what the live session raises.
        """
        await self._live.watch(self._table)
        self._own = ""
        async with asyncio.timeout(ROUND_S):
            while True:
                seen, you = await self._live.until(self._news, ROUND_S)
                if self._own and _is_over(seen, self._own):
                    return self._own
                self._check_funds(you)
                self._own = _own_round(seen.view, you) or self._own
                await self._move(seen, you)

    def _news(self) -> tuple[Seen, You] | None:
        """Return what is shown, unless all was done there that could be."""
        seen = self._live.tables.get(self._table)
        if seen is None:
            return None
        shown = seen, self._live.you
        return None if shown == self._handled else shown

    def _check_funds(self, you: You) -> None:
        for refusal in you.refusals:
            if refusal.round_id == self._own:
                raise CannotPlay(f"{self._own} {refusal.target}: {refusal.reason}")

    async def _move(self, seen: Seen, you: You) -> None:
        order = self._order(seen.view, you)
        self._handled = seen, you
        if order is None:
            return
        self.orders += 1
        answer = await self._live.order(order)
        if isinstance(answer, Problem):
            self._take_refusal(order, answer)
            return
        self._own = order.round_id
        await self._live.until(
            lambda: self._shows(order.round_id, answer.version), ROUND_S
        )

    def _shows(self, round_id: str, version: int) -> bool:
        """Tell whether the view has come as far as an answer says."""
        seen = self._live.tables.get(self._table)
        if seen is None or seen.view.round is None:
            return False
        shown = seen.view.round
        is_seated = shown.round_id in self._live.you.seats
        return shown.round_id != round_id or (is_seated and shown.version >= version)

    def _take_refusal(self, order: AnyOrder, problem: Problem) -> None:
        """A decision that came too late is made again on what is shown next."""
        if not isinstance(order, Bet) or problem.reason in _TAKEN:
            return
        if problem.reason not in _NOT_NOW:
            raise CannotPlay(f"{order.round_id}: {problem.reason} {problem.detail}")
        self._sits_out = order.round_id

    def _order(self, view: Table, you: You) -> AnyOrder | None:
        """Return what is to be done now, if anything is."""
        shown = view.round
        if shown is None:
            return None
        own = frozenset(box.box for box in own_boxes(shown, you))
        if shown.phase != "betting":
            return next_act(view, own) if own else None
        if shown.round_id == self._sits_out:
            return None
        if len(own) < self._stakes.boxes:
            return self._bet(view, shown, own)
        boxes = own_boxes(shown, you)
        if any(box.pending for box in boxes) or all(box.ready for box in boxes):
            return None
        return Ready(shown.round_id)

    def _bet(self, view: Table, shown: Round, own: frozenset[int]) -> Bet | None:
        rules = rule_set(view.rule_set, view.options)
        taken = {box.box for box in shown.boxes} - own
        box = next((x for x in _run(rules.boxes, taken, self._stakes.boxes)), 0)
        free = [x for x in range(box, box + self._stakes.boxes) if x not in own]
        if not box or not free:
            return None
        side: dict[str, int] = {}
        if rules.side is not None and self._stakes.side_minor:
            side = {rules.side.name: self._stakes.side_minor}
        main = (self._stakes.main_minor,) * rules.wagers_max
        return Bet(shown.round_id, free[0], main, side)


def _run(boxes: int, taken: set[int], many: int) -> list[int]:
    """Return where so many boxes side by side are free, or one's own."""
    return [
        first
        for first in range(1, boxes - many + 2)
        if not taken & set(range(first, first + many))
    ]


def own_boxes(shown: Round, you: You) -> list[Box]:
    seat = you.seats.get(shown.round_id, "")
    return [box for box in shown.boxes if seat and box.seat == seat]


def _own_round(view: Table, you: You) -> str:
    """Return the round in play that has own bets; a closed one was counted before."""
    shown = view.round
    if shown is None or shown.is_closed or not own_boxes(shown, you):
        return ""
    return shown.round_id


def _is_over(seen: Seen, own: str) -> bool:
    """Tell whether a round is behind: closed, or another one is in its place."""
    shown = seen.view.round
    return shown is not None and (shown.round_id != own or shown.is_closed)
