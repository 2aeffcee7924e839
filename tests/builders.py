"""Fixed, readable histories: Alice and Bob play round 7 of table t1 in euros.

Every function names one fact and fills in what a test does not care about. Amounts
after the event are always given by the test.
"""

from blackjack.settlement import Line
from contracts.round_events import (
    FundsDeclined,
    FundsRequested,
    OpenStake,
    RoundVoided,
    WagersPlaced,
    WagersRefused,
    WagersWithdrawn,
)
from contracts.settlement import (
    PlayerLine,
    Refund,
    RoundVoidSettled,
    WagersSettled,
)
from contracts.wallet import (
    Deposited,
    FundsRefused,
    FundsReserved,
    PayoutsPosted,
    ReservationCancelled,
    Transfer,
    WalletReason,
)

ALICE = "local.alice"
BOB = "local.bob"
ROUND = "round-t1-7"
EUR = "EUR"

ALICES_WALLET = "wallet-local.alice.EUR"
SETTLEMENT = "settlement-round-t1-7"

ALICES_MONEY = "player:local.alice:EUR"
BOBS_MONEY = "player:local.bob:EUR"
IN_PLAY = "in_play:round-t1-7:local:EUR"
HOUSE = "house:local:EUR"
BANK = "bank:local:EUR"

BET = "round-t1-7:bet:1"
NEW_BET = "round-t1-7:bet:2"
DOUBLE = "round-t1-7:stake:1"


def deposited(
    amount_minor: int, balance_minor: int, command_id: str = "deposit-1"
) -> Deposited:
    name = f"deposit:platform:local:{command_id}"
    transfer = Transfer(name, BANK, ALICES_MONEY, amount_minor)
    return Deposited(ALICE, EUR, transfer, balance_minor)


def bet_placed(
    amount_minor: int,
    reservation: str = BET,
    *,
    replaces: str = "",
    round_id: str = ROUND,
    box: int = 1,
) -> WagersPlaced:
    return WagersPlaced(
        round_id=round_id,
        box=box,
        player=ALICE,
        currency=EUR,
        wagers_minor=(amount_minor,),
        side_wagers_minor={},
        reservation=reservation,
        amount_minor=amount_minor,
        funds_due_at=0,
        replaces=replaces,
    )


def funds_requested(
    amount_minor: int,
    reservation: str = DOUBLE,
    *,
    action: str = "double",
    round_id: str = ROUND,
) -> FundsRequested:
    return FundsRequested(
        round_id=round_id,
        reservation=reservation,
        player=ALICE,
        currency=EUR,
        box=1,
        target="1.1",
        action=action,
        amount_minor=amount_minor,
        funds_due_at=0,
        clock_left_ms=1,
    )


def bet_withdrawn(reservation: str = BET, *, round_id: str = ROUND) -> WagersWithdrawn:
    return WagersWithdrawn(round_id, 1, ALICE, EUR, reservation)


def bet_refused(
    reservation: str = BET,
    reason: str = "funds_not_confirmed",
    *,
    round_id: str = ROUND,
) -> WagersRefused:
    return WagersRefused(round_id, 1, ALICE, EUR, reservation, reason)


def funds_declined(
    reservation: str = DOUBLE,
    reason: str = "funds_not_confirmed",
    *,
    round_id: str = ROUND,
) -> FundsDeclined:
    return FundsDeclined(round_id, reservation, ALICE, EUR, "1.1", "double", reason)


def reserved(
    amount_minor: int, balance_minor: int, reservation: str = BET
) -> FundsReserved:
    transfer = Transfer(f"{reservation}:reserve", ALICES_MONEY, IN_PLAY, amount_minor)
    return FundsReserved(ROUND, reservation, ALICE, EUR, transfer, balance_minor)


def replaced(
    amount_minor: int, returned_minor: int, balance_minor: int
) -> FundsReserved:
    """Build the event in which the new bet took the place of the first."""
    return FundsReserved(
        ROUND,
        NEW_BET,
        ALICE,
        EUR,
        Transfer(f"{NEW_BET}:reserve", ALICES_MONEY, IN_PLAY, amount_minor),
        balance_minor,
        Transfer(f"{BET}:release", IN_PLAY, ALICES_MONEY, returned_minor),
    )


def refused(
    amount_minor: int,
    balance_minor: int,
    reservation: str = BET,
    reason: WalletReason = WalletReason.INSUFFICIENT_FUNDS,
) -> FundsRefused:
    return FundsRefused(
        ROUND, reservation, ALICE, EUR, amount_minor, balance_minor, reason
    )


def cancelled(
    amount_minor: int, balance_minor: int, reservation: str = BET
) -> ReservationCancelled:
    """A cancelled reservation; of 0: one that had not come yet, a tombstone."""
    transfer = (
        Transfer(f"{reservation}:release", IN_PLAY, ALICES_MONEY, amount_minor)
        if amount_minor
        else None
    )
    return ReservationCancelled(ROUND, reservation, ALICE, EUR, balance_minor, transfer)


def line(
    label: str, stake_minor: int, payout_minor: int, *, player: str = ALICE
) -> PlayerLine:
    """A settled line; only the amounts matter to a wallet."""
    if payout_minor > stake_minor:
        found = Line(label, 1, "main", stake_minor, "win", payout_minor, ("C-55",))
    else:
        found = Line(label, 1, "main", stake_minor, "lose", payout_minor, ("C-55",))
    return PlayerLine(player, found)


def settled(
    *lines: PlayerLine, part: int = 1, final: bool = False, round_id: str = ROUND
) -> WagersSettled:
    return WagersSettled(round_id, part, EUR, lines, final)


def posted(
    *transfers: tuple[str, str, str, int], balance_minor: int, part: int = 1
) -> PayoutsPosted:
    """Payouts of Alice; each transfer is `(name, debit, credit, amount)`."""
    named = tuple(Transfer(f"{ROUND}:{part}:{t[0]}", *t[1:]) for t in transfers)
    return PayoutsPosted(ROUND, part, ALICE, EUR, named, balance_minor)


def voided(*stakes: OpenStake, part: int = 2) -> RoundVoided:
    return RoundVoided(ROUND, part, EUR, stakes, "broken camera")


def void_settled(*refunds: Refund, part: int = 2) -> RoundVoidSettled:
    return RoundVoidSettled(ROUND, part, EUR, refunds)
