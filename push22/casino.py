"""The casino in one process: the composition of services, log, bus and clock."""

import os
import secrets
from pathlib import Path
from typing import Protocol

import msgspec

from contracts import catalog, wallet
from contracts.base import tag_of
from contracts.envelope import Actor, Answer, CommandEnvelope, Micros
from push22.checkpoints import earlier
from push22.checkpoints.keys import SigningKeys
from push22.checkpoints.maker import Maker
from push22.operator.client import OperatorClient
from push22.operator.settings import Operators
from push22.shoes_in_use import check_opens
from runtime.ambient import (
    Ambient,
    KeyMissing,
    KeyRing,
    SeededEntropy,
    SystemClock,
    SystemEntropy,
)
from runtime.embedded import EmbeddedHost
from runtime.hearers import Hearer
from runtime.log import ReadOnlyLog
from runtime.mirror_mark import refuse_mirror
from runtime.sqlite_file import MEMORY, SqliteFile
from services import desk, settlement, shoe, table_orchestrator
from services import wallet as wallet_service
from services.archive import PROJECTIONS

SERVICES = (
    table_orchestrator.SERVICE,
    shoe.SERVICE,
    settlement.SERVICE,
    wallet_service.SERVICE,
    desk.SERVICE,
)
LOG_NAME = earlier.LOG_NAME
KEYS_NAME = "seal-keys.json"
PLATFORM = Actor("platform", "push22")


class Commanded(Protocol):
    """A host that takes commands, in this process or elsewhere."""

    async def submit(self, body: bytes) -> Answer: ...

    def subscribe(self, hearer: Hearer, *keys: str) -> None: ...

    async def settle(self) -> None: ...


class CasinoDoor:
    """What anybody needs who sends commands to a casino."""

    ambient: Ambient
    host: Commanded

    def now(self) -> Micros:
        return self.ambient.clock.now()

    def new_id(self) -> str:
        """Return a fresh command id; ids of one time lie together in the log."""
        return f"{self.now():014x}{secrets.token_hex(9)}"

    def envelope(
        self, command: msgspec.Struct, actor: Actor, command_id: str = ""
    ) -> bytes:
        """Return the bytes of a command; without an id, a fresh one is made."""
        return catalog.encode(
            CommandEnvelope(
                id=command_id or self.new_id(),
                type=tag_of(command),
                issued_at=self.now(),
                actor=actor,
                data=msgspec.Raw(catalog.encode(command)),
            )
        )

    async def deposit(self, player: str, currency: str, amount_minor: int) -> None:
        """Put money into a player's account, as the operator would."""
        if not amount_minor:
            return
        command = wallet.Deposit(player, currency, amount_minor)
        answer = await self.host.submit(self.envelope(command, PLATFORM))
        assert answer.accepted, f"deposit refused: {answer.reason}"


class Casino(CasinoDoor):
    """An open casino. Close it when done; a kill is as good."""

    host: EmbeddedHost

    def __init__(
        self, file: SqliteFile, ambient: Ambient, operators: Operators | None = None
    ) -> None:
        self.ambient = ambient
        self.operators = operators or {}
        self.host = EmbeddedHost(file, SERVICES, ambient, projections=PROJECTIONS)
        self.callers: list[OperatorClient] = []
        if self.operators:
            caller = OperatorClient(self.operators)
            self.callers.append(caller)
            self.host.perform_by(wallet_service.SERVICE.name, caller.perform)

    @classmethod
    async def open(
        cls, data: Path, *, seed: int | None = None, operators: Operators | None = None
    ) -> "Casino":
        """Open the casino in a data directory. Raises LogError naming the place."""
        try:
            data.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ReadOnlyLog(f"{data}: {error.strerror}") from error
        keys_path = data / KEYS_NAME
        refuse_mirror(data / LOG_NAME)
        _refuse_lost_keys(data / LOG_NAME, keys_path)
        # Keys first: a crash in between leaves keys without a log, not the reverse.
        keys = KeyRing.load(keys_path)
        file = SqliteFile.open(data / LOG_NAME)
        entropy = SystemEntropy() if seed is None else SeededEntropy(seed)
        ambient = Ambient(SystemClock(), entropy, keys)
        casino = cls(file, ambient, operators)
        casino.host.watcher = Maker(file, data, SigningKeys(data), ambient.clock)
        try:
            await check_opens(casino.host.worker(shoe.SERVICE.name).log, keys)
        except BaseException:
            file.close()
            raise
        return await cls._started(casino)

    @classmethod
    async def in_memory(cls, ambient: Ambient) -> "Casino":
        return await cls._started(cls(SqliteFile.open(MEMORY), ambient))

    @classmethod
    async def _started(cls, casino: "Casino") -> "Casino":
        try:
            await casino.host.start()
        except BaseException:
            casino.host.file.close()
            raise
        return casino

    async def close(self) -> None:
        await self.host.stop()
        for caller in self.callers:
            await caller.close()


def _refuse_lost_keys(log: Path, keys: Path) -> None:
    """A log without its keys can't deal on: fresh ones would open nothing."""
    has_log = log.exists() and log.stat().st_size > 0
    if has_log and not keys.exists() and "PUSH22_SEAL_KEYS" not in os.environ:
        raise KeyMissing(
            f"{keys}: the sealing keys of this log are gone: copy {KEYS_NAME} here from"
            " the directory that the log came from (docs/keys.md)"
        )
