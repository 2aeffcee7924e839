"""`push22 replay`: a round, step by step, from the logs alone."""

import sys
from pathlib import Path

import msgspec

from push22.errors import Failure
from push22.inspect import transcript
from push22.inspect.history import steps_in
from push22.inspect.opening import console, opened
from services.archive.rebuild import view_at


def replay(
    round_id: str,
    *,
    at: int | None = None,
    json: bool = False,
    data: Path | None = None,
) -> int:
    """Rebuild a round from the logs and show it step by step.

    Parameters
    ----------
    round_id
        The round, `round-<table>-<number>`.
    at
        Stop after this event of the round: its sequence number.
    json
        Print one JSON document with every record as it was stored.
    data
        The casino's data directory; else $PUSH22_DATA, else ./push22-data.

    """
    with opened(data) as reader:
        steps = steps_in(reader, round_id)
    last = steps[-1].sequence
    sequence = last if at is None else at
    if not 1 <= sequence <= last:
        reason = f"has events 1 to {last}, not {sequence}"
        raise Failure(round_id, reason, exit_code=2)
    view = view_at(steps, sequence)
    if json:
        past = [step for step in steps if step.sequence <= sequence]
        document = {
            "watermark": transcript.WATERMARK,
            "view": view,
            "steps": [transcript.step_as_json(step) for step in past],
        }
        sys.stdout.write(msgspec.json.encode(document).decode() + "\n")
    else:
        transcript.show(console(), steps, view)
    return 0
