"""What one player may see of a round's events (LV-13); services read them whole.

The shoe's own `cards_dealt` names no viewer: of a round whose cards lie face down it
may be shown to nobody before `HandShown`.
"""

from typing import Any

from msgspec.structs import replace

from contracts import round_events as e


def seen_by(event: Any, player: str) -> Any:
    """Return the event without what only somebody else may see."""

    def is_hidden(viewer: str) -> bool:
        return viewer not in ("", player)

    match event:
        case e.CardsReceived():
            cards = tuple(
                replace(card, card="") if is_hidden(card.seen_by) else card
                for card in event.cards
            )
            return replace(event, cards=cards)
        case e.DecisionOpened():
            offers = tuple(
                replace(offer, options=())
                if is_hidden(event.seen_by.get(offer.target, ""))
                else offer
                for offer in event.offers
            )
            return replace(event, offers=offers)
        case e.SettlementDue():
            dues = tuple(
                replace(item, due=replace(item.due, cards=()))
                if is_hidden(item.seen_by)
                else item
                for item in event.dues
            )
            return replace(event, dues=dues)
    return event
