"""A round's events for people who were not there: what each one says, or nothing.

Steps between services are left out; they stand in the timeline for engineers.
"""

import re
from collections.abc import Callable
from typing import Any

from contracts import round_events as e
from contracts import table_events as te
from contracts import wallet as w
from push22.inspect.money import money
from push22.inspect.wording import words_of

_RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}
_SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
_CARD = re.compile(r"(?<![\w-])[A2-9TJQK][cdhs]\b")

LEFT_OUT = (
    e.CardsRequested,
    e.HoleLookRequested,
    e.HoleRevealRequested,
    e.BurnedCardRequested,
    e.PayoutsReceived,
    e.RefundsAwaited,
    e.SettlementDue,
    te.RoundCalled,
    te.RoundRecorded,
)


def card_words(card: str) -> str:
    """Name a card: `Ts` is the 10 of spades."""
    rank = _RANKS.get(card[0], card[0])
    return f"{rank} of {_SUITS[card[1]]}"


def place_words(place: str) -> str:
    """Name where a card or wager lies: `1.2.insurance` is box 1, hand 2, insurance.

    After a split the hands of hand 2 are 2.1 and 2.2.
    """
    if place == "hole":
        return "dealer, face down"
    box, *rest = place.split(".")
    if not box.isdigit():
        return place.replace("_", " ")
    hand = ".".join(part for part in rest if part.isdigit())
    names = [part.replace("_", " ") for part in rest if not part.isdigit()]
    return ", ".join([f"box {box}", *([f"hand {hand}"] if hand else []), *names])


def plain_words(event: Any) -> str:
    """Say in a sentence what happened; empty for what only services care about."""
    if isinstance(event, LEFT_OUT):
        return ""
    say = _SAID.get(type(event))
    text = say(event) if say is not None else words_of(event)
    text = _CARD.sub(lambda match: card_words(match[0]), text)
    return text[:1].upper() + text[1:]


def _received(event: e.CardsReceived) -> str:
    cards = (
        f"{place_words(item.place)}: {item.card}" if item.card else "a card face down"
        for item in event.cards
    )
    return f"Cards: {'; '.join(cards)}"


def _offered(event: e.DecisionOpened) -> str:
    if event.kind in ("betting", "seeds") or not event.offers:
        return words_of(event)
    offers = (
        f"{place_words(offer.target)} may "
        + ", ".join(str(option.action).replace("_", " ") for option in offer.options)
        for offer in event.offers
    )
    return f"open: {'; '.join(offers)}"


def _posted(event: w.PayoutsPosted) -> str:
    back = sum(
        move.amount_minor
        for move in event.transfers
        if move.credit.startswith("player:")
    )
    balance = money(event.balance_minor)
    return f"paid back {money(back)} to {event.player}, balance {balance}"


def _asked(event: e.FundsRequested) -> str:
    what = f"{event.action.replace('_', ' ')} for {money(event.amount_minor)}"
    stands = "the stake is asked for, the clock stands still"
    return f"{place_words(event.target)}: {what}; {stands}"


def _declined(event: e.FundsDeclined) -> str:
    what, why = (text.replace("_", " ") for text in (event.action, event.reason))
    return f"{place_words(event.target)}: {what} not done: {why}"


def _refused(event: te.CommandRefused) -> str:
    command = event.command.partition(".")[2].rpartition(".")[0].replace("_", " ")
    place = f" on {place_words(event.target)}" if event.target else ""
    return f"REFUSED: {command}{place}: {event.reason.replace('_', ' ')}"


def _decided(event: e.Decision) -> str:
    target, _, rest = words_of(event).partition(" ")
    return f"{place_words(target)} {rest}"


def _blackjack(natural: bool) -> str:  # noqa: FBT001 - one fact
    return "blackjack" if natural else "no blackjack"


_SAID: dict[type, Callable[[Any], str]] = {
    e.CardsReceived: _received,
    e.DecisionOpened: _offered,
    e.HoleCardTurned: lambda x: f"the dealer's face-down card is the {x.card}",
    e.DealerChecked: lambda x: f"the dealer looks: {_blackjack(x.natural)}",
    e.FundsRequested: _asked,
    e.FundsDeclined: _declined,
    te.CommandRefused: _refused,
    w.PayoutsPosted: _posted,
    **dict.fromkeys(e.ACTION_OF, _decided),
}
