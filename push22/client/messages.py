"""The texts of a player's socket, in both directions."""

import msgspec

from push22.client.orders import AnyOrder
from push22.client.problems import Garbled
from push22.client.views import Happened, Table


class Hello(msgspec.Struct, frozen=True, tag_field="kind", tag="hello"):
    token: str


class Watch(
    msgspec.Struct, frozen=True, tag_field="kind", tag="watch", omit_defaults=True
):
    """`feed` and `seq`: where to go on, if that is known."""

    table: str
    feed: str = ""
    seq: int = 0


class Unwatch(msgspec.Struct, frozen=True, tag_field="kind", tag="unwatch"):
    table: str


class Command(msgspec.Struct, frozen=True, tag_field="kind", tag="command"):
    id: str
    order: AnyOrder


class Refusal(msgspec.Struct, frozen=True):
    """A bet or stake that the wallet did not bear, and why."""

    round_id: str
    target: str
    reason: str


class You(msgspec.Struct, frozen=True, tag_field="kind", tag="you"):
    """What is the player's own. `seats`: which seat of a round is yours."""

    player: str
    currency: str
    balance_minor: int
    seats: dict[str, str]
    refusals: tuple[Refusal, ...]


class Snapshot(msgspec.Struct, frozen=True, tag_field="kind", tag="snapshot"):
    table: str
    feed: str
    seq: int
    reason: str
    view: Table


class Delta(msgspec.Struct, frozen=True, tag_field="kind", tag="delta"):
    table: str
    feed: str
    seq: int
    happened: Happened
    changes: dict[str, msgspec.Raw]


class Answer(msgspec.Struct, frozen=True, tag_field="kind", tag="answer"):
    id: str
    stream: str
    version: int


class Wrong(msgspec.Struct, frozen=True, tag_field="kind", tag="problem"):
    """A problem; `id` is the command's that it answers, if it answers one."""

    id: str
    status: int
    reason: str
    detail: str = ""


Told = You | Snapshot | Delta | Answer | Wrong
Said = Hello | Watch | Unwatch | Command

_KINDS = frozenset({"you", "snapshot", "delta", "answer", "problem"})
_DECODER: msgspec.json.Decoder[Told] = msgspec.json.Decoder(Told)
_ENCODE = msgspec.json.Encoder().encode


class _Kind(msgspec.Struct):
    kind: str


_KIND_DECODER = msgspec.json.Decoder(_Kind)


def write(message: Said) -> str:
    return _ENCODE(message).decode()


def read(text: str | bytes) -> Told | None:
    """Read a message of the door; `None` for a kind that is newer than this library.

    Raises Garbled.
    """
    try:
        return _DECODER.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        if _is_unknown(text):
            return None
        raise Garbled(str(error)[:200]) from error


def _is_unknown(text: str | bytes) -> bool:
    try:
        return _KIND_DECODER.decode(text).kind not in _KINDS
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
