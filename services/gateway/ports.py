"""What the door asks of a casino, whichever host runs it."""

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

import msgspec

from contracts.balances import Balance
from contracts.envelope import Actor, Answer, Micros
from contracts.reports import Performance, Statement
from contracts.round_search import Found, Query
from runtime.bus_memory import Delivery
from services.gateway.cases import CaseIndex
from services.gateway.desk.replay import Replay
from services.gateway.desk.verdict import RoundVerdict
from services.gateway.desk.what_if import WhatIf

Hearer = Callable[[Delivery], None]
By = Literal["day", "table", "rule_set"]


class NotAvailable(Exception):
    """The casino, or its index of rounds, cannot be asked now."""


class CasinoPort(Protocol):
    """Takes commands and tells what is committed."""

    def now(self) -> Micros: ...

    def new_id(self) -> str: ...

    def envelope(
        self, command: msgspec.Struct, actor: Actor, command_id: str = ""
    ) -> bytes: ...

    async def submit(self, body: bytes) -> Answer:
        """Return the recorded answer. Raises TimeoutError or NotAvailable."""
        ...

    async def was_answered(self, actor: Actor, command_id: str, round_id: str) -> bool:
        """Tell whether a round's command has an answer: a repeat gets it again."""
        ...

    def subscribe(self, hearer: Hearer) -> None:
        """Call `hearer` with each record after it is committed."""
        ...

    async def past(self) -> Sequence[Delivery]:
        """Return what tables and their newest rounds need, from before `subscribe`."""
        ...

    async def balance(self, player: str, currency: str) -> Balance: ...

    async def has_wallet(self, player: str, currency: str) -> bool:
        """Tell whether a player ever had a wallet: who had none has no balance."""
        ...

    def is_well(self) -> bool: ...

    def is_ready(self) -> bool: ...

    def hears_all(self, service: str) -> bool:
        """Tell whether all that a service is known to have recorded was heard."""
        ...


class ReportRow(msgspec.Struct, frozen=True):
    """Closed rounds and what an operator's players staked and got, minor units."""

    group: str
    currency: str
    rounds: int
    void_rounds: int
    stakes_minor: int
    payouts_minor: int
    net_minor: int


class CallRow(msgspec.Struct, frozen=True):
    """A call that is owed to an operator; `alarmed_at` where a person was called for.

    `reason` is what came of the last attempt. `waits_for`: the call that comes first.
    """

    call: str
    kind: str
    operator: str
    player: str
    currency: str
    amount_minor: int
    round_id: str
    owed_at: Micros
    attempts: int
    reason: str
    retry_at: Micros
    alarmed_at: Micros
    waits_for: str


class RoundViewer(Protocol):
    """Puts single rounds together; every call blocks, for a bounded time.

    Raises NotAvailable, and Refused for a round too damaged to be shown.
    """

    def replay(self, round_id: str) -> Replay | None: ...

    def verdict(self, round_id: str) -> RoundVerdict | None: ...

    def what_if(self, script: str) -> WhatIf:
        """Play a round script at a table of its own: nothing of it is recorded."""
        ...


class RoundIndex(Protocol):
    """Reads the archive; every call blocks. Raises NotAvailable."""

    @property
    def viewer(self) -> RoundViewer: ...

    @property
    def cases(self) -> CaseIndex: ...

    def find(self, query: Query) -> Found: ...

    def records(self, round_id: str) -> list[Delivery]: ...

    def shoe(self, shoe: str) -> list[Delivery]:
        """Return what a shoe was committed to and how it was cut."""
        ...

    def report(
        self, operator: str, since: Micros, until: Micros, by: By
    ) -> list[ReportRow]:
        """Add up the rounds that were closed in the interval."""
        ...

    def owed_calls(self, operator: str) -> list[CallRow]:
        """Return what is owed to an operator, or to all: alarms first.

        Every call of every wallet is looked through: that takes a while.
        """
        ...

    def statement(
        self, player: str, currency: str, span: tuple[Micros, Micros], made_at: Micros
    ) -> Statement | None:
        """Tell a player's money within an interval; `None` without a wallet."""
        ...

    def performance(
        self, operator: str, span: tuple[Micros, Micros], made_at: Micros
    ) -> Performance:
        """Report by rule set; of all operators if none is named."""
        ...

    def open_rounds(self, operator: str, until: Micros) -> int:
        """Count the rounds that were opened before `until` and are in play now."""
        ...
