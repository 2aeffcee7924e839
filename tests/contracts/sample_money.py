"""Samples of the shoe's, settlement's and wallet's events; the least ones too."""

from blackjack.settlement import Line
from contracts import settlement, shoe, wallet
from contracts.desk import Proposed
from contracts.shoe import DealtCard, SeedShare
from contracts.wallet import Transfer, WalletReason
from tests.contracts.sample_commands import ROUND, SEED, SEED_HASH
from tests.contracts.sample_tables import RESERVE_HASH, ROOT, SHOE

ALICE = "local.alice"
EUR = "EUR"
BET = "round-t1-7:bet:2"
LEAF = bytes.fromhex("1f" * 32)
SALT = bytes.fromhex("2e" * 16)
PROOF = (bytes.fromhex("3d" * 32), bytes.fromhex("4c" * 32))

OPEN_CARD = DealtCard("1.1", 117, LEAF, "As", SALT, PROOF, 1)
FACE_DOWN = DealtCard("hole", 118, LEAF)

ALICES_MONEY = "player:local.alice:EUR"
IN_PLAY = "in_play:round-t1-7:local:EUR"
HOUSE = "house:local:EUR"
BANK = "bank:local:EUR"
RELEASE = Transfer(f"{BET}:release", IN_PLAY, ALICES_MONEY, 5000)

SHOE_EVENTS = (
    shoe.ShoeCommitted(
        shoe=SHOE,
        table="t1",
        decks=6,
        cut_card_at=234,
        algorithm="fisher-yates/os-csprng/1",
        root=ROOT,
        reserve_hash=RESERVE_HASH,
        sealed=b"nonce, ciphertext and tag",
        key_id="key-1",
        demonstration=True,
    ),
    shoe.ShoeCut(SHOE, 117, (SeedShare(1, SEED_HASH, SEED), SeedShare(2, SEED_HASH))),
    shoe.CardBurned(SHOE, ROUND, index=116, leaf=LEAF, order=1),
    shoe.BurnedCardShown(SHOE, ROUND, OPEN_CARD),
    shoe.CardsDealt(SHOE, ROUND, request=1, cards=(OPEN_CARD, FACE_DOWN), cards_out=7),
    shoe.CutCardReached(SHOE, ROUND, cards_out=234),
    shoe.DiscardsShuffled(SHOE, ROUND, order=1, cards=290, root=ROOT),
    shoe.HoleLooked(SHOE, ROUND, index=118, natural=False, order=1),
    shoe.HoleRevealed(SHOE, ROUND, OPEN_CARD),
    shoe.ShoeRetired(SHOE, "AsTd6h", secret=SALT + SALT, reserve=SALT * 32),
)

SETTLEMENT_EVENTS = (
    settlement.WagersSettled(
        round_id=ROUND,
        part=2,
        currency=EUR,
        lines=(
            settlement.PlayerLine(
                ALICE, Line("1.1", 1, "main", 2500, "push", 2500, ("C-55", "NY-34"))
            ),
            settlement.PlayerLine(
                ALICE, Line("1.super_match", 1, "side", 500, "win", 1000, ("NY-40",))
            ),
        ),
        final=True,
    ),
    settlement.RoundVoidSettled(
        ROUND,
        3,
        EUR,
        (settlement.Refund(ALICE, "1.1", 2500, lost_minor=1000),),
        order=Proposed("t1-7-ab12", 1),
    ),
    settlement.VoidRefused(ROUND, 3, "round_settled", order=Proposed("t1-7-ab12", 1)),
)

WALLET_EVENTS = (
    wallet.Deposited(
        player=ALICE,
        currency=EUR,
        transfer=Transfer("deposit:cage-91", BANK, ALICES_MONEY, 50000),
        balance_minor=50000,
        reference="cage-91",
    ),
    wallet.Withdrawn(
        player=ALICE,
        currency=EUR,
        transfer=Transfer("withdrawal:cage-92", ALICES_MONEY, BANK, 20000),
        balance_minor=30000,
        reference="cage-92",
    ),
    wallet.FundsReserved(
        round_id=ROUND,
        reservation=BET,
        player=ALICE,
        currency=EUR,
        transfer=Transfer(f"{BET}:reserve", ALICES_MONEY, IN_PLAY, 5500),
        balance_minor=44500,
        returned=RELEASE,
    ),
    wallet.FundsRefused(
        ROUND,
        BET,
        ALICE,
        EUR,
        5500,
        4000,
        WalletReason.NOT_AUTHORIZED,
        operator_reason="limit_reached",
    ),
    wallet.ReservationCancelled(ROUND, BET, ALICE, EUR, 50000, RELEASE),
    wallet.PayoutsPosted(
        round_id=ROUND,
        part=2,
        player=ALICE,
        currency=EUR,
        transfers=(
            Transfer(f"{ROUND}:2:stake", IN_PLAY, ALICES_MONEY, 2500),
            Transfer(f"{ROUND}:2:win", HOUSE, ALICES_MONEY, 500),
        ),
        balance_minor=47500,
    ),
    wallet.WalletCommandRefused(
        "command-9", "wallet.withdraw.v1", "insufficient_funds"
    ),
)

FULL = (*SHOE_EVENTS, *SETTLEMENT_EVENTS, *WALLET_EVENTS)

MINIMAL = (
    shoe.ShoeCommitted(
        SHOE, "t1", 6, 0, "fisher-yates/os-csprng/1", ROOT, RESERVE_HASH, b"", "key-1"
    ),
    shoe.ShoeCut(SHOE, 156),
    shoe.CardBurned(SHOE, ROUND, index=116, leaf=LEAF),
    shoe.CardsDealt(SHOE, ROUND, request=1, cards=(FACE_DOWN,), cards_out=7),
    shoe.HoleLooked(SHOE, ROUND, index=118, natural=False),
    settlement.WagersSettled(ROUND, 1, EUR, ()),
    settlement.RoundVoidSettled(ROUND, 3, EUR, (settlement.Refund(ALICE, "1.1", 1),)),
    settlement.VoidRefused(ROUND, 3, "round_settled"),
    wallet.Deposited(ALICE, EUR, Transfer("d", BANK, ALICES_MONEY, 1), 1),
    wallet.Withdrawn(ALICE, EUR, Transfer("w", ALICES_MONEY, BANK, 1), 0),
    wallet.FundsReserved(
        ROUND, BET, ALICE, EUR, Transfer("r", ALICES_MONEY, IN_PLAY, 1), 0
    ),
    wallet.FundsRefused(
        ROUND, BET, ALICE, EUR, 5500, 4000, WalletReason.INSUFFICIENT_FUNDS
    ),
    wallet.ReservationCancelled(ROUND, BET, ALICE, EUR, 50000),
)
