"""The shoe: a committed order, dealt card by card, proved now and revealed later."""

from runtime.service import Decider, Service
from services.shoe.decide import decide, needs
from services.shoe.evolve import evolve, initial
from services.shoe.react import HEEDS, react
from services.shoe.state import SNAPSHOT, Retired, ShoeState


def _is_retired(state: ShoeState) -> bool:
    return isinstance(state, Retired)


SHOE = Decider(
    category="shoe",
    initial=initial,
    decide=decide,
    evolve=evolve,
    needs=needs,
    is_terminal=_is_retired,
    state_type=SNAPSHOT,
)

SERVICE = Service(
    name="shoe",
    deciders={"shoe": SHOE},
    sources=("table-orchestrator",),
    heeds=HEEDS,
    react=react,
)
