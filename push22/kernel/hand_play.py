"""A starting hand with all that is split from it, in the order of C-44."""

from push22.kernel.compiled import compiled
from push22.kernel.draws import FLAGS, HANDS, OPEN, STAKED, UP, Work, draw
from push22.kernel.game import (
    BUST,
    DOUBLE,
    HARDS,
    HIT,
    NATURAL,
    PAIRS,
    SPLIT,
    SPLIT_LAST,
    SPLIT_MORE,
    START,
    SURRENDER,
    SURRENDERED,
    TWO_CARD_21,
    TWOS,
    UPS,
    Game,
)

LIVE, NATURAL_WAITS, SURRENDER_WAITS = 1, 2, 4
"""What there is: a hand that needs the dealer's total (C-51), or one that turns on a
dealer's natural alone (C-54)."""


@compiled
def finish(work: Work, code: int, units: int, at_risk: int) -> None:
    """Note a finished hand: its code, its stake, and what a dealer's natural takes."""
    run = work.run
    place = 3 * run[HANDS]
    work.hands[place] = code
    work.hands[place + 1] = units
    work.hands[place + 2] = at_risk
    run[HANDS] += 1


@compiled
def finish_alone(game: Game, work: Work, code: int) -> None:
    """Finish a natural, or a hand that is surrendered or closed by even money."""
    rules, run = game.rules, work.run
    if code == NATURAL and not rules.naturals_paid_in_turn:
        run[FLAGS] |= NATURAL_WAITS
    if code == SURRENDERED and rules.surrender_waits:
        run[FLAGS] |= SURRENDER_WAITS
    finish(work, code, 1, 1)


@compiled
def play_start(game: Game, work: Work, first: int, second: int) -> None:
    """Play a starting hand; all hands split from it begin with the same value."""
    rules, run = game.rules, work.run
    count = 1
    waiting = 0
    kind = START
    is_original = 1
    most = rules.ace_hands_max if first == 1 else rules.hands_max
    while True:
        place = kind * TWOS + first * PAIRS + second * UPS + run[UP]
        letter = game.tables.letters[place]
        if letter == SPLIT:
            count += 1
            waiting += 1
            run[STAKED] += run[OPEN]
        else:
            play_hand(game, work, (first, second, letter, is_original))
            if waiting == 0:
                return
            waiting -= 1
            is_original = 0
        second = draw(work)
        kind = SPLIT_MORE if count < most else SPLIT_LAST


@compiled
def play_hand(game: Game, work: Work, hand: tuple[int, int, int, int]) -> None:
    """Play two cards that are not split, by the letter that is due, to their end."""
    first, second, letter, is_original = hand
    if letter == SURRENDER:
        finish_alone(game, work, SURRENDERED)
        return
    run, hits = work.run, game.tables.hits
    hard = first + second
    ace = HARDS if first == 1 or second == 1 else 0
    two_cards = True
    units = 1
    if letter in (DOUBLE, HIT):
        two_cards = False
        card = draw(work)
        hard += card
        if card == 1:
            ace = HARDS
    if letter == DOUBLE:
        units = 2
        run[STAKED] += run[OPEN]
    elif letter == HIT:
        while hits[(ace + hard) * UPS + run[UP]]:
            card = draw(work)
            hard += card
            if card == 1:
                ace = HARDS
    risk = units if game.rules.natural_takes_added else is_original
    if hard > 21:
        finish(work, BUST, units, units)
        return
    code = hard + 10 if ace and hard <= 11 else hard
    if two_cards and code == 21:
        code = TWO_CARD_21
    run[FLAGS] |= LIVE
    finish(work, code, units, risk)
