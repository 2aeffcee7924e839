"""A switch that was offered and that nobody asked for: no event says that it lapsed."""

from typing import Any

from contracts import round_events as e

_ANSWERS = (e.CardsSwitched, e.CardsReturned, e.CardsKept)
_AFTER_TURNS = (e.HoleRevealRequested, e.HoleCardTurned, e.RoundClosed)
_KEEPS = "keeps its cards: no switch was asked for"
_KEEPS_SWITCHED = "keeps its cards as they are now"


class Switches:
    """Follows a round's offers of a switch, box by box."""

    def __init__(self) -> None:
        self._open: set[str] = set()
        self._switched: set[str] = set()

    def lapsed(self, event: Any) -> list[str]:
        """Return what to say before an event of switches that are offered no more."""
        if isinstance(event, _ANSWERS):
            self._open.discard(event.target)
            self._switched |= {event.target}
            return []
        if isinstance(event, e.RoundVoided):
            self._open = set()
        if isinstance(event, e.DecisionOpened):
            return self._end_all_but(_offered(event))
        return self._end_all_but(set()) if _is_dealers(event) else []

    def _end_all_but(self, offered: set[str]) -> list[str]:
        gone, self._open = self._open - offered, offered
        return [self._words(box) for box in sorted(gone)]

    def _words(self, box: str) -> str:
        return f"Box {box} {_KEEPS_SWITCHED if box in self._switched else _KEEPS}"


def _offered(event: e.DecisionOpened) -> set[str]:
    return {
        offer.target
        for offer in event.offers
        if any(option.action in ("switch", "switch_back") for option in offer.options)
    }


def _is_dealers(event: Any) -> bool:
    """Tell when all turns are over."""
    if isinstance(event, e.CardsRequested):
        return set(event.places) == {"dealer"}
    return isinstance(event, _AFTER_TURNS)
