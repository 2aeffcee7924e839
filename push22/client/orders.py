"""What a player may order: the same over HTTP and over the socket."""

import msgspec


class Order(msgspec.Struct, frozen=True, tag_field="do", omit_defaults=True):
    """An order in a round."""

    round_id: str


class Bet(Order, frozen=True, tag="bet"):
    """One amount per main wager. `seed_hash`: SHA-256 of a seed kept for now."""

    box: int
    wagers_minor: tuple[int, ...]
    side_wagers_minor: dict[str, int] = {}
    seed_hash: bytes = b""


class Withdraw(Order, frozen=True, tag="withdraw"):
    """Take the bet on a box back."""

    box: int


class Ready(Order, frozen=True, tag="ready"):
    """The player's bets are made."""


class Act(Order, frozen=True, tag="act"):
    """A decision on a box (`1`) or a hand (`1.1`).

    `expected_version`: the round's version in the view that it was decided on; without
    it the order holds for whatever the view is by then.
    """

    action: str
    target: str
    amount_minor: int | None = None
    expected_version: int | None = None


class OpenSeed(Order, frozen=True, tag="seed"):
    """Open the seed whose hash came with the bet."""

    box: int
    seed: bytes


class ShowBurnedCard(Order, frozen=True, tag="burned_card"):
    """Ask to see the burned card."""


AnyOrder = Bet | Withdraw | Ready | Act | OpenSeed | ShowBurnedCard
