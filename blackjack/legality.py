"""Which steps are legal, why the others are not, and what a legal one costs (C-64).

One ladder per group, in the order of the reference; offers are read from the same
ladders, so that exactly what is offered is accepted.
"""

from blackjack import turns
from blackjack.cards import VALUES
from blackjack.play import hands_from_start, hands_max
from blackjack.reasons import StepReason
from blackjack.state import Box, Hand, Insurance, Offer, Option, Round

_ANSWERS = ("insure", "decline", "even_money")
_SWITCHES = ("switch", "keep", "switch_back")
_PLAYS = ("hit", "stand", "double", "split", "surrender")


def refusal(
    round_: Round, target: str, action: str, amount: int | None = None
) -> StepReason | None:
    """Return the first reason that applies, or `None`. Funds are not looked at."""
    if action in _PLAYS:
        return _play_refusal(round_, target, action, amount)
    if action in _SWITCHES:
        return _switch_refusal(round_, target, action)
    if action in _ANSWERS:
        return _answer_refusal(round_, target, action, amount)
    return StepReason.UNKNOWN_ACTION


def find_box(round_: Round, target: str) -> Box | None:
    for box in round_.boxes:
        if str(box.number) == target:
            return box
    return None


def find_hand(round_: Round, label: str) -> tuple[Box, Hand] | None:
    for box in round_.boxes:
        for hand in box.hands:
            if hand.label == label:
                return box, hand
    return None


def _answer_refusal(
    round_: Round, target: str, action: str, amount: int | None
) -> StepReason | None:
    rules = round_.rules
    per_box = rules.insurance_per_box and action != "even_money"
    found = find_box(round_, target) if per_box else find_hand(round_, target)
    if found is None:
        return StepReason.NO_SUCH_HAND
    if round_.stage == "over":
        return StepReason.ROUND_OVER
    item = _insurance_of(round_, target)
    if item is None:
        return StepReason.INSURANCE_NOT_OFFERED
    if round_.stage != "insurance":
        return StepReason.INSURANCE_CLOSED
    if item.answered:
        return StepReason.INSURANCE_ANSWERED
    if action == "even_money":
        return _even_money_refusal(round_, target)
    return _insure_refusal(round_, item, action, amount)


def _insurance_of(round_: Round, target: str) -> Insurance | None:
    """Return the offer that covers a hand: its starting hand's, or its box's (ON-12).

    A hand that came from a split was covered too, before there was a split.
    """
    places = 1 if round_.rules.insurance_per_box else 2
    covered = ".".join(target.split(".")[:places])
    for item in round_.insurances:
        if item.target == covered:
            return item
    return None


def _even_money_refusal(round_: Round, target: str) -> StepReason | None:
    if not round_.rules.even_money:
        return StepReason.EVEN_MONEY_NOT_ALLOWED
    found = find_hand(round_, target)
    if found is None or not found[1].natural:
        return StepReason.NOT_A_NATURAL
    return None


def _insure_refusal(
    round_: Round, item: Insurance, action: str, amount: int | None
) -> StepReason | None:
    if action == "decline" or amount is None:
        return None
    if not _is_amount(amount):
        return StepReason.INVALID_AMOUNT
    if round_.rules.insurance_per_box and amount != item.most_minor:
        return StepReason.INSURANCE_AMOUNT_FIXED
    if amount > item.most_minor:
        return StepReason.AMOUNT_ABOVE_MAXIMUM
    return None


def _is_amount(amount: object) -> bool:
    return type(amount) is int and amount >= 1


def _switch_refusal(round_: Round, target: str, action: str) -> StepReason | None:
    box = find_box(round_, target)
    if box is None:
        return StepReason.NO_SUCH_HAND
    return _box_refusal(round_, box, action)


def _box_refusal(round_: Round, box: Box, action: str) -> StepReason | None:
    if round_.stage == "over":
        return StepReason.ROUND_OVER
    switch = round_.rules.switch
    if switch is None:
        return StepReason.SWITCH_NOT_ALLOWED
    if action == "switch_back" and switch.back == "no":
        return StepReason.SWITCH_BACK_NOT_ALLOWED
    if not _window_has_opened(round_, box):
        return StepReason.NOT_YOUR_TURN
    if action == "switch_back":
        return _switch_back_refusal(round_, box)
    if round_.stage != "play" or not box.window:
        return StepReason.SWITCH_CLOSED
    if action == "switch" and box.used and not switch.unlimited:
        return StepReason.SWITCH_USED
    return None


def _window_has_opened(round_: Round, box: Box) -> bool:
    """The window opens for all after the look, or with the box's turn (C-30)."""
    if round_.stage in ("deal", "insurance", "look"):
        return False
    assert round_.rules.switch is not None
    if round_.rules.switch.window == "all":
        return True
    return round_.stage != "play" or box.number <= _box_in_turn(round_)


def _box_in_turn(round_: Round) -> int:
    label = round_.due or (round_.wanted[0] if round_.wanted else "0")
    return int(label.partition(".")[0])


def _switch_back_refusal(round_: Round, box: Box) -> StepReason | None:
    assert round_.rules.switch is not None
    until_card = round_.rules.switch.back == "until_card"
    past = box.fixed if until_card else not box.window
    if past or round_.stage != "play":
        return StepReason.SWITCH_CLOSED
    if not box.exchanged:
        return StepReason.NOT_SWITCHED
    return None


def _play_refusal(
    round_: Round, target: str, action: str, amount: int | None
) -> StepReason | None:
    found = find_hand(round_, target)
    if found is None:
        return StepReason.NO_SUCH_HAND
    if round_.stage == "over":
        return StepReason.ROUND_OVER
    box, hand = found
    if turns.is_finished(round_.rules, box, hand):
        return StepReason.HAND_CLOSED
    reason = _never_refusal(round_, hand, action)
    if reason is not None:
        return reason
    if round_.stage != "play" or round_.due != target:
        return StepReason.NOT_YOUR_TURN
    return _cards_refusal(round_, box, hand, action) or (
        _double_refusal(round_, hand, amount) if action == "double" else None
    )


def _never_refusal(round_: Round, hand: Hand, action: str) -> StepReason | None:
    """Return why a hand is never offered an action, whoever's turn it is."""
    rules = round_.rules
    if action == "surrender" and not rules.surrender:
        return StepReason.SURRENDER_NOT_ALLOWED
    if hand.natural and (not rules.natural_playable or action == "surrender"):
        return StepReason.NOT_ON_A_NATURAL
    return None


def _cards_refusal(
    round_: Round, box: Box, hand: Hand, action: str
) -> StepReason | None:
    if action == "stand":
        return None
    if action == "surrender" and hand.split:
        return StepReason.SURRENDER_AFTER_SPLIT
    is_split_ace = hand.split and hand.cards[0][0] == "A" and len(hand.cards) == 2
    if is_split_ace and action in ("hit", "double"):
        return StepReason.SPLIT_ACE
    if action == "hit":
        is_21 = hand.total == 21 and not round_.rules.hit_21
        return StepReason.TOTAL_IS_21 if is_21 else None
    if len(hand.cards) > 2:
        return StepReason.NOT_FIRST_TWO_CARDS
    if action != "split":
        return None
    if VALUES[hand.cards[0]] != VALUES[hand.cards[1]]:
        return StepReason.NOT_A_PAIR
    if hands_from_start(box.hands, hand) >= hands_max(round_.rules, hand):
        return StepReason.SPLIT_LIMIT
    return None


def _double_refusal(round_: Round, hand: Hand, amount: int | None) -> StepReason | None:
    if amount is None:
        return None
    if not _is_amount(amount):
        return StepReason.INVALID_AMOUNT
    circles = len(hand.wagers) > 1
    if not circles and amount > hand.wagers[0]:
        return StepReason.AMOUNT_ABOVE_MAXIMUM
    # In multiple action an amount can't say on which circles it lies (MA-15).
    less = circles or amount < hand.wagers[0]
    if less and not round_.rules.double_for_less:
        return StepReason.DOUBLE_FOR_LESS_NOT_ALLOWED
    return None


def cost(round_: Round, target: str, action: str, amount: int | None = None) -> int:
    """Return what a legal step adds to the player's stakes, minor units."""
    if action == "insure":
        item = _insurance_of(round_, target)
        assert item is not None, "a legal answer has its offer"
        return amount or item.most_minor
    if action not in ("double", "split"):
        return 0
    found = find_hand(round_, target)
    assert found is not None, "a legal step has its hand"
    if action == "double" and amount is not None:
        return amount
    return sum(found[1].wagers[round_.first_circle :])


def offers(round_: Round) -> tuple[Offer, ...]:
    """Return all that may be decided now, what is due first.

    While a hand waits for its card the switches of other boxes stay open.
    """
    if round_.stage == "insurance":
        return tuple(
            _insurance_offer(round_, item)
            for item in round_.insurances
            if not item.answered
        )
    if round_.stage != "play":
        return ()
    found: list[Offer] = []
    if "." in round_.due:
        found.append(_hand_offer(round_, round_.due))
    if round_.rules.switch is not None:
        found += _switch_offers(round_)
        found.sort(key=_due_first)
    return tuple(found)


def _due_first(offer: Offer) -> bool:
    return not offer.due


def _hand_offer(round_: Round, label: str) -> Offer:
    """Offer a hand whose turn it is all that its ladder does not refuse."""
    found = find_hand(round_, label)
    assert found is not None, "a hand that is due lies on the table"
    box, hand = found
    options = tuple(
        _option(round_, label, action)
        for action in _PLAYS
        if _never_refusal(round_, hand, action) is None
        and _cards_refusal(round_, box, hand, action) is None
    )
    return Offer(label, box.number, options, due=True)


def _switch_offers(round_: Round) -> list[Offer]:
    found = []
    for box in round_.boxes:
        options = tuple(
            Option(action)
            for action in _SWITCHES
            if _box_refusal(round_, box, action) is None
        )
        if options:
            label = str(box.number)
            found.append(Offer(label, box.number, options, round_.due == label))
    return found


def _insurance_offer(round_: Round, item: Insurance) -> Offer:
    least = item.most_minor if round_.rules.insurance_per_box else 1
    options = [Option("insure", least, item.most_minor), Option("decline")]
    if refusal(round_, item.target, "even_money") is None:
        options.append(Option("even_money"))
    return Offer(item.target, item.box, tuple(options), due=True)


def _option(round_: Round, target: str, action: str) -> Option:
    most = cost(round_, target, action)
    less = action == "double" and round_.rules.double_for_less
    return Option(action, 1 if less else most, most)
