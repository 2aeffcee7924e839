"""Serves the gateway: with the casino in this process, or before a distributed one."""

import asyncio
import importlib.metadata
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvicorn
from prometheus_client.registry import REGISTRY

from push22.casino import LOG_NAME, Casino
from push22.certify.theory import theories_in
from push22.door.connections import Bounds, Connections, protocols
from push22.door.copy import Copy
from push22.door.demo import Demo
from push22.door.embedded import EmbeddedPort
from push22.door.index import FileIndex
from push22.door.keys import Provider
from push22.door.options import DoorOptions
from push22.door.packs import FilePacks
from push22.door.quiet import keep_quiet
from push22.door.remote import RemotePort
from push22.door.secrets import (
    DEV_OPERATORS,
    dev_issuer,
    dev_operators,
    dev_token,
    token_secrets,
)
from push22.door.used import UsedFile
from push22.errors import Failure
from push22.garbage import keep_what_stands
from push22.given import why
from push22.operator.settings import load
from push22.remote import RemoteCasino, RemoteHost
from push22.service_needs import sources
from push22.watching import Watching
from runtime.ambient import SystemClock
from runtime.gauges import OwedCalls, ProjectionLags
from runtime.kafka_settings import KafkaSettings
from runtime.pull import Puller, token
from services.gateway.door import Credentials, Door
from services.gateway.ports import CasinoPort, NotAvailable, RoundIndex
from services.gateway.roles import Issuer
from services.gateway.signing import (
    Operator,
    OperatorsError,
    Signatures,
    read_operators,
)
from services.gateway.tokens import Tokens
from services.gateway.web.app import Settings, application
from services.gateway.web.messages import TEXT_BYTES_MAX

PING_S = 20
_STOP_S = 5
_BACKLOG = 2048
_MILLISECOND = 1000

Place = tuple[str, int]


async def serve_embedded(data: Path, place: Place, options: DoorOptions) -> None:
    """Run the casino of a data directory and its door until told to stop."""
    options.check_issuer()
    listening = listen(place)
    casino = await Casino.open(data, operators=load(None))
    try:
        port = EmbeddedPort(casino)
        theories = theories_in(options.certificates)
        index = FileIndex(data / LOG_NAME, theories)
        door, app = await opened(port, index, data, (options, listening))
        lines = addresses(door)
        if options.dev:
            lines += await Demo(casino, door).lines()
            lines.append(_desk_link(door, data))
            if options.operators is None:
                lines.append(
                    f"key         of operator local, in {data / DEV_OPERATORS}"
                )
        watching = Watching(casino.now)
        watching.begin(casino.host.file)
        casino.host.subscribe(watching.hear)
        REGISTRY.register(ProjectionLags(casino.host.projectors))
        REGISTRY.register(OwedCalls(casino.host.worker("wallet").deadlines))
        stepping = port.run()
        server = _server(app, options, lambda: _say(lines))
        stepping.add_done_callback(lambda _: _stop(server))
        await _serve(server, listening)
    finally:
        listening.close()
        await casino.close()
    if stepping.done() and not stepping.cancelled() and (e := stepping.exception()):
        raise e


async def serve_remote(data: Path, place: Place, options: DoorOptions) -> None:
    """Run a door before the casino behind Kafka."""
    options.check_issuer()
    listening = listen(place)
    path = data / LOG_NAME
    is_there, shown = path.is_file(), token()
    puller = Puller(sources(), shown) if shown else None
    host = RemoteHost(KafkaSettings.from_environment(), puller=puller)
    # What the copy lacks and Kafka has not kept can only be asked of the services.
    copy = Copy.open(path) if is_there and puller else None
    port = RemotePort(RemoteCasino(host), copy)
    theories = theories_in(options.certificates)
    index = FileIndex(path, theories) if is_there else None
    try:
        door, app = await opened(port, index, data, (options, listening))
        await port.start()
        lines = addresses(door)
        await _serve(_server(app, options, lambda: _say(lines)), listening)
    finally:
        listening.close()
        await port.close()


async def opened(
    casino: CasinoPort,
    index: RoundIndex | None,
    data: Path,
    reached: tuple[DoorOptions, socket.socket],
) -> tuple[Door, Any]:
    """Return a door that knows where its casino stands, and its application."""
    options, listening = reached
    issuer, provider = _issuer(data, options)
    try:
        used = UsedFile(data)
    except NotAvailable as error:
        raise Failure(str(data), str(error)) from error
    secret, *before = token_secrets(data)
    credentials = Credentials(
        Signatures(_operators(data, options), used),
        Tokens(secret, used, tuple(before)),
        issuer,
    )
    address = options.address or _address(listening)
    alone = options.thresholds()
    door = Door(casino, index, credentials, address, thresholds=alone)
    if index is not None:
        door.makes_packs_by(FilePacks(data, SystemClock()))
    await door.start()
    settings = Settings(
        importlib.metadata.version("push22"), options.frame_ancestors, options.dev
    )
    return door, application(door, settings, keeper=provider)


def _operators(data: Path, options: DoorOptions) -> dict[str, Operator]:
    """Read who may sign: nobody where a file is empty. Raises Failure."""
    path = options.operators
    if path is None and not options.dev:
        return {}
    place = f"--operators: {path or data}"
    try:
        text = dev_operators(data) if path is None else path.read_bytes()
        return read_operators(text)
    except OSError as error:
        raise Failure(place, why(error), exit_code=2) from error
    except OperatorsError as error:
        raise Failure(place, str(error), exit_code=2) from error


def _issuer(data: Path, options: DoorOptions) -> tuple[Issuer | None, Provider | None]:
    """Return whose support tokens are believed; development's own only with --dev."""
    if options.dev:
        return dev_issuer(data), None
    if not options.oidc_issuer:
        return None, None
    issuer = Issuer(options.oidc_issuer, options.oidc_audience, {})
    provider = Provider(issuer, options.oidc_jwks)
    provider.read_file()
    return issuer, provider


def listen(place: Place) -> socket.socket:
    """Take the port. A peer that acknowledges nothing is cut off by the network."""
    try:
        listening = socket.create_server(place, backlog=_BACKLOG)
    except OSError as error:
        raise Failure(f"{place[0]}:{place[1]}", str(error)) from error
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        bound = PING_S * _MILLISECOND
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, bound)
    return listening


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://{host}:{port}"


def addresses(door: Door) -> list[str]:
    return [
        f"operators   {door.address}/operator/v1",
        f"players     {door.address}/player/v1",
        f"support     {door.address}/support/v1",
        f"documents   {door.address}/openapi.json",
    ]


def _desk_link(door: Door, data: Path) -> str:
    """Return a link that signs in at the desk: the key is development's own."""
    token = dev_token(data, "developer", "resolver", door.casino.now())
    return f"desk        {door.address}/desk#token={token}"


class _Server(uvicorn.Server):
    """Says where it is once it is there."""

    announce: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        keep_what_stands()
        self.announce()


def server_config(
    app: Any, options: DoorOptions, bounds: Bounds | None = None
) -> uvicorn.Config:
    """Return how a door is served: within the options' bounds, or others."""
    many = (options.connections, options.connections_per_address)
    allowed = bounds or Bounds(*many, options.proxies)
    http, ws = protocols(Connections(allowed))
    return uvicorn.Config(
        app,
        http=http,
        ws=ws,
        ws_max_size=TEXT_BYTES_MAX,
        ws_ping_interval=PING_S,
        ws_ping_timeout=PING_S,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(options.proxies),
        forwarded_allow_ips=options.proxies,
        timeout_graceful_shutdown=_STOP_S,
    )


def _server(app: Any, options: DoorOptions, announce: Callable[[], None]) -> _Server:
    server = _Server(server_config(app, options))
    keep_quiet()
    server.announce = announce
    return server


async def _serve(server: _Server, listening: socket.socket) -> None:
    """Serve until a signal; what stands behind is closed after it, not killed by it."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, _stop, server)
    await server.serve(sockets=[listening])


def _stop(server: _Server) -> None:
    server.should_exit = True


def _say(lines: list[str]) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()
