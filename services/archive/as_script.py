"""A recorded round as a round script (V12): cards, wagers, decisions, results.

`push22 script` plays it again at a table of its own. What was refused changed nothing
and is left out; a decision that the clock made is written like any other.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from blackjack import machine
from blackjack.cards import CODES
from blackjack.rule_sets import RuleSet, rule_set
from contracts import round_events as e
from contracts import settlement as st
from contracts.table_events import RoundTerms
from services.archive.rebuild import Step, balances_before

_HIDDEN = "any card that makes no natural stands for the hole card, which nobody saw"
_FUNDS_MINOR = 10_000_000


def as_script(steps: tuple[Step, ...]) -> str:
    """Return the script of a round; an empty text where no card was dealt."""
    opened = next((s.event for s in steps if isinstance(s.event, e.RoundOpened)), None)
    dealt = [s.state for s in steps if hasattr(s.state, "game")]
    if opened is None or not dealt:
        return ""
    return _Script(steps, opened.terms, dealt[-1].game).text()


class _Script:
    """Writes one script. `game` is the round as it stood last."""

    def __init__(
        self, steps: tuple[Step, ...], terms: RoundTerms, game: machine.Round
    ) -> None:
        self._steps = steps
        self._terms = terms
        self._game = game
        self._rules = rule_set(terms.rule_set, terms.options)
        betting = [s.state for s in steps if hasattr(s.state, "bets")]
        self._bets = sorted(betting[-1].bets, key=lambda bet: bet.box)
        self._names = _names(bet.player for bet in self._bets)

    def text(self) -> str:
        return "\n".join([*self._head(), "", *self._boxes(), *self._expected(), ""])

    def _head(self) -> Iterator[str]:
        terms = self._terms
        cards, is_hidden = self._cards()
        yield f"title = {_toml(f'{self._steps[0].record.round_id}, as recorded')}"
        yield f"rules = {_toml(terms.rule_set)}"
        if terms.options:
            yield f"options = {_toml(terms.options)}"
        if is_hidden:
            yield f"# {_HIDDEN}"
        yield f"cards = {_toml(' '.join(cards))}"
        yield f"limits = {_toml(self._limits())}"
        yield "play = ["
        for move in self._moves():
            yield f"  {_toml(move)},"
        yield "]"

    def _limits(self) -> dict[str, int]:
        """Give the table's limits, wide enough for who had others of their own."""
        limits, entry = self._terms.limits, self._terms.entry
        return {
            "min": min([limits.min_minor, *entry.minimums_minor.values()]),
            "max": max([limits.max_minor, *entry.maximums_minor.values()]),
            "side_min": limits.side_min_minor,
        }

    def _cards(self) -> tuple[list[str], bool]:
        """Return the cards as they left the shoe, and whether one was never seen."""
        events = [step.event for step in self._steps]
        turned = next((x.card for x in events if isinstance(x, e.HoleCardTurned)), "")
        cards = [
            card.card or (turned if card.place == "hole" else "")
            for event in events
            if isinstance(event, e.CardsReceived)
            for card in event.cards
        ]
        if "" not in cards:
            return cards, False
        return [card or _stand_in(cards, self._rules) for card in cards], True

    def _moves(self) -> Iterator[str]:
        for step in self._steps:
            event = step.event
            if step.foreign or not isinstance(event, e.Decision):
                continue
            action = e.ACTION_OF[type(event)]
            yield f"{event.target} {action}{self._amount(event)}"

    def _amount(self, event: e.Decision) -> str:
        """Name the amount where another one might have been chosen."""
        match event:
            case e.HandDoubled() if self._rules.double_for_less:
                return f" {event.amount_minor}"
            case e.HandInsured():
                return f" {event.amount_minor}"
        return ""

    def _boxes(self) -> Iterator[str]:
        funds = self._funds()
        for bet in self._bets:
            wagers = bet.wagers_minor
            is_one = len({*wagers}) == 1 and len(wagers) == self._rules.wagers_max
            yield "[[box]]"
            yield f"box = {bet.box}"
            yield f"player = {_toml(self._names[bet.player])}"
            yield f"balance = {funds[bet.player]}"
            yield f"wager = {wagers[0] if is_one else _toml(list(wagers))}"
            for name, amount in bet.side_wagers_minor.items():
                yield f"{name} = {amount}"
            yield ""

    def _funds(self) -> dict[str, int]:
        """Give each player what was there before; more, where that came in between."""
        before = balances_before(self._steps)
        staked: Counter[str] = Counter()
        for bet in self._bets:
            staked[bet.player] += sum(bet.wagers_minor)
            staked[bet.player] += sum(bet.side_wagers_minor.values())
        for step in self._steps:
            if isinstance(step.event, e.PaidDecision):
                staked[step.event.player] += step.event.amount_minor
        return {
            player: before[player]
            if before.get(player, 0) >= amount
            else max(_FUNDS_MINOR, amount)
            for player, amount in staked.items()
        }

    def _expected(self) -> Iterator[str]:
        lines = {
            item.line.label: item.line
            for step in self._steps
            if isinstance(step.event, st.WagersSettled)
            for item in step.event.lines
        }
        nets = {label: x.payout_minor - x.stake_minor for label, x in lines.items()}
        yield "[expect]"
        yield f"dealer = {_toml(' '.join(self._game.dealer))}"
        yield f"net = {_toml(nets)}"
        yield f"outcome = {_toml({label: x.result for label, x in lines.items()})}"
        yield f"cards_used = {self._game.cards_used}"
        pending = machine.pending(self._game)
        if pending is not None:
            yield f"pending = {_toml(pending)}"


def _names(players: Iterable[str]) -> dict[str, str]:
    """Name players without their operator where that is clear enough."""
    found = tuple(dict.fromkeys(players))
    short = Counter(player.partition(".")[2] for player in found)
    return {
        player: player.partition(".")[2]
        if short[player.partition(".")[2]] == 1
        else player.replace(".", "_")
        for player in found
    }


def _stand_in(cards: list[str], rules: RuleSet) -> str:
    """Return a low card that the shoe still holds: it makes nobody's natural."""
    used = Counter(cards)
    return next(card for card in sorted(CODES) if used[card] < rules.decks)


def _toml(value: Any) -> str:
    match value:
        case dict():
            pairs = (f"{_toml(key)} = {_toml(item)}" for key, item in value.items())
            return f"{{ {', '.join(pairs)} }}" if value else "{}"
        case list() | tuple():
            return f"[{', '.join(_toml(item) for item in value)}]"
    return json.dumps(value)
