"""What the door does for whom: every right is checked here, whichever way in.

Nothing here knows HTTP. A refusal is raised as `Refused` with its reason.
"""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from contracts import desk as d
from contracts import identities
from contracts.envelope import Actor, Micros
from services.gateway.alone_book import AloneBook
from services.gateway.felt import Felt
from services.gateway.heard_cases import HeardCases
from services.gateway.in_words import NO_CASE
from services.gateway.lobby import Lobby
from services.gateway.orders import AnyOrder, MoveOrder, command_of
from services.gateway.packs import PackMaker
from services.gateway.ports import CasinoPort, NotAvailable, RoundIndex
from services.gateway.problems import DoorReason, Refused
from services.gateway.promised import Promised
from services.gateway.proposals import Proposals
from services.gateway.rates import ADDRESS, OPERATOR, PLAYER, SUPPORT, Buckets
from services.gateway.roles import Issuer, Person
from services.gateway.signing import HOUSE, Operator, Signatures
from services.gateway.tokens import LAUNCH_S, SESSION_S, Pass, Tokens
from services.gateway.under_way import under_way

_SECOND_US = 1_000_000


class Accepted(msgspec.Struct, frozen=True):
    """A command's recorded answer: its stream, and the version of its last event."""

    id: str
    accepted: bool
    stream: str
    version: int


class Launch(msgspec.Struct, frozen=True):
    launch_token: str
    url: str
    expires_at: Micros


class Credentials(NamedTuple):
    """Whose signatures and tokens are believed."""

    signatures: Signatures
    tokens: Tokens
    issuer: Issuer | None


class Door:
    """The casino's door. `address` is where players find it."""

    def __init__(
        self,
        casino: CasinoPort,
        index: RoundIndex | None,
        credentials: Credentials,
        address: str,
        *,
        thresholds: Mapping[str, int] | None = None,
    ) -> None:
        self.casino = casino
        self.signatures, self.tokens, self.issuer = credentials
        self.address = address.rstrip("/")
        self._thresholds = thresholds or {}
        self.lobby = Lobby(casino.new_id()[-12:])
        self.proposals = Proposals()
        self.alone = AloneBook()
        self.promised = Promised()
        self.heard_cases = HeardCases()
        self.players = Buckets(PLAYER)
        self.operators = Buckets(OPERATOR)
        self.addresses = Buckets(ADDRESS)
        self.people = Buckets(SUPPORT)
        self._index = index
        self._packs: PackMaker | None = None

    @property
    def index(self) -> RoundIndex:
        if self._index is None:
            raise NotAvailable("there is no index of rounds here")
        return self._index

    @property
    def packs(self) -> PackMaker:
        if self._packs is None:
            raise NotAvailable("no evidence packs are made here")
        return self._packs

    def makes_packs_by(self, maker: PackMaker) -> None:
        self._packs = maker

    async def start(self) -> None:
        """Learn where the tables stand, and hear of everything from now on."""
        self.casino.subscribe(self.lobby.hear)
        self.casino.subscribe(self.proposals.hear)
        self.casino.subscribe(self.alone.hear)
        self.casino.subscribe(self.promised.hear)
        self.casino.subscribe(self.heard_cases.hear)
        for delivery in await self.casino.past():
            self.lobby.hear(delivery)

    async def send(
        self, command: msgspec.Struct, actor: Actor, command_id: str
    ) -> Accepted:
        """Send a command and return its recorded answer. Raises Refused."""
        command_id = command_id or self.casino.new_id()
        with under_way(command, command_id) as told:
            body = self.casino.envelope(command, actor, command_id)
            try:
                answer = await self.casino.submit(body)
            except TimeoutError as error:
                raise Refused(DoorReason.NO_ANSWER) from error
            told.answer = answer
        if not answer.accepted:
            raise Refused(answer.reason)
        return Accepted(answer.command_id, True, answer.stream, answer.version)

    # Players.

    def launch(
        self, operator: Operator, player: str, currency: str, table: str
    ) -> Launch:
        """Let a player in: the token is good for one session, for a short while."""
        self.check_currency(operator, currency)
        if table:
            felt = self.operators_table(operator, table)
            if felt.currency != currency:
                raise Refused(DoorReason.NOT_FOUND, table)
        expires_at = self.casino.now() + LAUNCH_S * _SECOND_US
        name = self.player_of(operator, player)
        bound = Pass(name, currency, table, self.casino.new_id(), expires_at)
        token = self.tokens.make("launch", bound)
        url = f"{self.address}/play/{table}#launch={token}"
        return Launch(token, url, expires_at)

    def session(self, launch_token: str) -> tuple[str, Pass]:
        """Trade a launch token for a session's."""
        now = self.casino.now()
        launch = self.tokens.use(launch_token, now)
        bound = Pass(
            launch.player,
            launch.currency,
            launch.table,
            self.casino.new_id(),
            now + SESSION_S * _SECOND_US,
        )
        return self.tokens.make("session", bound), bound

    def tables_of(self, session: Pass) -> list[Felt]:
        return [felt for felt in self.lobby.felts.values() if _may_sit(session, felt)]

    def table_of(self, session: Pass, table: str) -> Felt:
        """Return a table that a session may see; all others do not exist for it."""
        felt = self.lobby.felts.get(table)
        if felt is None or not _may_sit(session, felt):
            raise Refused(DoorReason.NOT_FOUND, table)
        return felt

    async def order(self, session: Pass, order: AnyOrder, command_id: str) -> Accepted:
        """Send what a player orders. An outdated view is told apart, nothing is sent.

        A repeat of what was answered is no outdated view: it gets its answer again.
        """
        self.table_of(session, identities.table_of_round(order.round_id))
        actor = Actor("player", session.player)
        if isinstance(order, MoveOrder) and self._is_stale(order):
            known = command_id and await self.casino.was_answered(
                actor, command_id, order.round_id
            )
            if not known:
                raise Refused(DoorReason.STALE_VERSION, order.round_id)
        return await self.send(command_of(order), actor, command_id)

    def _is_stale(self, order: MoveOrder) -> bool:
        expected = order.expected_version
        return expected is not None and expected < self.lobby.version(order.round_id)

    # Operators.

    def player_of(self, operator: Operator, player: str) -> str:
        name = f"{operator.name}.{player}"
        if not identities.is_player_id(name):
            raise Refused(DoorReason.MALFORMED, "a player is letters, digits and _")
        return name

    def check_currency(self, operator: Operator, currency: str) -> None:
        if currency not in operator.currencies:
            raise Refused(DoorReason.FORBIDDEN, f"not your currency: {currency}")

    def operators_tables(self, operator: Operator) -> list[Felt]:
        return [f for f in self.lobby.felts.values() if _may_look(operator, f)]

    def operators_table(self, operator: Operator, table: str) -> Felt:
        felt = self.lobby.felts.get(table)
        if felt is None or not _may_look(operator, felt):
            raise Refused(DoorReason.NOT_FOUND, table)
        return felt

    def own_table(self, operator: Operator, table: str) -> Felt:
        """Return a table that the operator opened itself, and may change."""
        felt = self.operators_table(operator, table)
        if felt.owner != operator.name:
            raise Refused(DoorReason.FORBIDDEN, "a table of the house")
        return felt

    # Support.

    def threshold_minor(self, currency: str) -> int:
        """Return how much one person may decide alone; 0 where nothing is said."""
        return self._thresholds.get(currency, 0)

    async def look(self, person: Person, what: str, about: str, case: str) -> None:
        """Record a look before it is granted (V11). Raises Refused where it cannot be.

        What nobody could be asked about later is not shown, so nothing is cut off: a
        question that is too long to be recorded is none of ours.
        """
        if len(about) > d.ABOUT_LENGTH_MAX:
            raise Refused(DoorReason.MALFORMED, "too long to be recorded")
        names = (person.name, d.Role(person.role), what, about)
        try:
            actor = Actor("support", person.name)
            await self.send(d.RecordAccess(*names, case), actor, "")
        except Refused as refused:
            if refused.problem.reason == d.DeskReason.INVALID_NAME:
                raise Refused(DoorReason.MALFORMED, NO_CASE) from refused
            reason = DoorReason.NOT_AVAILABLE
            raise Refused(reason, "the look could not be recorded") from refused


def _may_sit(session: Pass, felt: Felt) -> bool:
    owners = (HOUSE, identities.operator_of(session.player))
    is_bound = session.table in ("", felt.name)
    return is_bound and felt.owner in owners and felt.currency == session.currency


def _may_look(operator: Operator, felt: Felt) -> bool:
    is_own = felt.owner in (HOUSE, operator.name)
    return is_own and felt.currency in operator.currencies
