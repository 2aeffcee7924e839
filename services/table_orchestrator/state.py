"""What a round knows in each of its phases, and nothing it cannot know yet."""

import msgspec

from blackjack.machine import Round
from contracts.shoe import SeedShare
from contracts.table_events import RoundTerms


class PlacedBet(msgspec.Struct, frozen=True):
    """A bet on a box. Until its funds are confirmed it is no bet (H1)."""

    box: int
    player: str
    wagers_minor: tuple[int, ...]
    side_wagers_minor: dict[str, int]
    reservation: str
    amount_minor: int
    funds_due_at: int = 0
    replaces: str = ""
    seed_hash: bytes = b""
    seed: bytes = b""


class Unopened(msgspec.Struct, frozen=True, tag="unopened"):
    """No such round yet."""


class Betting(msgspec.Struct, frozen=True, tag="betting"):
    """Bets are taken until the first card; then seeds are opened (H12).

    `due_at` is 0 while no clock runs. `bets` and `pending` are in the order placed.
    `superseded`: when no bet stands any more, the round ends.
    """

    round_id: str
    terms: RoundTerms
    bets: tuple[PlacedBet, ...] = ()
    pending: tuple[PlacedBet, ...] = ()
    ready: tuple[str, ...] = ()
    placed: int = 0
    decision: int = 0
    due_at: int = 0
    closed: bool = False
    opening: bool = False
    voiding: str = ""
    superseded: bool = False

    @property
    def all_ready(self) -> bool:
        """Tell whether bets stand and nobody who made one wants more time."""
        ready = all(bet.player in self.ready for bet in self.bets)
        return bool(self.bets) and not self.pending and ready

    @property
    def is_barring(self) -> bool:
        """Tell whether somebody may not bet on this round before a shuffle."""
        entry = self.terms.entry
        return entry.admitted is not None or bool(entry.barred)


class PendingFunds(msgspec.Struct, frozen=True):
    """A decision that waits for the wallet (H1)."""

    reservation: str
    player: str
    box: int
    target: str
    action: str
    amount_minor: int
    funds_due_at: int
    clock_left_ms: int


class Unpaid(msgspec.Struct, frozen=True):
    """A part of the settlement that is not booked for a player yet (H6)."""

    part: int
    player: str


class Clock(msgspec.Struct, frozen=True):
    """The running decision: what it waits for, and until when."""

    targets: tuple[str, ...]
    due_at: int


class Hole(msgspec.Struct, frozen=True):
    """Where the face-down card lies in the shoe; never what it is."""

    index: int
    order: int


class Playing(msgspec.Struct, frozen=True, tag="playing"):
    """Cards are out. `awaiting` names the shoe's answer that is outstanding."""

    round_id: str
    terms: RoundTerms
    owners: dict[int, str]
    game: Round
    requests: int = 0
    awaiting: str = ""
    shares: tuple[SeedShare, ...] | None = None
    pending: tuple[PendingFunds, ...] = ()
    reservations: int = 0
    unpaid: tuple[Unpaid, ...] = ()
    parts: int = 0
    nets_minor: dict[str, int] = {}
    decision: int = 0
    clock: Clock | None = None
    clock_left_ms: int = 0
    offered: bool = False
    final: bool = False
    hole: Hole | None = None
    face_down: tuple[str, ...] = ()
    """Hands whose first two cards only their player sees (LV-13)."""
    burned: bool = False
    cards_out: int = 0
    cut_card_reached: bool = False
    started_at: int = 0
    voiding: str = ""
    """Empty, `asked` until settlement answers the void, `refunding` after."""
    refunded: tuple[Unpaid, ...] = ()
    """Refunds booked before settlement's answer to the void was read."""


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """Everything is paid and nothing more can happen."""

    round_id: str


RoundState = Unopened | Betting | Playing | Ended
