"""The dispute desk: cases, proposals and their approval, and who looked at what."""

from contracts.catalog import COMMANDS
from contracts.desk import DeskCommandRefused, ProposalApproved
from runtime.service import Decider, Rejected, Service
from services.desk import access
from services.desk.decide import decide
from services.desk.evolve import evolve
from services.desk.react import HEEDS, address, react
from services.desk.state import Access, initial, is_closed

CASE = Decider(
    category="case",
    initial=initial,
    decide=decide,
    evolve=evolve,
    is_terminal=is_closed,
)

ACCESS = Decider(
    category="access",
    initial=access.initial,
    decide=access.decide,
    evolve=access.evolve,
    state_type=Access,
)


def _refusal(command_id: str, command: str, rejected: Rejected) -> DeskCommandRefused:
    return DeskCommandRefused(command_id, command, str(rejected.reason))


def _round_of(stream: str, event: object) -> str:
    """Of a case only what takes effect belongs to its round, not what is said."""
    del stream
    return event.round_id if isinstance(event, ProposalApproved) else ""


SERVICE = Service(
    name="desk",
    deciders={"case": CASE, "access": ACCESS},
    sources=("table-orchestrator", "settlement", "wallet"),
    heeds=HEEDS,
    react=react,
    commands=frozenset(tag for tag in COMMANDS if tag.startswith("desk.")),
    address=address,
    refusal=_refusal,
    round_of=_round_of,
)
