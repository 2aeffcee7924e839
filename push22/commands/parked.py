"""`push22 parked`: what was set aside, and what is to become of it (H9)."""

import asyncio
import shlex
import sys
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from push22 import parked_elsewhere as elsewhere
from push22.casino import Casino
from push22.errors import Failure
from push22.inspect.blocks import block
from push22.inspect.elsewhere import database
from push22.inspect.money import moment
from push22.inspect.opening import console, data_directory, opened
from push22.inspect.set_aside import SetAside, set_aside
from runtime import parked as aside
from runtime.log import LogError
from runtime.postgres_errors import place_of

Outcome = TypeVar("Outcome")
Action = Literal["list", "show", "retry", "discard"]
_NAMES_TOLD = 8


def parked(  # noqa: PLR0913 - the options of four small commands
    action: Action = "list",
    what: str = "",
    *,
    by: str = "",
    why: str = "",
    json: bool = False,
    data: Path | None = None,
    dsn: str = "",
) -> int:
    """List, show, retry or discard what was set aside.

    Retry and discard write: they need the casino to be stopped, or with `--dsn` all
    instances of the service that set it aside.

    Parameters
    ----------
    action
        list: everything that waits; show: one of them, with its bytes; retry: a
        stream's, in order; discard: one of them, with `--by` and `--why`.
    what
        The number that `list` shows, or for retry a stream.
    by
        Who discards.
    why
        The reason, which stays on record.
    json
        Print JSON: one object per input.
    data
        The casino's data directory; else $PUSH22_DATA, else ./push22-data.
    dsn
        In place of a directory: the database of a distributed casino, as its
        administrator; without `--data` else $PUSH22_DSN. What the shoe set aside
        needs its $PUSH22_SEAL_KEYS.

    """
    if action == "discard" and not (by.strip() and why.strip()):
        raise Failure("discard", "say who decides (--by) and --why", exit_code=2)
    dsn = database(data, dsn)
    waiting = _waiting(data, dsn)
    if action == "list":
        _list(waiting, json=json, where=_where(data, dsn))
        return 0
    chosen = [item for item in waiting if item.is_meant_by(what)]
    if not chosen:
        raise Failure(what or action, _what_waits(waiting), exit_code=2)
    if action == "show":
        _show(chosen, json=json)
        return 0
    if dsn:
        return _elsewhere(
            dsn, chosen[0], (by, why) if action == "discard" else ("", "")
        )
    directory = data_directory(data)
    if action == "retry":
        return _changed(directory, lambda casino: _retry(casino, chosen[0]))
    return _changed(directory, lambda casino: _discard(casino, chosen[0], by, why))


def _what_waits(waiting: list[SetAside]) -> str:
    names = list(dict.fromkeys(name for item in waiting for name in item.names))
    if not names:
        return "nothing of that name waits: nothing is set aside"
    told = ", ".join(names[:_NAMES_TOLD])
    more = ", ...; push22 parked lists all" if names[_NAMES_TOLD:] else ""
    return f"nothing of that name waits: what waits is {told}{more}"


def _waiting(data: Path | None, dsn: str) -> list[SetAside]:
    if dsn:
        return _run(dsn, elsewhere.waiting(dsn))
    with opened(data) as reader:
        return set_aside(reader)


def _elsewhere(dsn: str, item: SetAside, reason: tuple[str, str]) -> int:
    by, why = reason
    if by:
        _run(dsn, elsewhere.discard(dsn, item, by=by, why=why))
        return _say_discarded(item, by, why)
    return _say_retried(item, *_run(dsn, elsewhere.retry(dsn, item)))


def _run(place: str, work: Coroutine[Any, Any, Outcome]) -> Outcome:
    try:
        return asyncio.run(work)
    except LogError as error:
        raise Failure(place_of(place), str(error)) from error


def _changed(data: Path, change: Callable[[Casino], Awaitable[int]]) -> int:
    async def run() -> int:
        casino = await Casino.open(data)
        try:
            return await change(casino)
        finally:
            await casino.close()

    try:
        return asyncio.run(run())
    except LogError as error:
        raise Failure(str(data), str(error)) from error


async def _retry(casino: Casino, item: SetAside) -> int:
    worker = casino.host.worker(item.service)
    return _say_retried(item, *await aside.retry(worker, item.stream))


def _say_retried(item: SetAside, done: int, reason: str) -> int:
    sys.stdout.write(f"{item.stream}: {done} went through\n")
    if reason:
        sys.stdout.write(f"{item.stream}: stays aside: {reason}\n")
    return 1 if reason else 0


async def _discard(casino: Casino, item: SetAside, by: str, why: str) -> int:
    await aside.discard(casino.host.worker(item.service), item.id, by=by, why=why)
    return _say_discarded(item, by, why)


def _say_discarded(item: SetAside, by: str, why: str) -> int:
    sys.stdout.write(f"{item.id}: discarded by {by}: {why}\n")
    return 0


def _where(data: Path | None, dsn: str) -> str:
    """Return the options that name the same place again; a password is not printed."""
    if dsn:
        return " --dsn …"
    return "" if data is None else f" --data {shlex.quote(str(data))}"


def _list(waiting: list[SetAside], *, json: bool, where: str) -> None:
    if json:
        _as_json(waiting)
        return
    if not waiting:
        sys.stdout.write("nothing is set aside\n")
        return
    out = console()
    for item in waiting:
        block(
            out,
            f"{item.id}: {item.name}",
            (f"waits for {item.stream or 'nothing'}",),
            (f"set aside by {item.service}", f"since {moment(item.parked_at)} UTC"),
            (item.reason,),
        )
    first = {item.stream: item for item in reversed(waiting) if item.stream}
    if first:
        is_apart = where.startswith(" --dsn")
        what = "all instances of that service" if is_apart else "the casino"
        out.print(f"\nput right what the reason says, stop {what}, then:")
    for item in reversed(first.values()):
        line = f"  push22 parked retry {item.stream}{where}"
        if len(line) > out.width:
            line = f"  push22 parked retry {item.id}{where}"
        out.print(line, soft_wrap=True)


def _show(chosen: list[SetAside], *, json: bool) -> None:
    if json:
        _as_json(chosen)
        return
    out = console()
    for item in chosen:
        out.print(f"{item.id}: {item.kind} {item.name} for {item.stream or 'nothing'}")
        out.print(f"  {item.service}, since {moment(item.parked_at)} UTC")
        out.print(f"  reason  {item.reason}")
        out.print(f"  bytes   {item.body.decode(errors='backslashreplace')}")


def _as_json(items: list[SetAside]) -> None:
    for item in items:
        sys.stdout.write(msgspec.json.encode(item).decode() + "\n")
