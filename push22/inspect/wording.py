"""What each record says, in one line of plain words."""

from collections.abc import Callable
from typing import Any

import msgspec

from blackjack.hands import total
from blackjack.reasons import StepReason
from contracts import desk as d
from contracts import round_events as e
from contracts import settlement as st
from contracts import shoe as s
from contracts import table_events as te
from contracts import wallet as w
from contracts import wallet_calls as c
from contracts.envelope import Envelope
from push22.inspect.money import money

HIDDEN = "??"
"""Stands for a card that lies face down."""


def words_of(event: Any) -> str:
    """Say what happened; an event without words of its own is named by its type."""
    say = _WORDS.get(type(event))
    if say is not None:
        return say(event)
    tag = str(event.__struct_config__.tag)
    return tag.rpartition(".")[0].partition(".")[2].replace("_", " ")


def actor_of(record: Envelope, event: Any) -> str:
    """Name who decided; what follows by itself is done by the table."""
    decided = isinstance(event, e.Decision) or (
        record.cause is not None and record.cause.kind != "event"
    )
    if not decided:
        return "table"
    actor = record.actor
    match actor.kind:
        case "player":
            return actor.who
        case "support":
            return f"support {actor.who}"
        case kind:
            return kind


def _cards(cards: Any) -> str:
    return ", ".join(f"{card.place} {card.card or HIDDEN}" for card in cards)


def _opened(event: e.RoundOpened) -> str:
    terms = event.terms
    limits = terms.limits
    return (
        f"round opened: {terms.rule_set}, "
        f"limits {money(limits.min_minor)} to {money(limits.max_minor)}"
    )


def _placed(event: e.WagersPlaced) -> str:
    wagers = " + ".join(money(amount) for amount in event.wagers_minor)
    sides = "".join(
        f", {name.replace('_', ' ')} {money(amount)}"
        for name, amount in event.side_wagers_minor.items()
    )
    instead = f", instead of {event.replaces}" if event.replaces else ""
    return f"bets {wagers}{sides} on box {event.box}{instead}"


def _betting_closed(event: e.BettingClosed) -> str:
    boxes = ", ".join(map(str, event.boxes))
    return f"betting closed: box{'es' * (len(event.boxes) > 1)} {boxes}"


def _requested(event: e.CardsRequested) -> str:
    burn = f", {event.burn} burned first" if event.burn else ""
    return f"cards asked for {', '.join(event.places)}{burn}"


def _decision(event: e.DecisionOpened) -> str:
    named = f"{event.kind} open (decision {event.decision})"
    offers = "; ".join(
        f"{offer.target}: {' '.join(_option(o) for o in offer.options)}"
        f"{'' if offer.due else ' (may wait)'}"
        for offer in event.offers
    )
    return f"{named}: {offers}" if offers else named


def _option(option: Any) -> str:
    if not option.max_minor:
        return str(option.action)
    if option.min_minor == option.max_minor:
        return f"{option.action} {money(option.max_minor)}"
    return f"{option.action} {money(option.min_minor)}-{money(option.max_minor)}"


_ACTION_WORDS = {
    "insure": "insures",
    "decline": "declines insurance",
    "even_money": "takes even money",
    "switch": "switches",
    "switch_back": "switches back",
    "keep": "keeps the cards",
    "hit": "hits",
    "stand": "stands",
    "double": "doubles",
    "split": "splits",
    "surrender": "surrenders",
}


def _made(event: e.Decision) -> str:
    paid = getattr(event, "amount_minor", 0)
    amount = f" for {money(paid)}" if paid else ""
    return f"{event.target} {_ACTION_WORDS[e.ACTION_OF[type(event)]]}{amount}"


def _funds_asked(event: e.FundsRequested) -> str:
    return (
        f"{event.target} {event.action} for {money(event.amount_minor)}: "
        "funds asked for, the clock stands still"
    )


def _due(event: e.SettlementDue) -> str:
    labels = ", ".join(item.due.label for item in event.dues)
    dealer = next((i.due.dealer for i in event.dues if i.due.dealer), ())
    against = f" against {' '.join(dealer)} ({total(dealer)})" if dealer else ""
    return f"to be settled (part {event.part}): {labels}{against}"


def _settled(event: st.WagersSettled) -> str:
    lines = ", ".join(
        f"{item.line.label} {item.line.result} {money(item.line.payout_minor)}"
        for item in event.lines
    )
    return f"settled (part {event.part}): {lines}"


def _closed(event: e.RoundClosed) -> str:
    nets = ", ".join(
        f"{player} {money(net, signed=True)}"
        for player, net in event.nets_minor.items()
    )
    return f"round closed: {event.status}" + (f", {nets}" if nets else "")


_TURNS = (StepReason.NOT_YOUR_TURN,)
"""C-64's name for it, which reads like an error of ours where it is the player's own
insurance that is waited for."""


def _refused(event: te.CommandRefused) -> str:
    target = f" {event.target}" if event.target else ""
    command = event.command.partition(".")[2].rpartition(".")[0].replace("_", " ")
    first = " (another decision was due first)" if event.reason in _TURNS else ""
    return f"REFUSED: {command}{target}: {event.reason}{first}"


def _reserved(event: w.FundsReserved) -> str:
    back = f", {money(event.returned.amount_minor)} back" if event.returned else ""
    return (
        f"reserved {money(event.transfer.amount_minor)} of {event.player}{back}, "
        f"balance {money(event.balance_minor)}"
    )


def _funds_refused(event: w.FundsRefused) -> str:
    return (
        f"REFUSED {money(event.amount_minor)} of {event.player}: "
        f"{event.operator_reason or event.reason}, "
        f"balance {money(event.balance_minor)}"
    )


def _cancelled(event: w.ReservationCancelled) -> str:
    if event.transfer is None:
        return f"reservation of {event.player} cancelled before it was held"
    return (
        f"returned {money(event.transfer.amount_minor)} to {event.player}, "
        f"balance {money(event.balance_minor)}"
    )


def _posted(event: w.PayoutsPosted) -> str:
    back = sum(
        move.amount_minor
        for move in event.transfers
        if move.credit.startswith("player:")
    )
    return (
        f"paid {money(back)} to {event.player} (part {event.part}), "
        f"balance {money(event.balance_minor)}"
    )


def _approved(event: d.ProposalApproved) -> str:
    alone = "within what one person may decide" if event.is_alone else ""
    by = f"proposed by {event.proposed_by}, approved by {event.approved_by}"
    amount = money(event.amount_minor, signed=event.kind is d.ProposalKind.CORRECTION)
    of = f" for {event.player}" if event.player else ""
    return (
        f"CASE {event.case}: {event.kind} of {amount} {event.currency}{of} {by}: "
        f"{event.reason}" + (f" ({alone})" if alone else "")
    )


def _corrected(event: w.CorrectionPosted) -> str:
    is_paid = event.transfer.credit.startswith("player:")
    amount = money(event.transfer.amount_minor * (1 if is_paid else -1), signed=True)
    return (
        f"CORRECTED by {amount} for {event.player}, case {event.case}, "
        f"balance {money(event.balance_minor)}"
    )


def _not_corrected(event: w.CorrectionRefused) -> str:
    amount = money(event.amount_minor, signed=True)
    return (
        f"correction of {amount} for {event.player} REFUSED: "
        f"{event.operator_reason or event.reason}"
    )


def _voided(event: e.RoundVoided) -> str:
    total = sum(stake.stake_minor for stake in event.stakes)
    return f"ROUND VOIDED: {event.reason}; stakes of {money(total)}"


def _refunds(event: st.RoundVoidSettled) -> str:
    refunds = ", ".join(
        f"{item.label} {money(item.stake_minor)}" for item in event.refunds
    )
    return f"refunds (part {event.part}): {refunds or 'none'}"


def _call(call: c.OperatorCall) -> str:
    amount = f" {money(call.amount_minor)}" if call.amount_minor else ""
    return f"{call.kind}{amount}"


def _call_ended(event: c.CallEnded) -> str:
    if event.outcome is not c.CallOutcome.DONE:
        return f"operator: {_call(event.call)} {event.outcome}: {event.reason}"
    left = money(event.operator_balance_minor)
    return f"operator: {_call(event.call)} done, {event.player} has {left} there"


_WORDS: dict[type[msgspec.Struct], Callable[[Any], str]] = {
    e.RoundOpened: _opened,
    te.RoundCalled: lambda _: "the table called the round",
    te.RoundRecorded: lambda _: "the table recorded the round's end",
    te.LimitsChanged: lambda _: "new limits, from the next round on",
    te.DealerChanged: lambda x: f"dealer {x.dealer} takes over",
    te.PlayerMaximumSet: lambda x: (
        f"maximum of {x.player}: {money(x.max_minor) if x.max_minor else 'posted'}"
    ),
    te.TableClosed: lambda x: f"table closed: {x.reason}",
    te.CommandRefused: _refused,
    e.WagersPlaced: _placed,
    e.WagersAccepted: lambda x: f"bet on box {x.box} accepted",
    e.WagersRefused: lambda x: f"bet on box {x.box} REFUSED: {x.reason}",
    e.WagersWithdrawn: lambda x: f"bet on box {x.box} withdrawn",
    e.PlayerReady: lambda _: "is ready",
    e.TermsSuperseded: lambda _: "the table changed: the last round on these terms",
    e.BettingClosed: _betting_closed,
    e.SeedOpened: lambda x: f"box {x.box} opened its seed",
    e.CardsRequested: _requested,
    e.CardsReceived: lambda x: f"dealt: {_cards(x.cards)}",
    e.HandShown: lambda x: f"{x.target} is shown: {' '.join(x.cards)}",
    e.CutCardSeen: lambda _: "the cut card came: the shoe's last round",
    e.HoleLookRequested: lambda x: f"dealer looks under {x.up_card}",
    e.DealerChecked: lambda x: "natural" if x.natural else "no dealer natural",
    e.HoleRevealRequested: lambda _: "hole card to be turned over",
    e.HoleCardTurned: lambda x: f"hole card {x.card}",
    e.BurnedCardRequested: lambda x: f"{x.player} asks to see the burned card",
    e.DecisionOpened: _decision,
    e.InsuranceClosed: lambda _: "insurance closed",
    e.FundsRequested: _funds_asked,
    e.FundsDeclined: lambda x: f"{x.target} {x.action} not done: {x.reason}",
    **dict.fromkeys(e.ACTION_OF, _made),
    e.SettlementDue: _due,
    e.PayoutsReceived: lambda x: (
        f"part {x.part} booked for {x.player}: {money(x.net_minor, signed=True)}"
    ),
    e.RoundVoided: _voided,
    e.VoidOrderRefused: lambda x: f"void of case {x.order.case} REFUSED: {x.reason}",
    e.RefundsAwaited: lambda x: f"refunds of part {x.part} awaited",
    e.VoidDeclined: lambda x: f"void declined: {x.reason}",
    e.ClockExtended: lambda x: f"after an outage clocks go on for {x.by_ms} ms more",
    e.RoundClosed: _closed,
    s.ShoeCut: lambda x: f"cut at {x.cut}",
    s.CardBurned: lambda x: f"card {x.index} burned, unseen",
    s.BurnedCardShown: lambda x: f"the burned card is {x.card.card}",
    s.CardsDealt: lambda x: (
        "dealt from "
        + ", ".join(f"{c.index}" for c in x.cards)
        + f" with proofs, {x.cards_out} out"
    ),
    s.CutCardReached: lambda x: f"cut card reached, {x.cards_out} out",
    s.DiscardsShuffled: lambda x: f"{x.cards} discards shuffled, new root",
    s.HoleLooked: lambda x: "natural" if x.natural else "no natural",
    s.HoleRevealed: lambda x: f"card {x.card.index} is {x.card.card}, with proof",
    st.WagersSettled: _settled,
    st.RoundVoidSettled: _refunds,
    st.VoidRefused: lambda x: f"void refused: {x.reason}",
    c.CallOwed: lambda x: f"operator to be asked: {_call(x.call)} of {x.player}",
    c.CallFailed: lambda x: f"operator: attempt {x.attempt} failed: {x.reason}",
    c.CallAlarmed: lambda x: (
        f"operator: ALARM after {x.attempts}: {_call(x.call)} {x.outcome}: {x.reason}"
    ),
    c.CallHurried: lambda x: f"operator: attempt {x.attempts + 1} is asked for now",
    c.CallEnded: _call_ended,
    w.FundsReserved: _reserved,
    w.FundsRefused: _funds_refused,
    w.ReservationCancelled: _cancelled,
    w.PayoutsPosted: _posted,
    w.CorrectionPosted: _corrected,
    w.CorrectionRefused: _not_corrected,
    d.ProposalApproved: _approved,
}
