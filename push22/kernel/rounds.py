"""One round of one box, from the first card to the net."""

from push22.kernel.compiled import compiled
from push22.kernel.dealer_play import is_natural, play_dealer_rounds, settle
from push22.kernel.draws import (
    FLAGS,
    HANDS,
    NATURALS,
    OPEN,
    STAKED,
    SWITCHES,
    UP,
    Work,
    draw,
)
from push22.kernel.game import (
    DEALER_NATURAL,
    EVEN_MONEY,
    NATURAL,
    PAIRS,
    TWOS,
    UPS,
    Game,
)
from push22.kernel.hand_play import finish, finish_alone, play_start

Start = tuple[int, int, int, int]
"""The starting cards of a box: two of its first hand, two of its second or 0, 0."""


@compiled
def play_round(game: Game, work: Work) -> int:
    """Play a round from the shoe's next card; return its net."""
    rules, run, counts = game.rules, work.run, work.counts
    run[HANDS] = 0
    run[FLAGS] = 0
    run[OPEN] = rules.circles
    run[STAKED] = rules.circles * rules.hands_per_box
    start, hole = deal(game, work)
    up = run[UP]
    counts[NATURALS] += is_natural(start[0], start[1]) + is_natural(start[2], start[3])
    paid = 0
    if up == 1 and rules.takes_even_money:
        paid = pay_even_money(game, work, start)
    net = 0
    if rules.looks and up in (1, 10) and is_natural(up, hole):
        counts[DEALER_NATURAL] += 1
        net = settle_at_once(game, work, start, paid)
        if rules.natural_settles_all:
            return net
        run[HANDS] = 0
        run[OPEN] -= 1
    if rules.may_switch and not paid and switches(game, start, up):
        counts[SWITCHES] += 1
        play_switched(game, work, start)
    else:
        play_box(game, work, start, paid)
    return net + play_dealer_rounds(game, work, hole)


@compiled
def deal(game: Game, work: Work) -> tuple[Start, int]:
    """Deal in the rule set's order (C-13); return the box's cards and the hole card."""
    rules = game.rules
    two_hands = rules.hands_per_box == 2
    a = draw(work)
    c = draw(work) if two_hands else 0
    up = draw(work)
    b = draw(work)
    d = draw(work) if two_hands else 0
    hole = draw(work) if rules.has_hole_card else 0
    if rules.up_comes_last:
        up, hole = hole, up
    work.run[UP] = up
    return (a, b, c, d), hole


@compiled
def pay_even_money(game: Game, work: Work, start: Start) -> int:
    """Close the naturals (LV-22); return 1 for the first hand, 2 for the second."""
    paid = 0
    if is_natural(start[0], start[1]):
        finish_alone(game, work, EVEN_MONEY)
        paid += 1
    if is_natural(start[2], start[3]):
        finish_alone(game, work, EVEN_MONEY)
        paid += 2
    return paid


@compiled
def settle_at_once(game: Game, work: Work, start: Start, paid: int) -> int:
    """Settle against a natural found by the look, on all circles or the first."""
    a, b, c, d = start
    if not paid & 1:
        finish(work, NATURAL if is_natural(a, b) else a + b, 1, 1)
    if game.rules.hands_per_box == 2 and not paid & 2:
        finish(work, NATURAL if is_natural(c, d) else c + d, 1, 1)
    net = settle(game, work, DEALER_NATURAL)
    return net * game.rules.circles if game.rules.natural_settles_all else net


@compiled
def switches(game: Game, start: Start, up: int) -> bool:
    """Tell whether the crossed cards are worth more; a tie keeps them."""
    a, b, c, d = start
    worth = game.tables.worth
    now = (
        worth[TWOS + a * PAIRS + b * UPS + up] + worth[TWOS + c * PAIRS + d * UPS + up]
    )
    crossed = TWOS if game.rules.switch_makes_naturals else 0
    then = worth[crossed + a * PAIRS + d * UPS + up]
    then += worth[crossed + c * PAIRS + b * UPS + up]
    return bool(then > now)


@compiled
def play_switched(game: Game, work: Work, start: Start) -> None:
    a, b, c, d = start
    counts = work.counts
    counts[NATURALS] -= is_natural(a, b) + is_natural(c, d)
    if game.rules.switch_makes_naturals:
        counts[NATURALS] += is_natural(a, d) + is_natural(c, b)
        play_box(game, work, (a, d, c, b), 0)
        return
    play_start(game, work, a, d)
    play_start(game, work, c, b)


@compiled
def play_box(game: Game, work: Work, start: Start, paid: int) -> None:
    """Play the hands in label order; here an ace and a ten are a natural."""
    a, b, c, d = start
    if is_natural(a, b):
        if not paid & 1:
            finish_alone(game, work, NATURAL)
    else:
        play_start(game, work, a, b)
    if game.rules.hands_per_box == 1:
        return
    if is_natural(c, d):
        if not paid & 2:
            finish_alone(game, work, NATURAL)
    else:
        play_start(game, work, c, d)
