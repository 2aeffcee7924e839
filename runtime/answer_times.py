"""How long commands waited for their answers."""

from collections.abc import Iterable

from contracts.envelope import Answer, Micros
from runtime.commands import Submitted
from runtime.metrics import COMMAND_SECONDS

_SECOND_US = 1_000_000


def time_answers(
    service: str, replies: Iterable[tuple[Submitted, Answer]], now: Micros
) -> None:
    """Time what was answered and is durable.

    `parked`: what could not be read, whose type may be unknown.
    """
    for submitted, answer in replies:
        kind = submitted.kind or "unreadable"
        is_parked = not answer.accepted and not answer.command_id
        outcome = (
            "accepted" if answer.accepted else "parked" if is_parked else "refused"
        )
        taken = max(now - submitted.arrived_at, 0) / _SECOND_US
        COMMAND_SECONDS.labels(service, kind, outcome).observe(taken)
