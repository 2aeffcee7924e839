"""What came out of a round script, beside what it expected."""

from typing import Any

import msgspec

from blackjack import machine
from blackjack.script import RoundScript, ScriptError
from push22.script_runner import Played, StepRefused


class Failure(msgspec.Struct, frozen=True):
    """One expectation that does not hold."""

    label: str
    expected: Any
    got: Any

    def text(self) -> str:
        return f"{self.label}: expected {self.expected}, got {self.got}"


class Outcome(msgspec.Struct):
    """One file's outcome, every key known whether it was expected or not."""

    file: str
    ok: bool
    failures: list[str]
    dealer: str
    net: dict[str, int]
    outcome: dict[str, str]
    balance: dict[str, int]
    cards_used: int
    pending: str | None
    bets_refused: dict[str, str]
    refused: list[dict[str, str]]
    hands: dict[str, str]


def outcome_of(file: str, script: RoundScript, played: Played) -> Outcome:
    """Compare. Raises ScriptError where the script itself can't stand."""
    _check_soundness(script, played)
    game = played.game
    found = Outcome(
        file=file,
        ok=True,
        failures=[],
        dealer=" ".join(game.dealer) if game else "",
        net={x.label: x.payout_minor - x.stake_minor for x in played.lines.values()},
        outcome={x.label: x.result for x in played.lines.values()},
        balance=played.balances_minor,
        cards_used=game.cards_used if game else 0,
        pending=played.pending,
        bets_refused=played.bets_refused,
        refused=[{"step": r.step, "reason": r.reason} for r in played.refused],
        hands=_hands(game),
    )
    failures = _refusals(script, played) + _differences(script.expect, found)
    found.failures = [failure.text() for failure in failures]
    found.ok = not failures
    return found


def _hands(game: machine.Round | None) -> dict[str, str]:
    if game is None:
        return {}
    return {hand.label: " ".join(hand.cards) for hand in machine.hands(game)}


def _check_soundness(script: RoundScript, played: Played) -> None:
    game = played.game
    if game and game.cards_used > len(script.cards):
        raise ScriptError(
            "cards", f"too few: {len(script.cards)} given, {game.cards_used} needed"
        )
    wrong = played.refused_in_error
    if wrong is not None:
        _check_bet_of(wrong, script, played)
        raise ScriptError("play", f"{wrong.step!r} was refused: {wrong.reason}")
    if played.accepted_in_spite:
        return
    if played.pending and "pending" not in script.expect:
        raise ScriptError(
            "play", f"ends while {played.pending} is due, and expect names no pending"
        )


def _check_bet_of(step: StepRefused, script: RoundScript, played: Played) -> None:
    """Name the refused bet rather than the step: without cards no step can count."""
    box = step.step.split()[0].partition(".")[0]
    reason = played.bets_refused.get(box, "")
    if reason and box not in script.expect.get("bets_refused", {}):
        raise ScriptError(f"[[box]] {box}", f"refused: {reason}")


def _refusals(script: RoundScript, played: Played) -> list[Failure]:
    """A step that must be refused was accepted, or refused for another reason."""
    if played.accepted_in_spite:
        return [Failure(played.accepted_in_spite, "refused", "accepted")]
    wanted = {step.text: step.reason for step in script.steps if step.must_refuse}
    return [
        Failure(item.step, wanted[item.step], item.reason)
        for item in played.refused
        if wanted.get(item.step, "") not in ("", item.reason)
    ]


def _differences(expect: dict[str, Any], found: Outcome) -> list[Failure]:
    failures: list[Failure] = []
    for key, wanted in expect.items():
        got = getattr(found, key)
        if not isinstance(wanted, dict):
            if got != wanted:
                failures.append(Failure(key, wanted, got))
            continue
        failures.extend(
            Failure(f"{key}.{label}", value, got.get(label, "nothing"))
            for label, value in wanted.items()
            if not _holds(value, got.get(label))
        )
    return failures


def _holds(wanted: Any, got: Any) -> bool:
    if wanted == "*":
        return got is not None
    return bool(wanted == got)
