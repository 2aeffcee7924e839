"""`push22 calls`: what is owed to operators, and one of them tried again now."""

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from contracts import catalog
from contracts.wallet_calls import RetryCall
from push22.casino import PLATFORM, Casino, CasinoDoor
from push22.errors import Failure
from push22.inspect.blocks import block
from push22.inspect.elsewhere import readable
from push22.inspect.money import moment, money
from push22.inspect.opening import console, data_directory, opened
from runtime.log import LogError
from services.archive.owed_calls import HEEDS, OpenCall, OwedCalls

if TYPE_CHECKING:
    from push22.remote import RemoteCasino

Action = Literal["list", "retry"]
_WALLET = "wallet"


def calls(  # noqa: PLR0913 - the options of two small commands
    action: Action = "list",
    what: str = "",
    *,
    operator: str = "",
    json: bool = False,
    data: Path | None = None,
    dsn: str = "",
    kafka: str = "",
) -> int:
    """List the calls that are owed to operators, or have one made again now.

    Those that need a person come first. Exit 1 if there is one.

    Parameters
    ----------
    action
        list: everything owed; retry: make the next attempt of a call now.
    what
        The id of the call that is to be tried again, as `list` shows it.
    operator
        List only this operator's.
    json
        Print one JSON object per call.
    data
        The casino's data directory; else $PUSH22_DATA, else ./push22-data. To try
        again there the casino must be stopped: it calls when it is started.
    dsn
        Instead: the logs of a distributed casino, as a role that may read them all,
        postgresql://...; without `--data` else $PUSH22_DSN. What is new in them is
        copied first.
    kafka
        The distributed casino's broker, host:port: to try again is asked of it.

    """
    owed = _owed(readable(data, dsn))
    if action == "retry":
        return _retry(owed, what, data, kafka)
    found = owed.now(operator)
    if json:
        for item in found:
            sys.stdout.write(msgspec.json.encode(item).decode() + "\n")
    else:
        _show(found)
    return 1 if any(item.alarmed_at for item in found) else 0


def _owed(directory: Path) -> OwedCalls:
    found = OwedCalls()
    with opened(directory) as reader:
        for item in reader.everything():
            if item.service == _WALLET and item.type in HEEDS:
                envelope = catalog.decode_envelope(item.body)
                found.see(envelope, catalog.decode_event(envelope))
    return found


def _retry(owed: OwedCalls, what: str, data: Path | None, kafka: str) -> int:
    meant = [item for item in owed.now() if item.call == what]
    if not meant:
        raise Failure(what or "retry", "no such call is owed", exit_code=2)
    try:
        return asyncio.run(_asked(meant[0], data, kafka))
    except (LogError, TimeoutError) as error:
        raise Failure(kafka or str(data_directory(data)), str(error)) from error


async def _asked(item: OpenCall, data: Path | None, kafka: str) -> int:
    casino = await (_elsewhere(kafka) if kafka else Casino.open(data_directory(data)))
    try:
        return await _hurried(casino, item)
    finally:
        await casino.close()


async def _elsewhere(bootstrap: str) -> "RemoteCasino":
    from push22.remote import RemoteCasino  # noqa: PLC0415 - they take a second
    from runtime.kafka_settings import KafkaSettings  # noqa: PLC0415

    values = {**os.environ, "PUSH22_KAFKA": bootstrap}
    return await RemoteCasino.open(KafkaSettings.from_environment(values))


async def _hurried(casino: CasinoDoor, item: OpenCall) -> int:
    command = RetryCall(item.player, item.currency, item.call)
    answer = await casino.host.submit(casino.envelope(command, PLATFORM))
    if not answer.accepted:
        raise Failure(item.call, answer.reason)
    sys.stdout.write(f"{item.call}: attempt {item.attempts + 1} is due now\n")
    return 0


def _show(found: list[OpenCall]) -> None:
    if not found:
        sys.stdout.write("nothing is owed to operators\n")
        return
    out = console()
    for item in found:
        amount = f" {money(item.amount_minor)} {item.currency}"
        what = item.kind + (amount if item.amount_minor else "")
        due = "after the one before" if item.waits_for else moment(item.retry_at)
        block(
            out,
            f"{'ALARM ' if item.alarmed_at else ''}{item.call}",
            (what, f"of {item.player}", f"in {item.round_id}" if item.round_id else ""),
            (f"owed since {moment(item.owed_at)} UTC", f"tried {item.attempts}"),
            (
                f"last answer {item.reason}" if item.reason else "",
                f"next {due}{'' if item.waits_for else ' UTC'}",
            ),
        )
