"""Settlement: each wager's result, payout and clauses, and the answer to a void."""

from runtime.service import Decider, Service
from services.settlement.decide import decide
from services.settlement.evolve import evolve
from services.settlement.react import HEEDS, react
from services.settlement.state import initial, is_over

SETTLEMENT = Decider(
    category="settlement",
    initial=initial,
    decide=decide,
    evolve=evolve,
    is_terminal=is_over,
)

SERVICE = Service(
    name="settlement",
    deciders={"settlement": SETTLEMENT},
    sources=("table-orchestrator",),
    heeds=HEEDS,
    react=react,
)
