"""What a player of a load test does next: basic strategy, within the player's mood."""

from msgspec.structs import replace

from push22.client import Act, Round, Table
from push22.client.views import Offer
from push22.load.schedule import Mood
from push22.seen_strategy import next_act


def next_move(view: Table, own: frozenset[int], mood: Mood) -> Act | None:
    """Return the decision to send, if one of the own boxes is waited for."""
    shown = view.round
    if shown is None or shown.decision is None or not is_awaited(shown, own):
        return None
    wished = _wished(shown, own, mood)
    if wished is not None:
        return wished
    offers = tuple(_without(offer, mood) for offer in shown.decision.offers)
    rest = replace(shown.decision, offers=offers)
    return next_act(replace(view, round=replace(shown, decision=rest)), own)


def is_awaited(shown: Round, own: frozenset[int]) -> bool:
    """Tell whether the round waits for one of these boxes, and not for its money."""
    if any(int(each.target.partition(".")[0]) in own for each in shown.waiting):
        return False
    offers = shown.decision.offers if shown.decision else ()
    return any(offer.due and offer.box in own for offer in offers)


def _wished(shown: Round, own: frozenset[int], mood: Mood) -> Act | None:
    """What is taken because the player is in the mood for it, if it is on offer."""
    wishes = {"insure": mood.insures, "split": mood.splits, "switch": mood.switches}
    for offer in shown.decision.offers if shown.decision else ():
        if offer.box not in own or _is_switched(shown, offer):
            continue
        for action in sorted(offer.actions):
            is_now = offer.due or action == "switch"
            if is_now and wishes.get(action, False):
                version = shown.version
                return Act(
                    shown.round_id, action, offer.target, expected_version=version
                )
    return None


def _is_switched(shown: Round, offer: Offer) -> bool:
    """A switch may be taken back as long as it is offered: once is enough."""
    box = next((box for box in shown.boxes if box.box == offer.box), None)
    is_of_box = "switch" in offer.actions
    return is_of_box and box is not None and any(hand.switched for hand in box.hands)


def _without(offer: Offer, mood: Mood) -> Offer:
    """Leave out what the player is not in the mood for, so strategy plays the rest."""
    out = {"switch"} | ({"split"} if not mood.splits else set())
    options = tuple(option for option in offer.options if option.action not in out)
    return replace(offer, options=options)
