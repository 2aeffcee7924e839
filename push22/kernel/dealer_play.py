"""The dealer rounds, and what each decides (C-50 to C-55, MA-19 to MA-22)."""

from push22.kernel.compiled import compiled
from push22.kernel.draws import FLAGS, HANDS, OPEN, UP, Work, draw
from push22.kernel.game import CODES, DEALER_NATURAL, HARDS, Game
from push22.kernel.hand_play import LIVE, NATURAL_WAITS

NOT_PLAYED = 0
"""The dealer's code where no total and no natural was needed, or none came."""


@compiled
def is_natural(first: int, second: int) -> bool:
    return first + second == 11 and (first == 1 or second == 1)


@compiled
def settle(game: Game, work: Work, dealer: int) -> int:
    """Return the net of one circle against the dealer's code."""
    pays, hands = game.tables.pays, work.hands
    stake = 2 if dealer == DEALER_NATURAL else 1
    net = 0
    for place in range(0, 3 * work.run[HANDS], 3):
        net += pays[dealer * CODES + hands[place]] * hands[place + stake]
    return net


@compiled
def dealer_code(game: Game, work: Work, hole: int) -> int:
    """Play one dealer round; `hole` is 0 where the second card is still to come."""
    rules, run = game.rules, work.run
    up, flags = run[UP], run[FLAGS]
    always = rules.takes_second_card_always
    plays_out = flags & LIVE or (always and flags & NATURAL_WAITS)
    if hole == 0:
        waits = flags and up in (1, 10)
        if not (always or plays_out or waits):
            return NOT_PLAYED
        hole = draw(work)
    if is_natural(up, hole):
        return DEALER_NATURAL
    if not plays_out:
        return NOT_PLAYED
    draws = game.tables.draws
    hard = up + hole
    ace = HARDS if up == 1 or hole == 1 else 0
    while draws[ace + hard]:
        card = draw(work)
        hard += card
        if card == 1:
            ace = HARDS
    return int(hard + 10 if ace and hard <= 11 else hard)


@compiled
def play_dealer_rounds(game: Game, work: Work, hole: int) -> int:
    """Play a dealer round for every open circle; return the net of them all."""
    rules = game.rules
    net = 0
    for circle in range(rules.circles - work.run[OPEN], rules.circles):
        code = dealer_code(game, work, hole if circle == 0 else 0)
        work.counts[code] += 1
        net += settle(game, work, code)
    return net
