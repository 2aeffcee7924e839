"""The table-orchestrator: tables and their rounds, and who is asked for what next."""

from contracts.catalog import COMMANDS
from contracts.table_events import CommandRefused
from runtime.service import Decider, Rejected, Service
from services.table_orchestrator.decide import decide_round
from services.table_orchestrator.evolve import evolve_round, initial_round
from services.table_orchestrator.react import HEEDS, address, react
from services.table_orchestrator.resume import resume_round
from services.table_orchestrator.state import Ended, RoundState
from services.table_orchestrator.table import (
    TableState,
    decide_table,
    evolve_table,
    initial_table,
)


def _refusal(command_id: str, command: str, rejected: Rejected) -> CommandRefused:
    return CommandRefused(
        command_id=command_id,
        command=command,
        reason=str(rejected.reason),
        target=rejected.target,
        round_id=rejected.round_id,
    )


def _is_over(state: RoundState) -> bool:
    return isinstance(state, Ended)


TABLE = Decider(
    category="table",
    initial=initial_table,
    decide=decide_table,
    evolve=evolve_table,
    state_type=TableState,
)

ROUND = Decider(
    category="round",
    initial=initial_round,
    decide=decide_round,
    evolve=evolve_round,
    resume=resume_round,
    is_terminal=_is_over,
)

SERVICE = Service(
    name="table-orchestrator",
    deciders={"table": TABLE, "round": ROUND},
    sources=("table-orchestrator", "shoe", "settlement", "wallet", "desk"),
    heeds=HEEDS,
    react=react,
    commands=frozenset(tag for tag in COMMANDS if tag.startswith("table.")),
    address=address,
    refusal=_refusal,
)
