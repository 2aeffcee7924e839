"""The transfers a wallet can make: their accounts, and ids that name the fact.

The same fact always has the same id, and a reservation has one `release` whatever
returned it: an id that comes twice in the logs is money moved twice (H14).
"""

from urllib.parse import quote

from contracts.envelope import Actor
from contracts.identities import (
    bank_account,
    house_account,
    in_play_account,
    operator_of,
    player_account,
)
from contracts.settlement import PlayerLine, Refund
from contracts.wallet import Transfer
from services.wallet.state import RoundFunds, Wallet

_RELEASE = ":release"


class Accounts:
    """The accounts that one player's money can be in during one round."""

    __slots__ = ("bank", "house", "in_play", "player")

    def __init__(self, state: Wallet, round_id: str = "") -> None:
        operator = operator_of(state.player)
        self.player = player_account(state.player, state.currency)
        self.house = house_account(operator, state.currency)
        self.bank = bank_account(operator, state.currency)
        self.in_play = in_play_account(round_id, operator, state.currency)


def cash_id(purpose: str, actor: Actor, command_id: str) -> str:
    """Name a command's transfer; who may not be mistaken for a part of the id."""
    return f"{purpose}:{actor.kind}:{quote(actor.who, safe='')}:{command_id}"


def stake_in(accounts: Accounts, reservation: str, amount_minor: int) -> Transfer:
    return transfer(
        f"{reservation}:reserve", accounts.player, accounts.in_play, amount_minor
    )


def stake_out(accounts: Accounts, reservation: str, amount_minor: int) -> Transfer:
    return transfer(
        f"{reservation}{_RELEASE}", accounts.in_play, accounts.player, amount_minor
    )


def replaced(accounts: Accounts, funds: RoundFunds, name: str) -> Transfer | None:
    """Give back the stake of the bet that another one takes the place of (C-10).

    A void may be heard of before the bet that it ends with the round: nothing is held
    then, and the table takes that bet back (H1).
    """
    if not name or name in funds.ended:
        return None
    held_minor = funds.held.get(name)
    assert held_minor is not None, f"{name} is not held: not replaceable"
    return stake_out(accounts, name, held_minor)


def released_by(transfer: Transfer) -> str:
    """Return the reservation that a `stake_out` ended."""
    return transfer.id.removesuffix(_RELEASE)


def payout(accounts: Accounts, part: str, item: PlayerLine) -> tuple[Transfer, ...]:
    """Release what comes back of a stake, capture the rest, and pay the winnings."""
    line = item.line
    returned_minor = min(line.stake_minor, line.payout_minor)
    name = f"{part}:{line.label}"
    return _moving(
        (f"{name}{_RELEASE}", accounts.in_play, accounts.player, returned_minor),
        (
            f"{name}:capture",
            accounts.in_play,
            accounts.house,
            line.stake_minor - returned_minor,
        ),
        (
            f"{name}:winnings",
            accounts.house,
            accounts.player,
            line.payout_minor - returned_minor,
        ),
    )


def refund(accounts: Accounts, part: str, item: Refund) -> tuple[Transfer, ...]:
    """Give a voided stake back: from play, or from the house that captured it."""
    name = f"{part}:{item.label}"
    open_minor = item.stake_minor - item.lost_minor
    return _moving(
        (f"{name}{_RELEASE}", accounts.in_play, accounts.player, open_minor),
        (f"{name}:refund", accounts.house, accounts.player, item.lost_minor),
    )


def _moving(*moves: tuple[str, str, str, int]) -> tuple[Transfer, ...]:
    return tuple(transfer(*move) for move in moves if move[3])


def transfer(name: str, debit: str, credit: str, amount_minor: int) -> Transfer:
    assert amount_minor > 0, f"{name} moves {amount_minor}"
    assert debit != credit, f"{name} moves money from {debit} to itself"
    return Transfer(name, debit, credit, amount_minor)


def net_minor(account: str, transfers: tuple[Transfer, ...]) -> int:
    """Return what the transfers add to an account (less than 0: take from it)."""
    gained = sum(t.amount_minor for t in transfers if t.credit == account)
    return gained - sum(t.amount_minor for t in transfers if t.debit == account)
