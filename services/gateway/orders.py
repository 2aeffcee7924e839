"""What a player may order, and the casino's command that it becomes."""

from typing import Annotated, Literal

import msgspec

from contracts import table as t

Amount = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
BoxNumber = Annotated[int, msgspec.Meta(ge=1, le=99)]
Target = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{1,2}(\.[0-9]){0,8}$")]
RoundId = Annotated[str, msgspec.Meta(pattern=r"^round-[a-z0-9_]{1,32}-[0-9]{1,12}$")]
CommandId = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{8,64}$")]
Seed = Annotated[bytes, msgspec.Meta(min_length=1, max_length=256)]
Side = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9_]{1,32}$")]

Action = Literal[
    "insure",
    "decline",
    "even_money",
    "switch",
    "switch_back",
    "keep",
    "hit",
    "stand",
    "double",
    "split",
    "surrender",
]


class Wagers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One amount per main wager. `seed_hash`: SHA-256 of a seed kept for now (H12)."""

    wagers_minor: Annotated[tuple[Amount, ...], msgspec.Meta(max_length=8)]
    side_wagers_minor: dict[Side, Amount] = {}
    seed_hash: Annotated[bytes, msgspec.Meta(max_length=64)] = b""


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decision on a box (`1`) or a hand (`1.1`)."""

    action: Action
    target: Target
    amount_minor: Amount | None = None
    expected_version: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] | None = None


class OpenedSeed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    box: BoxNumber
    seed: Seed


class Order(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    tag_field="do",
    kw_only=True,
):
    """An order that comes by the socket."""

    round_id: RoundId


class BetOrder(Order, frozen=True, tag="bet"):
    box: BoxNumber
    wagers_minor: Annotated[tuple[Amount, ...], msgspec.Meta(max_length=8)]
    side_wagers_minor: dict[Side, Amount] = {}
    seed_hash: Annotated[bytes, msgspec.Meta(max_length=64)] = b""


class WithdrawOrder(Order, frozen=True, tag="withdraw"):
    box: BoxNumber


class ReadyOrder(Order, frozen=True, tag="ready"):
    pass


class MoveOrder(Order, frozen=True, tag="act"):
    action: Action
    target: Target
    amount_minor: Amount | None = None
    expected_version: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] | None = None


class SeedOrder(Order, frozen=True, tag="seed"):
    box: BoxNumber
    seed: Seed


class BurnedCardOrder(Order, frozen=True, tag="burned_card"):
    pass


AnyOrder = (
    BetOrder | WithdrawOrder | ReadyOrder | MoveOrder | SeedOrder | BurnedCardOrder
)


def command_of(order: AnyOrder) -> msgspec.Struct:
    """Return the casino's command; its player comes with the envelope."""
    match order:
        case BetOrder():
            return t.PlaceBet(
                order.round_id,
                order.box,
                order.wagers_minor,
                order.side_wagers_minor,
                order.seed_hash,
            )
        case WithdrawOrder():
            return t.WithdrawBet(order.round_id, order.box)
        case ReadyOrder():
            return t.StartDealing(order.round_id)
        case MoveOrder():
            return _move(order)
        case SeedOrder():
            return t.OpenSeed(order.round_id, order.box, order.seed)
        case BurnedCardOrder():
            return t.ShowBurnedCard(order.round_id)


def _move(order: MoveOrder) -> t.HandCommand:
    kind = t.COMMAND_FOR[order.action]
    place = (order.round_id, order.target, order.expected_version)
    if issubclass(kind, t.AmountCommand):
        return kind(*place, amount_minor=order.amount_minor)
    return kind(*place)
