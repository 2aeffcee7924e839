"""`push22 replay`: a round, step by step, from the logs alone, and executed again."""

import sys
from pathlib import Path

import msgspec
from rich.console import Console

from contracts.round_events import RoundClosed
from push22.errors import Failure
from push22.inspect import transcript
from push22.inspect.again import Again, executed_again
from push22.inspect.elsewhere import readable
from push22.inspect.history import steps_in
from push22.inspect.opening import console, opened
from services.archive.as_script import as_script
from services.archive.rebuild import Step, view_at


def replay(  # noqa: PLR0913 - each is an option of the command
    round_id: str,
    *,
    at: int | None = None,
    json: bool = False,
    script: bool = False,
    data: Path | None = None,
    dsn: str = "",
) -> int:
    """Rebuild a round from the logs, show it step by step and execute it again.

    The last line says MATCH, or names the first record that differs: then exit 1.
    A round too damaged to be shown has that line alone.

    Parameters
    ----------
    round_id
        The round, `round-<table>-<number>`.
    at
        Stop after this event of the round: its sequence number.
    json
        Print one JSON document with every record as it was stored.
    script
        Print the round as a round script instead, for `push22 script` to play again.
    data
        The casino's data directory; else $PUSH22_DATA, else ./push22-data.
    dsn
        Instead: the logs of a distributed casino, as a role that may read them all,
        postgresql://...; without `--data` else $PUSH22_DSN. What is new in them is
        copied first.

    """
    with opened(readable(data, dsn)) as reader:
        if script:
            return _print_script(round_id, steps_in(reader, round_id))
        again = executed_again(reader, round_id)
        try:
            steps = steps_in(reader, round_id)
        except Failure as failure:
            if again.is_match:
                raise
            steps = ()
            sys.stderr.write(f"push22: {failure.place}: {failure.reason}\n")
    view = view_at(steps, _sequence(round_id, steps, at)) if steps else None
    past = [step for step in steps if view and step.sequence <= view.sequence]
    if json:
        document = {
            "watermark": transcript.WATERMARK,
            "verdict": again.verdict,
            "difference": None if again.is_match else again,
            "view": view,
            "steps": [transcript.step_as_json(step) for step in past],
        }
        sys.stdout.write(msgspec.json.encode(document).decode() + "\n")
        return 0 if again.is_match else 1
    out = console()
    if view is not None:
        transcript.show(out, steps, view)
    _show_verdict(out, again)
    return 0 if again.is_match else 1


def _print_script(round_id: str, steps: tuple[Step, ...]) -> int:
    """Print a script. Raises Failure for a round that shows no card or not all yet."""
    if not any(isinstance(step.event, RoundClosed) for step in steps):
        raise Failure(round_id, "it is still open", exit_code=2)
    text = as_script(steps)
    if not text:
        raise Failure(round_id, "no card was dealt in it", exit_code=2)
    sys.stdout.write(text)
    return 0


def _sequence(round_id: str, steps: tuple[Step, ...], at: int | None) -> int:
    """Return the event to stop after: the last one, or the one asked for."""
    last = steps[-1].sequence
    sequence = last if at is None else at
    if not 1 <= sequence <= last:
        reason = f"has events 1 to {last}, not {sequence}"
        raise Failure(round_id, reason, exit_code=2)
    return sequence


def _show_verdict(out: Console, again: Again) -> None:
    if again.is_match:
        out.print("executed again: MATCH")
        return
    out.print("\nWARNING: the logs do not bear this round out")
    out.print(f"  {again.text}")
    for name, shown in (("expected", again.expected), ("recorded", again.recorded)):
        if shown is not None:
            out.print(f"  {name}  {shown[0]}")
            out.print(f"            {bytes(shown[1]).decode()}")
    out.print(f"executed again: DIFFERS, first at {again.record}")
