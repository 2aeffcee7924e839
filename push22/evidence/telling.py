"""What the tables of a report say: timeline, settlement and balances in words."""

from collections.abc import Iterator

from blackjack.rule_sets import rule_set
from blackjack.settlement import Line
from contracts import round_events as e
from contracts import settlement as st
from contracts.envelope import Micros
from push22.evidence.gather import Gathered
from push22.evidence.lapsed import Switches
from push22.evidence.plain_words import card_words, place_words, plain_words
from push22.inspect.money import moment, money
from push22.inspect.wording import actor_of
from services.archive.rebuild import HandView, Step, view_of
from services.gateway.desk.clause_texts import clause_texts

Cells = list[str]


def clock_of(at: Micros) -> str:
    """Show a time of day, UTC, to the millisecond."""
    return f"{moment(at)[11:]}.{at // 1000 % 1000:03}"


def happened(found: Gathered) -> Iterator[Cells]:
    """Return time, who and what of each event that people care about."""
    before: dict[str, HandView] = {}
    switches = Switches()
    for step in found.steps:
        if step.foreign and step.record.service != "wallet":
            continue
        for lapsed in switches.lapsed(step.event):
            yield [clock_of(step.record.recorded_at), "table", lapsed]
        hands = before if step.foreign else _hands(step) or before
        text = plain_words(step.event)
        if text:
            who = "wallet" if step.foreign else actor_of(step.record, step.event)
            changed = [h for name, h in hands.items() if before.get(name) != h]
            text += _now(step, changed)
            hide, at = found.eyes.hide, clock_of(step.record.recorded_at)
            yield [at, hide(who), hide(text)]
        before = hands


def _hands(step: Step) -> dict[str, HandView]:
    view = view_of(step.state, step.sequence, {})
    hands = (hand for box in view.boxes for hand in box.hands if hand.cards)
    return {hand.label: hand for hand in hands}


def _now(step: Step, changed: list[HandView]) -> str:
    """Say how changed hands stand: after a deal their totals, else their cards too."""
    if not changed:
        return ""
    if isinstance(step.event, e.CardsReceived):
        return f" ({'; '.join(_total(hand) for hand in changed)})"
    if isinstance(step.event, e.CardsSwitched | e.CardsReturned | e.HandSplit):
        return f" ({'; '.join(_cards(hand) for hand in changed)})"
    return ""


def total_words(hand: HandView) -> str:
    if hand.natural:
        return "blackjack"
    return f"soft {hand.total}" if hand.soft else str(hand.total)


def _total(hand: HandView) -> str:
    return f"{place_words(hand.label)} now has {total_words(hand)}"


def _cards(hand: HandView) -> str:
    cards = ", ".join(map(card_words, hand.cards))
    return f"{place_words(hand.label)} now has {cards}: {total_words(hand)}"


def settled(found: Gathered) -> Iterator[Cells]:
    """Return a row for each wager: what was staked, what came back, and why."""
    texts = clause_texts(rule_set(found.terms.rule_set, found.terms.options))
    for event in found.of(st.WagersSettled):
        for item in event.lines:
            line = item.line
            why = [f"{clause}: {texts[clause]}" for clause in line.clauses]
            yield [
                place_words(line.label),
                item.player,
                line.result.replace("_", " "),
                money(line.stake_minor),
                money(line.payout_minor),
                money(line.payout_minor - line.stake_minor, signed=True),
                " ".join(why),
            ]
    for event in found.of(st.RoundVoidSettled):
        for back in event.refunds:
            amount = money(back.stake_minor)
            lost = money(back.lost_minor, signed=True)
            reason = "The round was voided: the stake comes back."
            place = place_words(back.label)
            yield [place, back.player, "void", amount, amount, lost, reason]


def results(found: Gathered) -> dict[str, str]:
    """Return what became of each wager, by its label."""
    return {
        item.line.label: _result(item.line)
        for event in found.of(st.WagersSettled)
        for item in event.lines
    } | {
        back.label: f"void, {money(back.stake_minor)} back"
        for event in found.of(st.RoundVoidSettled)
        for back in event.refunds
    }


def _result(line: Line) -> str:
    net = money(line.payout_minor - line.stake_minor, signed=True)
    return f"{line.result.replace('_', ' ')}, {net}"
