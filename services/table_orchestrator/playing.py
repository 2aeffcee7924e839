"""Decisions while cards are out: players' moves, the shoe's answers, deadlines."""

from typing import Any

from blackjack import machine
from contracts import round_events as e
from contracts import shoe as s
from contracts import table as t
from contracts.table import TableReason
from contracts.wallet import FundsRefused, FundsReserved, PayoutsPosted
from runtime.service import Context, Decided, Rejected
from services.table_orchestrator import pitch
from services.table_orchestrator.betting import FUNDS_NOT_CONFIRMED
from services.table_orchestrator.labels import box_of
from services.table_orchestrator.state import PendingFunds, Playing, Unpaid
from services.table_orchestrator.steps import Steps


def take_decision(command: t.HandCommand, state: Playing, context: Context) -> Decided:
    """Do what a player decided, or refuse it with the first reason that applies."""
    action = t.ACTIONS[type(command)]
    target = command.target
    amount = command.amount_minor if isinstance(command, t.AmountCommand) else None
    reason = _refusal(command, state, context) or machine.refusal(
        state.game, target, action, amount
    )
    if reason:
        return Rejected(str(reason), target, state.round_id)
    return decided(state, context, target, (action, amount))


def _refusal(
    command: t.HandCommand, state: Playing, context: Context
) -> TableReason | None:
    owner = state.owners.get(box_of(command.target))
    if state.voiding:
        return TableReason.ROUND_OVER
    if owner is not None and owner != context.actor.who:
        return TableReason.NOT_YOUR_BOX
    expected = command.expected_version
    if expected is not None and expected != context.stream_version:
        return TableReason.VERSION_CONFLICT
    if any(item.box == box_of(command.target) for item in state.pending):
        return TableReason.FUNDS_PENDING
    if any(item.player == owner for item in state.unpaid):
        over = isinstance(machine.need(state.game), machine.NeedNothing)
        return None if over else TableReason.PAYOUT_PENDING
    return None


def decided(
    state: Playing, context: Context, target: str, move: tuple[str, int | None]
) -> Decided:
    """Record a legal decision, or first ask the wallet for what it costs (H1)."""
    action, amount = move
    cost = machine.cost(state.game, target, action, amount)
    steps = Steps(state, context)
    if cost:
        steps.add(_funds_requested(state, context, target, (action, cost)))
    else:
        owner = state.owners[box_of(target)]
        made = e.DECIDED[action]
        steps.add(made(state.round_id, state.decision, target, owner))
    return steps.follow()


def _funds_requested(
    state: Playing, context: Context, target: str, move: tuple[str, int]
) -> e.FundsRequested:
    box = box_of(target)
    left = state.clock.due_at - context.now if state.clock else 0
    number = state.reservations + 1
    return e.FundsRequested(
        round_id=state.round_id,
        reservation=f"{state.round_id}:stake:{number}",
        player=state.owners[box],
        currency=state.terms.currency,
        box=box,
        target=target,
        action=move[0],
        amount_minor=move[1],
        funds_due_at=context.now + state.terms.timings.funds_ms * 1000,
        clock_left_ms=max(left // 1000, 1),
    )


def _pending(state: Playing, reservation: str) -> PendingFunds | None:
    return next((p for p in state.pending if p.reservation == reservation), None)


def funds_reserved(message: FundsReserved, state: Playing, context: Context) -> Decided:
    item = _pending(state, message.reservation)
    if item is None:
        return ()
    steps = Steps(state, context)
    made = e.DECIDED[item.action]
    assert issubclass(made, e.PaidDecision)
    steps.add(
        made(
            state.round_id,
            state.decision,
            item.target,
            item.player,
            item.amount_minor,
            item.reservation,
        )
    )
    return steps.follow()


def funds_refused(message: FundsRefused, state: Playing, context: Context) -> Decided:
    item = _pending(state, message.reservation)
    if item is None:
        return ()
    steps = Steps(state, context)
    reason = message.operator_reason or str(message.reason)
    steps.add(declined(state, item, reason))
    return steps.follow()


def declined(state: Playing, item: PendingFunds, reason: str) -> e.FundsDeclined:
    return e.FundsDeclined(
        round_id=state.round_id,
        reservation=item.reservation,
        player=item.player,
        currency=state.terms.currency,
        target=item.target,
        action=item.action,
        reason=reason,
    )


def cards_dealt(message: s.CardsDealt, state: Playing, context: Context) -> Decided:
    if state.awaiting != "cards" or message.request != state.requests:
        return ()
    cards = tuple(
        e.ReceivedCard(
            card.place,
            card.index,
            card.card,
            card.order,
            pitch.viewer_of(state, card.place),
        )
        for card in message.cards
    )
    steps = Steps(state, context)
    steps.add(
        e.CardsReceived(state.round_id, message.request, cards, message.cards_out)
    )
    return steps.follow()


def cut_card_reached(
    message: s.CutCardReached, state: Playing, context: Context
) -> Decided:
    del message, context
    return () if state.cut_card_reached else (e.CutCardSeen(state.round_id),)


def hole_looked(message: s.HoleLooked, state: Playing, context: Context) -> Decided:
    if state.awaiting != "look":
        return ()
    steps = Steps(state, context)
    steps.add(e.DealerChecked(state.round_id, message.natural))
    return steps.follow()


def hole_revealed(message: s.HoleRevealed, state: Playing, context: Context) -> Decided:
    if state.awaiting != "hole":
        return ()
    steps = Steps(state, context)
    steps.add(e.HoleCardTurned(state.round_id, message.card.card))
    return steps.follow()


def payouts_posted(message: PayoutsPosted, state: Playing, context: Context) -> Decided:
    paid = Unpaid(message.part, message.player)
    # A refund may overtake settlement's answer to the void: they are two logs.
    early = state.voiding == "asked" and message.part == state.parts
    if paid not in state.unpaid and not (early and paid not in state.refunded):
        return ()
    steps = Steps(state, context)
    steps.add(
        e.PayoutsReceived(state.round_id, message.part, message.player, net_of(message))
    )
    return steps.follow()


def net_of(message: PayoutsPosted) -> int:
    """What the house lost to the player, minus what it won: minor units."""
    net = 0
    for transfer in message.transfers:
        if transfer.debit.startswith("house:"):
            net += transfer.amount_minor
        elif transfer.credit.startswith("house:"):
            net -= transfer.amount_minor
    return net


def show_burned_card(
    command: t.ShowBurnedCard, state: Playing, context: Context
) -> Decided:
    """Any player may ask to see the card that was burned last (NY-5, LV-9)."""
    del command
    rules = state.game.rules
    is_dealt = state.requests > 0
    before = is_dealt and not state.terms.first_of_shoe and rules.burn_per_shuffle > 0
    if not rules.burn_shown or not (state.burned or before):
        return Rejected(TableReason.NO_BURNED_CARD, "", state.round_id)
    return (e.BurnedCardRequested(state.round_id, state.terms.shoe, context.actor.who),)


def deadline_passed(kind: str, state: Playing, context: Context) -> Decided:
    steps = Steps(state, context)
    if kind.startswith("funds:"):
        item = _pending(state, kind.removeprefix("funds:"))
        if item is None:
            return ()
        steps.add(declined(state, item, FUNDS_NOT_CONFIRMED))
        return steps.follow()
    if not state.offered or state.voiding:
        return ()
    if machine.insurance_open(state.game):
        if state.pending:
            return ()
        steps.add(e.InsuranceClosed(state.round_id))
        return steps.follow()
    return _default_decision(steps, state)


def _default_decision(steps: Steps, state: Playing) -> Decided:
    """Decide for a silent player as the rule set says, on record as ours."""
    default = machine.default_decision(state.game)
    assert default is not None, "a running clock waits for a decision"
    target, action = default
    made = e.DECIDED[action]
    owner = state.owners[box_of(target)]
    steps.add(made(state.round_id, state.decision, target, owner))
    return steps.follow()


def cancelled_by_void(state: Playing) -> tuple[Any, ...]:
    return tuple(declined(state, item, "round_voided") for item in state.pending)
