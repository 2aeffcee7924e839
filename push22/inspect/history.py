"""A round's steps out of a log, or one line that says why there are none."""

from contracts.round_events import RoundOpened
from push22.errors import Failure
from push22.inspect.reader import Reader
from services import table_orchestrator
from services.archive.rebuild import NotRebuildable, Step, steps_of


def steps_in(reader: Reader, round_id: str) -> tuple[Step, ...]:
    """Rebuild a round. Raises Failure for an unknown or a damaged one."""
    records = reader.of_round(round_id)
    if not any(record.stream == round_id for record in records):
        raise Failure(round_id, "there is no such round in this log", exit_code=2)
    decider = table_orchestrator.SERVICE.deciders["round"]
    see = f"see push22 verify {round_id}"
    try:
        steps = steps_of(round_id, records, decider)
    except NotRebuildable as error:
        raise Failure(round_id, f"{error}; {see}") from error
    if not any(isinstance(step.event, RoundOpened) for step in steps):
        raise Failure(round_id, f"its opening is missing or can't be read; {see}")
    return steps
