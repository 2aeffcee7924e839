"""A casino with one closed round of Alice's, for cases to be about."""

from pathlib import Path
from typing import Any, cast

from contracts import desk as d
from contracts.desk import Role
from contracts.envelope import Actor, Answer
from contracts.identities import case_stream
from push22.bot import Wagers
from push22.casino import LOG_NAME, SERVICES, Casino
from push22.session import Session, Table
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy
from runtime.embedded import EmbeddedHost
from runtime.log import Log
from runtime.sqlite_file import SqliteFile
from services.archive import PROJECTIONS
from tests.simulation.faults import CrashingLog, Fuse

ALICE = "local.alice"
ROUND = "round-t1-1"
CASE = "t1-1-ab12"
WALLET = f"wallet-{ALICE}.EUR"
RITA, ADAM = Actor("support", "rita"), Actor("support", "adam")
RESOLVER = Role.RESOLVER
AMOUNT = 2_500

OPEN = d.OpenCase(CASE, ROUND, "alice's double", RESOLVER, player=ALICE)
CORRECT = d.ProposeCorrection(CASE, ALICE, "EUR", AMOUNT, "dealt twice", 0, RESOLVER)
APPROVE = d.ApproveProposal(CASE, 1, RESOLVER)


class CrashingAppends(CrashingLog):
    """A log of which each append may be the last thing that happens."""

    def __getattr__(self, name: str) -> Any:
        if name == "append":
            return super().__getattr__(name)
        return getattr(self._log, name)


def an_ambient() -> Ambient:
    return Ambient(ManualClock(), SeededEntropy(7), KeyRing.in_memory())


async def opened(data: Path, ambient: Ambient, fuse: Fuse | None = None) -> Casino:
    """Open a casino whose logs may crash."""
    file = SqliteFile.open(data / LOG_NAME)
    casino = Casino(file, ambient)
    if fuse is not None:
        casino.host = EmbeddedHost(
            file,
            SERVICES,
            ambient,
            projections=PROJECTIONS,
            wrap=lambda log: cast("Log", CrashingAppends(log, fuse)),
        )
    try:
        await casino.host.start()
    except BaseException:
        file.close()
        raise
    return casino


async def play_one(casino: Casino) -> None:
    """Let Alice play a round to its end."""
    table = Table("t1", "ny-switch-6d", ALICE, Wagers((1,), (1000, 1000)))
    session = Session(casino, table)
    await session.open()
    await session.fill_purse()
    await session.play(session.bot)


async def ask(casino: Casino, command: Any, by: Actor, name: str = "") -> Answer:
    answer = await casino.host.submit(casino.envelope(command, by, name))
    await casino.host.settle()
    return answer


async def balance(casino: Casino) -> int:
    minor: int = (await casino.host.state("wallet", WALLET)).balance_minor
    return minor


async def standing(casino: Casino, proposal: int = 1, case: str = CASE) -> str:
    state = await casino.host.state("desk", case_stream(case))
    return str(state.proposals[proposal - 1].standing)


def counted(casino: Casino, tag: str) -> int:
    [(found,)] = casino.host.file.query(
        "SELECT count(*) FROM records WHERE type = ?", (tag,)
    )
    return int(found)
