"""Events of one round, from the opened betting to the last payment."""

from blackjack.machine import Due, Offer
from contracts.base import Event, Value
from contracts.desk import Proposed
from contracts.envelope import Micros
from contracts.shoe import SeedShare
from contracts.table_events import RoundTerms


class RoundOpened(Event, frozen=True, tag="table.round_opened.v1"):
    round_id: str
    terms: RoundTerms


class WagersPlaced(Event, frozen=True, tag="table.wagers_placed.v1"):
    """A bet waits for its funds. `replaces`: the reservation it takes the place of."""

    round_id: str
    box: int
    player: str
    currency: str
    wagers_minor: tuple[int, ...]
    side_wagers_minor: dict[str, int]
    reservation: str
    amount_minor: int
    funds_due_at: Micros
    replaces: str = ""
    seed_hash: bytes = b""


class WagersAccepted(Event, frozen=True, tag="table.wagers_accepted.v1"):
    round_id: str
    box: int
    reservation: str


class WagersRefused(Event, frozen=True, tag="table.wagers_refused.v1"):
    """The bet is refused: by the wallet, by its silence, or by a void.

    After the wallet's own refusal an earlier bet on the box stands; otherwise
    `WagersWithdrawn` for that one follows.
    """

    round_id: str
    box: int
    player: str
    currency: str
    reservation: str
    reason: str


class WagersWithdrawn(Event, frozen=True, tag="table.wagers_withdrawn.v1"):
    round_id: str
    box: int
    player: str
    currency: str
    reservation: str


class PlayerReady(Event, frozen=True, tag="table.player_ready.v1"):
    round_id: str
    player: str


class TermsSuperseded(Event, frozen=True, tag="table.terms_superseded.v1"):
    """The table closed or changed while a bet stood.

    The round is dealt as it was bet on; if its last bet is withdrawn it ends, for no
    bet may be made on these terms from an empty table. `by`: the table's event.
    """

    round_id: str
    by: str


class BettingClosed(Event, frozen=True, tag="table.betting_closed.v1"):
    round_id: str
    boxes: tuple[int, ...]


class SeedOpened(Event, frozen=True, tag="table.seed_opened.v1"):
    round_id: str
    box: int
    seed: bytes


class CardsRequested(Event, frozen=True, tag="table.cards_requested.v1"):
    """Cards for `places`, in order: a hand's label, `dealer`, or `hole` (unseen).

    `burn` cards leave the shoe first. `shares` come with the first request to a
    shoe and fix its cut (H12). `started_at`: told with a round's first cards where the
    table has a minimum cycle.
    """

    round_id: str
    shoe: str
    request: int
    places: tuple[str, ...]
    burn: int = 0
    shares: tuple[SeedShare, ...] | None = None
    started_at: Micros = 0


class ReceivedCard(Value, frozen=True):
    """`card` is empty for the card that nobody may see.

    `seen_by`: the only player who may see it until `HandShown` (LV-13).
    """

    place: str
    index: int
    card: str = ""
    order: int = 0
    seen_by: str = ""


class CardsReceived(Event, frozen=True, tag="table.cards_received.v1"):
    round_id: str
    request: int
    cards: tuple[ReceivedCard, ...]
    cards_out: int


class HandShown(Event, frozen=True, tag="table.hand_shown.v1"):
    """A hand's first two cards, face down until now, lie open (LV-13)."""

    round_id: str
    target: str
    player: str
    cards: tuple[str, ...]


class CutCardSeen(Event, frozen=True, tag="table.cut_card_seen.v1"):
    """The cut card came out: this is the shoe's last round (C-16)."""

    round_id: str


class HoleLookRequested(Event, frozen=True, tag="table.hole_look_requested.v1"):
    round_id: str
    shoe: str
    index: int
    order: int
    up_card: str


class DealerChecked(Event, frozen=True, tag="table.dealer_checked.v1"):
    round_id: str
    natural: bool


class HoleRevealRequested(Event, frozen=True, tag="table.hole_reveal_requested.v1"):
    round_id: str
    shoe: str
    index: int
    order: int


class HoleCardTurned(Event, frozen=True, tag="table.hole_card_turned.v1"):
    round_id: str
    card: str


class BurnedCardRequested(Event, frozen=True, tag="table.burned_card_requested.v1"):
    round_id: str
    shoe: str
    player: str


class DecisionOpened(Event, frozen=True, tag="table.decision_opened.v1"):
    """Something may be decided until `due_at`: the options, exactly as offered.

    `kind` is `betting`, `seeds`, `insurance` or `turn`. An offer that is not `due`
    may be taken early and nobody waits for it (GLI-19 4.4.6(h)). `seen_by`: targets
    whose options would tell of cards that only this player may see (LV-13).
    """

    round_id: str
    decision: int
    kind: str
    due_at: Micros
    offers: tuple[Offer, ...] = ()
    seen_by: dict[str, str] = {}


class InsuranceClosed(Event, frozen=True, tag="table.insurance_closed.v1"):
    """Whoever has not answered has declined."""

    round_id: str


class FundsRequested(Event, frozen=True, tag="table.funds_requested.v1"):
    """A decision that costs money waits for its funds (H1)."""

    round_id: str
    reservation: str
    player: str
    currency: str
    box: int
    target: str
    action: str
    amount_minor: int
    funds_due_at: Micros
    clock_left_ms: int
    """What is left on the decision's clock, which stands still until then."""


class FundsDeclined(Event, frozen=True, tag="table.funds_declined.v1"):
    """The decision falls away and the hand is where it was."""

    round_id: str
    reservation: str
    player: str
    currency: str
    target: str
    action: str
    reason: str


class Decision(Event, frozen=True):
    """A decision that counts: the envelope's actor says who made it.

    `decision` is the number of the `DecisionOpened` whose offers it chose from.
    """

    round_id: str
    decision: int
    target: str
    player: str


class PaidDecision(Decision, frozen=True):
    amount_minor: int = 0
    reservation: str = ""


class HandInsured(PaidDecision, frozen=True, tag="table.hand_insured.v1"):
    pass


class InsuranceDeclined(Decision, frozen=True, tag="table.insurance_declined.v1"):
    pass


class EvenMoneyTaken(Decision, frozen=True, tag="table.even_money_taken.v1"):
    pass


class CardsSwitched(Decision, frozen=True, tag="table.cards_switched.v1"):
    pass


class CardsReturned(Decision, frozen=True, tag="table.cards_returned.v1"):
    pass


class CardsKept(Decision, frozen=True, tag="table.cards_kept.v1"):
    pass


class HandHit(Decision, frozen=True, tag="table.hand_hit.v1"):
    pass


class HandStood(Decision, frozen=True, tag="table.hand_stood.v1"):
    pass


class HandDoubled(PaidDecision, frozen=True, tag="table.hand_doubled.v1"):
    pass


class HandSplit(PaidDecision, frozen=True, tag="table.hand_split.v1"):
    pass


class HandSurrendered(Decision, frozen=True, tag="table.hand_surrendered.v1"):
    pass


DECIDED: dict[str, type[Decision]] = {
    "insure": HandInsured,
    "decline": InsuranceDeclined,
    "even_money": EvenMoneyTaken,
    "switch": CardsSwitched,
    "switch_back": CardsReturned,
    "keep": CardsKept,
    "hit": HandHit,
    "stand": HandStood,
    "double": HandDoubled,
    "split": HandSplit,
    "surrender": HandSurrendered,
}
"""Each action of the rule book and the event that records it."""

ACTION_OF: dict[type[Decision], str] = {
    event: action for action, event in DECIDED.items()
}


class PlayerDue(Value, frozen=True):
    """A decided wager and whose it is.

    `seen_by`: the only player who may see its cards so far (LV-13).
    """

    player: str
    due: Due
    seen_by: str = ""


class SettlementDue(Event, frozen=True, tag="table.settlement_due.v1"):
    """These wagers are decided; complete in itself (H6)."""

    round_id: str
    part: int
    rule_set: str
    options: dict[str, str | bool | int | float | list[str]]
    currency: str
    dues: tuple[PlayerDue, ...]
    final: bool = False


class PayoutsReceived(Event, frozen=True, tag="table.payouts_received.v1"):
    """The wallet has booked a part of the settlement for one player."""

    round_id: str
    part: int
    player: str
    net_minor: int


class OpenStake(Value, frozen=True):
    """A stake that is still in play when a round is voided."""

    player: str
    label: str
    stake_minor: int


class RoundVoided(Event, frozen=True, tag="table.round_voided.v1"):
    """Support ended the round; `stakes` are all accepted ones (H2)."""

    round_id: str
    part: int
    currency: str
    stakes: tuple[OpenStake, ...]
    reason: str
    order: Proposed | None = None
    """The case that ordered it; settlement names it in its answer."""


class RefundsAwaited(Event, frozen=True, tag="table.refunds_awaited.v1"):
    """Settlement answered the void; these players' refunds are being booked."""

    round_id: str
    part: int
    players: tuple[str, ...]


class VoidDeclined(Event, frozen=True, tag="table.void_declined.v1"):
    """The void came after the settlement; the round ends as it was settled."""

    round_id: str
    reason: str


class VoidOrderRefused(Event, frozen=True, tag="table.void_order_refused.v1"):
    """A void that a case ordered is not begun; the round goes on as it stands."""

    round_id: str
    order: Proposed
    reason: str


class ClockExtended(Event, frozen=True, tag="table.clock_extended.v1"):
    """An outage stopped the clocks; open deadlines move by its length (H10)."""

    round_id: str
    by_ms: int


class RoundClosed(Event, frozen=True, tag="table.round_closed.v1"):
    """Everything is paid. `status`: `settled`, `void` or `abandoned` (no bet)."""

    round_id: str
    table: str
    status: str
    players: tuple[str, ...]
    nets_minor: dict[str, int]
    starting_hands: int
    cards_out: int
    cut_card_reached: bool
    dealt: bool = True
    """False where no card was asked for: the round does not count for its shoe."""
    all_passed: bool = False
    """The time for bets ran out and whoever might have bet had let it pass."""
    started_at: Micros = 0
