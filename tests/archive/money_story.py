"""An honest story of money, told by hand: one deposit, one round, one double."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from blackjack.settlement import Line, Result
from blackjack.state import Due
from contracts import round_events as e
from contracts import settlement as st
from contracts import wallet as w
from contracts.envelope import Actor, Envelope
from contracts.table import TableLimits, Timings
from contracts.table_events import RoundTerms
from services.archive.audit import Audit

ROUND = "round-t1-1"
ALICE = "local.alice"
PLAYER = "player:local.alice:EUR"
IN_PLAY = f"in_play:{ROUND}:local:EUR"
HOUSE = "house:local:EUR"
BANK = "bank:local:EUR"
BET, STAKE = f"{ROUND}:bet:1", f"{ROUND}:stake:1"

TERMS = RoundTerms(
    table="t1",
    number=1,
    rule_set="ny-switch-6d",
    options={},
    rule_set_digest="digest",
    engine="1",
    currency="EUR",
    limits=TableLimits(),
    timings=Timings(),
    shoe="shoe-t1-1",
    shoe_root=b"",
    shoe_reserve_hash=b"",
    first_of_shoe=True,
    burn=1,
)


def move(name: str, debit: str, credit: str, amount_minor: int) -> w.Transfer:
    return w.Transfer(name, debit, credit, amount_minor)


def deposit(amount_minor: int, name: str = "deposit:1", before: int = 0) -> w.Deposited:
    transfer = move(name, BANK, PLAYER, amount_minor)
    return w.Deposited(ALICE, "EUR", transfer, before + amount_minor)


def reserved(name: str, amount_minor: int, balance_minor: int) -> w.FundsReserved:
    transfer = move(f"{name}:reserve", PLAYER, IN_PLAY, amount_minor)
    return w.FundsReserved(ROUND, name, ALICE, "EUR", transfer, balance_minor)


def placed(name: str = BET, *, replaces: str = "") -> e.WagersPlaced:
    return e.WagersPlaced(
        round_id=ROUND,
        box=1,
        player=ALICE,
        currency="EUR",
        wagers_minor=(1000, 1000),
        side_wagers_minor={},
        reservation=name,
        amount_minor=2000,
        funds_due_at=0,
        replaces=replaces,
    )


def due(label: str, stake_minor: int) -> e.PlayerDue:
    return e.PlayerDue(ALICE, Due(label, 1, "main", stake_minor))


def line(label: str, stake_minor: int, payout_minor: int) -> st.PlayerLine:
    result: Result = "win" if payout_minor > stake_minor else "lose"
    made = Line(label, 1, "main", stake_minor, result, payout_minor, ("C-55",))
    return st.PlayerLine(ALICE, made)


DOUBLE_ASKED = e.FundsRequested(
    round_id=ROUND,
    reservation=STAKE,
    player=ALICE,
    currency="EUR",
    box=1,
    target="1.1",
    action="double",
    amount_minor=1000,
    funds_due_at=0,
    clock_left_ms=1,
)
PAID = (
    move(f"{ROUND}:1:1.1:stake", IN_PLAY, PLAYER, 2000),
    move(f"{ROUND}:1:1.1:winnings", HOUSE, PLAYER, 2000),
    move(f"{ROUND}:1:1.2:loss", IN_PLAY, HOUSE, 1000),
)


def closed(status: str = "settled", net_minor: int = 1000) -> e.RoundClosed:
    return e.RoundClosed(
        round_id=ROUND,
        table="t1",
        status=status,
        players=(ALICE,),
        nets_minor={ALICE: net_minor},
        starting_hands=2,
        cards_out=8,
        cut_card_reached=False,
    )


def story(**changed: Any) -> dict[str, Any]:
    """Hand 1.1 is doubled and wins, 1.2 loses: 1000 up. `None` leaves a step out."""
    steps: dict[str, Any] = {
        "deposited": deposit(100000),
        "opened": e.RoundOpened(ROUND, TERMS),
        "placed": placed(),
        "reserved": reserved(BET, 2000, 98000),
        "accepted": e.WagersAccepted(ROUND, 1, BET),
        "double_asked": DOUBLE_ASKED,
        "double_reserved": reserved(STAKE, 1000, 97000),
        "doubled": e.HandDoubled(ROUND, 1, "1.1", ALICE, 1000, STAKE),
        "due": e.SettlementDue(
            round_id=ROUND,
            part=1,
            rule_set="ny-switch-6d",
            options={},
            currency="EUR",
            dues=(due("1.1", 2000), due("1.2", 1000)),
            final=True,
        ),
        "settled": st.WagersSettled(
            ROUND, 1, "EUR", (line("1.1", 2000, 4000), line("1.2", 1000, 0)), final=True
        ),
        "posted": w.PayoutsPosted(ROUND, 1, ALICE, "EUR", PAID, 101000),
        "received": e.PayoutsReceived(ROUND, 1, ALICE, 1000),
        "closed": closed(),
    }
    steps.update(changed)
    return {name: step for name, step in steps.items() if step is not None}


LOST = move(f"{ROUND}:1:1.x:loss", IN_PLAY, HOUSE, 500)
BACK = (
    move(f"{ROUND}:2:1.1:refund", IN_PLAY, PLAYER, 1500),
    move(f"{ROUND}:2:1.x:loss_refund", HOUSE, PLAYER, 500),
)
SIDE_DUE = e.SettlementDue(
    round_id=ROUND,
    part=1,
    rule_set="ny-switch-6d",
    options={},
    currency="EUR",
    dues=(due("1.x", 500),),
)
VOIDED = e.RoundVoided(
    ROUND,
    2,
    "EUR",
    (e.OpenStake(ALICE, "1.1", 1500), e.OpenStake(ALICE, "1.x", 500)),
    "the dealer's camera failed",
)


def void_story(**changed: Any) -> dict[str, Any]:
    """Side wager 1.x was lost before support voided the round: it comes back too."""
    steps: dict[str, Any] = {
        "deposited": deposit(100000),
        "opened": e.RoundOpened(ROUND, TERMS),
        "placed": placed(),
        "reserved": reserved(BET, 2000, 98000),
        "accepted": e.WagersAccepted(ROUND, 1, BET),
        "due": SIDE_DUE,
        "settled": st.WagersSettled(ROUND, 1, "EUR", (line("1.x", 500, 0),)),
        "posted": w.PayoutsPosted(ROUND, 1, ALICE, "EUR", (LOST,), 98000),
        "received": e.PayoutsReceived(ROUND, 1, ALICE, -500),
        "voided": VOIDED,
        "refunded": st.RoundVoidSettled(
            ROUND,
            2,
            "EUR",
            (st.Refund(ALICE, "1.1", 1500), st.Refund(ALICE, "1.x", 500, 500)),
        ),
        "refund_posted": w.PayoutsPosted(ROUND, 2, ALICE, "EUR", BACK, 100000),
        "refund_received": e.PayoutsReceived(ROUND, 2, ALICE, 500),
        "closed": closed("void", 0),
    }
    steps.update(changed)
    return {name: step for name, step in steps.items() if step is not None}


def stream_of(event: Any) -> tuple[str, str]:
    """Return the service and the stream that an event stands in."""
    if type(event).__module__ == "contracts.desk":
        return "desk", f"case-{event.case}"
    if type(event).__module__.startswith("contracts.wallet"):
        return "wallet", f"wallet-{event.player}.{event.currency}"
    if type(event).__module__ == "contracts.settlement":
        return "settlement", f"settlement-{event.round_id}"
    return "table-orchestrator", event.round_id


DAY = "2026-10-31"
NOON = 1_793_448_000_000_000
"""Of that day."""


def records(events: Iterable[Any], *, since: int = 0) -> Iterator[tuple[Envelope, Any]]:
    """Wrap events as the records of their services, a microsecond apart."""
    for number, event in enumerate(events, start=1):
        service, stream = stream_of(event)
        envelope = Envelope(
            id=f"{stream}@{number}",
            type="",
            service=service,
            log="log",
            partition=0,
            offset=number,
            stream=stream,
            version=number,
            recorded_at=since + number,
            caused_by="",
            correlation="",
            actor=Actor("platform", "push22"),
            data=msgspec.Raw(b"{}"),
        )
        yield envelope, event


def audited(events: Iterable[Any], *, since: int = NOON) -> Audit:
    audit = Audit()
    for envelope, event in records(events, since=since):
        audit.see(envelope, event)
    return audit
