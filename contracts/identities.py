"""Names of streams, rounds, players and accounts, built in one place (H8, H13)."""

import hashlib
import re
from urllib.parse import quote

_WORD = re.compile(r"[a-z0-9][a-z0-9_]{0,31}")
_PLAYER = re.compile(r"[a-z0-9][a-z0-9_]{0,31}\.[A-Za-z0-9][A-Za-z0-9_]{0,63}")
_CURRENCY = re.compile(r"[A-Z]{3}")
_CASE = re.compile(r"[a-z0-9][a-z0-9_]{0,31}-[1-9][0-9]{0,15}-[a-z0-9]{1,32}")
_PERSON_LENGTH_MAX = 200

DEFAULT_OPERATOR = "local"
DEFAULT_CURRENCY = "EUR"


def is_table_id(text: str) -> bool:
    """Tables are named by lower-case words: `t1`, `vip_3`."""
    return _WORD.fullmatch(text) is not None


def is_player_id(text: str) -> bool:
    """Players are `<operator>.<player>`: `local.alice` (H13)."""
    return _PLAYER.fullmatch(text) is not None


def is_currency(text: str) -> bool:
    """Currencies are three capital letters (ISO 4217)."""
    return _CURRENCY.fullmatch(text) is not None


def operator_of(player: str) -> str:
    return player.partition(".")[0]


def table_stream(table: str) -> str:
    return f"table-{table}"


def round_id(table: str, number: int) -> str:
    """A round's id is its stream's name: `round-t1-42`."""
    return f"round-{table}-{number}"


def table_of_round(round_: str) -> str:
    return round_.partition("-")[2].rpartition("-")[0]


def number_of_round(round_: str) -> int:
    return int(round_.rpartition("-")[2])


def shoe_stream(table: str, number: int) -> str:
    """A shoe's id is its stream's name: `shoe-t1-3`."""
    return f"shoe-{table}-{number}"


def table_of_shoe(shoe: str) -> str:
    return shoe.partition("-")[2].rpartition("-")[0]


def settlement_stream(round_: str) -> str:
    return f"settlement-{round_}"


def wallet_stream(player: str, currency: str) -> str:
    return f"wallet-{player}.{currency}"


def is_case_id(text: str) -> bool:
    """Cases are `<table>-<number>-<name>`: of which round, and a name of its own."""
    return _CASE.fullmatch(text) is not None


def case_id(round_: str, name: str) -> str:
    return f"{round_.partition('-')[2]}-{name}"


def round_of_case(case: str) -> str:
    return f"round-{case.rpartition('-')[0]}"


def case_stream(case: str) -> str:
    return f"case-{case}"


def access_stream(person: str) -> str:
    """All that one person of support looked at; a name may be any text."""
    name = quote(person, safe="")
    if len(name) > _PERSON_LENGTH_MAX:
        name = hashlib.sha256(person.encode()).hexdigest()
    return f"access-{name}"


def correction_id(case: str, proposal: int) -> str:
    """Name the one transfer that a proposal can lead to."""
    return f"correction:{case}:{proposal}"


def player_account(player: str, currency: str) -> str:
    return f"player:{player}:{currency}"


def in_play_account(round_: str, operator: str, currency: str) -> str:
    return f"in_play:{round_}:{operator}:{currency}"


def house_account(operator: str, currency: str) -> str:
    return f"house:{operator}:{currency}"


def bank_account(operator: str, currency: str) -> str:
    """Where deposits come from and withdrawals go: the operator's own bank."""
    return f"bank:{operator}:{currency}"


def transaction_id(*names: str) -> str:
    """Name a fact by a UUID (version 8, SHA-256), for a call to an operator."""
    digest = bytearray(hashlib.sha256("\0".join(names).encode()).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x80
    digest[8] = digest[8] & 0x3F | 0x80
    text = digest.hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def category_of(stream: str) -> str:
    return stream.partition("-")[0]


def routing_key(stream: str) -> str:
    """The table id for what belongs to a table; else the stream itself (H8)."""
    category, _, rest = stream.partition("-")
    if category == "table":
        return rest
    if category in ("round", "shoe"):
        return rest.rpartition("-")[0]
    if category == "settlement":
        return table_of_round(rest)
    if category == "case":
        return table_of_round(round_of_case(rest))
    return stream


def partition_of(stream: str, count: int) -> int:
    """First 8 bytes of SHA-256(routing key), modulo the partitions (H8)."""
    digest = hashlib.sha256(routing_key(stream).encode()).digest()
    return int.from_bytes(digest[:8], "big") % count
