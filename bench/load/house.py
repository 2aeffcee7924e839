"""A distributed casino for `push22 load --broker`: everything in one process's care.

Prints where it is as one line of JSON, then does what it is told, a word a line, and
removes everything when its standard input ends. Not run by hand.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from bench.load.facts import facts
from push22.load.house import MADE, OVER, REST, WITH_HEARER
from push22.load.places import Place, free_port, made_operators
from push22.load.settings import HEARER
from tests.e2e import images
from tests.e2e.conftest import local_kafka, local_postgres, running
from tests.e2e.distributed import ALL, READY_S, Casino
from tests.local_server import spawned
from tests.postgres import outlives_nobody

SLOW_S = 5.0
"""How long the wallet stands still."""

_END_S = 60
_STOPS_S = 30.0
_TABLES = "table-orchestrator"


@contextmanager
def everything(folder: Path) -> Any:
    """Start servers, services and a door; remove them in the opposite order."""
    with ExitStack() as opened:
        kafka = opened.enter_context(running(local_kafka, images.Kafka))
        postgres = opened.enter_context(running(local_postgres, images.Postgres))
        casino = Casino(folder, kafka, postgres)
        opened.callback(_stop_all, casino)
        casino.prepare()
        casino.start_all()
        made_operators(folder)
        ports, processes = {}, []
        for name in _gateways():
            process, door, ports[name] = _gateway(casino, folder, name)
            opened.callback(_stop, process)
            processes.append(process)
        yield casino, processes, _place(casino, folder, (door, ports))


def _gateways() -> tuple[str, ...]:
    """The last one is the players'; another only hears, to tell what hearing costs."""
    return (HEARER, "gateway") if os.environ.get(WITH_HEARER) else ("gateway",)


def _gateway(
    casino: Casino, folder: Path, name: str
) -> tuple["subprocess.Popen[bytes]", int, int]:
    door, metrics = free_port(), free_port()
    words = ["serve", "gateway", "--port", str(door), "--data", casino.archive]
    words += ["--metrics-port", str(metrics), "--proxies", "127.0.0.1"]
    words += ["--operators", str(folder / "operators.toml")]
    process = spawned(
        [*outlives_nobody("KILL"), sys.executable, "-m", "push22", *words],
        folder / f"{name}.log",
        environment=casino.environment,
    )
    until = time.monotonic() + READY_S
    casino.ports[name] = door
    while casino.status(name, "ready") != 200:
        assert process.poll() is None, casino.said(name)
        assert time.monotonic() < until, casino.said(name)
        time.sleep(0.1)
    return process, door, metrics


def _place(casino: Casino, folder: Path, ports: tuple[int, dict[str, int]]) -> Place:
    door, gateways = ports
    at = "http://127.0.0.1:{}/metrics"
    metrics = {name: at.format(casino.ports[name]) for name in ALL}
    archive = Path(casino.archive) / "push22.sqlite3"
    return Place(
        door=f"http://127.0.0.1:{door}",
        operators=str(folder / "operators.toml"),
        broker=f"{type(casino.kafka).__module__}.{type(casino.kafka).__name__}",
        metrics={**metrics, **{name: at.format(own) for name, own in gateways.items()}},
        pids={"kafka": _pid(casino.kafka), "postgres": _pid(casino.postgres)},
        logs=(str(archive), f"{archive}-wal"),
        books=("--dsn", casino.dsn),
        topics=_topics(casino.kafka),
        environment={
            "XDG_CACHE_HOME": str(folder / "cache"),
            "PUSH22_SEAL_KEYS": casino.environment["PUSH22_SEAL_KEYS"],
        },
        facts=facts(casino),
        evidence=(str(folder),),
    )


def _pid(server: Any) -> int:
    """Return the process of a local server; the kernel knows none of a container."""
    process = getattr(server, "_process", None)
    return process.pid if process is not None else 0


def _topics(kafka: Any) -> str:
    """Return where a local broker keeps its topics; a container's are not here."""
    folder = getattr(kafka, "folder", None)
    return str(folder / "data") if folder is not None else ""


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """Ask it to end; where the machine is too slow for that, it is killed."""
    with suppress(subprocess.TimeoutExpired):
        process.terminate()
        process.wait(_END_S)
    if process.poll() is None:
        process.kill()
        process.wait()


def _stop_all(casino: Casino) -> None:
    for process in casino.processes:
        _stop(process)


# Each yields once what was to be broken is seen to be, and returns once it is whole.


def _broker_kill(casino: Casino) -> Iterator[None]:
    casino.kafka.kill()
    yield
    casino.kafka.start()


def _slow_wallet(casino: Casino) -> Iterator[None]:
    casino.pause("wallet")
    try:
        until = time.monotonic() + _STOPS_S
        while not casino.stands_still("wallet"):
            assert time.monotonic() < until, "the wallet does not stand still"
            time.sleep(0.01)
        yield
        time.sleep(SLOW_S)
    finally:
        casino.resume("wallet")


def _rebalance(casino: Casino) -> Iterator[None]:
    second = casino.start_second(_TABLES)
    yield
    time.sleep(SLOW_S)
    assert second.poll() is None, f"the second ended by itself: {second.returncode}"
    casino.end_second(second)


TROUBLES: dict[str, Callable[[Casino], Iterator[None]]] = {
    "broker-kill": _broker_kill,
    "slow-wallet": _slow_wallet,
    "rebalance": _rebalance,
}


def _trouble(word: str, casino: Casino) -> None:
    """Say when the trouble is made and when it is over, or why it is not."""
    steps = TROUBLES[word](casino)
    try:
        next(steps)
        _say({"at": MADE})
        next(steps, None)
        _say({"at": OVER})
    except Exception as error:  # noqa: BLE001 - the report has to say what it was
        _say({"at": "failed", "why": f"{type(error).__name__}: {error}"})


def main() -> None:
    with everything(Path(sys.argv[1])) as (casino, gateways, place):
        _say(msgspec.to_builtins(place))
        for line in sys.stdin:
            word = line.strip()
            if word in TROUBLES:
                _trouble(word, casino)
                continue
            for gateway in gateways:
                _stop(gateway)
            _stop_all(casino)
            _say({"at": REST})


def _say(found: object) -> None:
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
