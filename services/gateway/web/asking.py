"""Asking the desk for somebody: what it cannot know itself is looked up here (H7)."""

import hashlib
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from litestar.concurrency import sync_to_thread
from msgspec.structs import replace

from contracts import desk as d
from contracts.desk import VoidOrderReason
from contracts.envelope import Actor
from contracts.identities import case_id, case_stream, round_of_case
from contracts.round_events import RoundOpened
from runtime.bus_memory import Delivery
from services.gateway.cases import (
    CaseTold,
    case_of,
    is_over,
    players_of,
    staked_minor,
)
from services.gateway.door import Door
from services.gateway.problems import REUSED, DoorReason, Refused
from services.gateway.proposals import (
    ANSWERS_KEPT_US,
    Key,
    Known,
    Proposal,
    is_same,
)
from services.gateway.roles import Person
from services.gateway.web import case_bodies as b
from services.gateway.web.alone import reckoned, under_way
from services.gateway.web.known_case import records_of

LookUp = Callable[[Key, Proposal], Awaitable[Proposal]]

_VOID = "-void"
"""The step of a request that proposes a void."""


class Asking(msgspec.Struct, frozen=True):
    """Who asks for something about a case, and under which key."""

    door: Door
    person: Person
    key: str
    answered: dict[str, int] = msgspec.field(default_factory=dict)
    """How far the streams are known to be, by what was answered."""

    async def send(self, kind: type[Any], step: str = "", **facts: Any) -> None:
        """Send a command; the steps of one request have names of their own."""
        command = kind(role=d.Role(self.person.role), **facts)
        await self._send(command, f"{self.key}{step}" if self.key else "")

    async def _send(self, command: Any, name: str) -> None:
        actor = Actor("support", self.person.name)
        accepted = await self.door.send(command, actor, name)
        self.answered[accepted.stream] = accepted.version

    async def case(self, case: str) -> CaseTold:
        """Return a case as it stands, after what was answered here. Raises Refused."""
        found = case_of(await self._records(case))
        if found is None:
            raise Refused(DoorReason.NOT_FOUND, case)
        return found

    async def _records(self, case: str) -> list[Delivery]:
        version = self.answered.get(case_stream(case), 0)
        return await records_of(self.door, case, version)

    async def round(self, round_id: str) -> tuple[list[Delivery], str]:
        """Return a round's records and its currency. Raises Refused."""
        records = await sync_to_thread(self.door.index.records, round_id)
        for delivery in records:
            if isinstance(delivery.event, RoundOpened):
                return records, delivery.event.terms.currency
        raise Refused(DoorReason.NOT_FOUND, round_id)

    def name_of(self, round_id: str) -> str:
        """Return a case's name; a repeat under the same key is about the same one."""
        text = f"{self.person.name}\0{self.key or self.door.casino.new_id()}"
        name = hashlib.sha256(text.encode()).hexdigest()[:12]
        return case_id(round_id, name)

    async def open(self, round_id: str, subject: str, player: str = "") -> str:
        """Open a case about a round."""
        return await self._opened(self.name_of(round_id), round_id, subject, player)

    async def void(self, round_id: str, reason: str) -> str:
        """Open a case and propose a void in it; none is opened for a round that ended.

        Raises Refused.
        """
        case = self.name_of(round_id)
        asked = self._void_asked(case, reason)
        key = self._key(case, _VOID)
        known = await self._known(key, asked)
        if known is not None and known.is_accepted:
            return case
        if known is None and under_way(self.door, key, asked) is None:
            await self._in_play(round_id)
        await self._opened(case, round_id, reason)
        await self.propose_void(case, reason)
        return case

    async def _opened(
        self, case: str, round_id: str, subject: str, player: str = ""
    ) -> str:
        await self.round(round_id)
        opened = {"round_id": round_id, "subject": subject, "player": player}
        await self.send(d.OpenCase, "-open", case=case, **opened)
        return case

    async def propose_void(self, case: str, reason: str) -> None:
        """Propose to void a case's round; a repeat is that, whatever is staked now.

        The desk cannot know how the round stands (H7): it is looked up here. The table
        refuses what has ended meanwhile. Raises Refused.
        """
        asked = self._void_asked(case, reason)
        await self._propose(self._key(case, _VOID), asked, self._look_up_void)

    def _void_asked(self, case: str, reason: str) -> d.ProposeVoid:
        role = d.Role(self.person.role)
        return d.ProposeVoid(case, "", 0, reason, 0, role, needs_sum=True, once=True)

    async def _look_up_void(self, key: Key, asked: Proposal) -> Proposal:
        records, currency = await self._in_play(round_of_case(key.case))
        known = replace(
            asked,
            currency=currency,
            staked_minor=staked_minor(records),
            threshold_minor=self.door.threshold_minor(currency),
        )
        return await reckoned(self.door, key, known, players_of(records))

    async def propose_correction(self, case: str, asked: b.CorrectionAsked) -> None:
        """Propose a correction of who was in the case's round, in its currency.

        The desk knows neither (H7): it is looked up here. Raises Refused.
        """
        proposal = d.ProposeCorrection(
            case=case,
            **msgspec.structs.asdict(asked),
            threshold_minor=self.door.threshold_minor(asked.currency),
            role=d.Role(self.person.role),
            needs_sum=True,
            once=True,
        )
        await self._propose(self._key(case), proposal, self._look_up_correction)

    async def _look_up_correction(self, key: Key, asked: Proposal) -> Proposal:
        assert isinstance(asked, d.ProposeCorrection), "a correction is looked up"
        await self.case(key.case)
        records, currency = await self.round(round_of_case(key.case))
        if asked.player not in players_of(records):
            raise Refused(DoorReason.NOT_IN_ROUND, asked.player)
        if asked.currency != currency:
            text = f"{asked.currency}, the round is in {currency}"
            raise Refused(DoorReason.WRONG_CURRENCY, text)
        return await reckoned(self.door, key, asked, [asked.player])

    async def _propose(self, key: Key, asked: Proposal, look_up: LookUp) -> None:
        """Propose once under a key, however old it is: a repeat is no other command.

        What the desk refused is sent again as it was while the desk knows its answer;
        then, and in any other case, all is looked up anew.
        """
        known = await self._known(key, asked)
        if known is not None and known.is_accepted:
            return
        before = known.proposal if known else under_way(self.door, key, asked)
        try:
            await self._send(before or await look_up(key, asked), key.name)
        except Refused as refused:
            if refused.problem.reason == REUSED:
                self.door.promised.drop(key)
            raise

    async def _known(self, key: Key, asked: Proposal) -> Known | None:
        """Return what the desk said of this before, as long as it says so again.

        Raises Refused where the case has another proposal under this key.
        """
        known = self.door.proposals.find(key, await self._records(key.case))
        if known is None or is_same(known.proposal, asked):
            is_old = known and self.door.casino.now() - known.at >= ANSWERS_KEPT_US
            return None if known and is_old and not known.is_accepted else known
        if known.is_accepted:
            raise Refused(REUSED, key.name)
        return None

    async def _in_play(self, round_id: str) -> tuple[list[Delivery], str]:
        """Return a round's records and currency while it can be voided."""
        records, currency = await self.round(round_id)
        if is_over(records):
            text = f"{round_id} is settled or void: only corrections exist now"
            raise Refused(VoidOrderReason.ROUND_OVER, text)
        return records, currency

    def _key(self, case: str, step: str = "") -> Key:
        """Name a proposal; without a key of its own it is like no other."""
        name = f"{self.key}{step}" if self.key else self.door.casino.new_id()
        return Key(self.person.name, name, case)
