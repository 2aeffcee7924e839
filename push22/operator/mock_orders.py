"""What a tester orders of the mock operator under /admin, one type per body."""

from typing import Any

import msgspec

from contracts.operator_wallet import Status
from push22.operator.mock_books import Books
from push22.operator.mock_faults import Faults, Rates


class FaultsOrder(Rates, frozen=True, forbid_unknown_fields=True):
    """New rates, each 0 if it is left out; silence and clock stay if they are."""

    hang_ms: int | None = None
    skew_ms: int | None = None


class StateOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`state`: the reason his debits are refused with, or `ok`."""

    player: str
    state: Status


class SessionsOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    player: str


class NoOrder(Exception):
    """It is not understood; the text says what is wrong."""


def obey(name: str, body: bytes, books: Books, faults: Faults) -> Any:
    """Do what is ordered, and return what is to be told. Raises NoOrder."""
    try:
        return _obeyed(name, body or b"{}", books, faults)
    except msgspec.MsgspecError as error:
        raise NoOrder(f"/admin/{name}: {error}") from error


def _obeyed(name: str, body: bytes, books: Books, faults: Faults) -> Any:
    match name:
        case "faults":
            rates = msgspec.json.decode(body, type=FaultsOrder)
            faults.rates = rates
            if rates.hang_ms is not None:
                faults.hang_ms = rates.hang_ms
            if rates.skew_ms is not None:
                faults.skew_ms = rates.skew_ms
        case "player":
            order = msgspec.json.decode(body, type=StateOrder)
            books.set_state(order.player, order.state)
        case "sessions":
            of_whom = msgspec.json.decode(body, type=SessionsOrder)
            books.end_sessions(of_whom.player)
        case "books":
            return {"balances": books.balances()}
        case _:
            raise NoOrder(
                f"no /admin/{name}: there are faults, player, sessions, books"
            )
    return {}
