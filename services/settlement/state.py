"""What is known of a round's money: which wagers are decided, and how it ended."""

import msgspec


class SettledWager(msgspec.Struct, frozen=True):
    """A decided wager: what was staked on it and all that came back."""

    player: str
    stake_minor: int
    payout_minor: int


class Settling(msgspec.Struct, frozen=True, tag="settling"):
    """Wagers of this round may still be decided. `wagers` is keyed by label."""

    round_id: str
    wagers: dict[str, SettledWager] = {}
    parts: tuple[int, ...] = ()


class Settled(msgspec.Struct, frozen=True, tag="settled"):
    """Every wager is decided; `voids_refused` are the voids that came too late."""

    round_id: str
    parts: tuple[int, ...]
    voids_refused: tuple[int, ...] = ()


class Voided(msgspec.Struct, frozen=True, tag="voided"):
    """The round is void and every stake that was not won goes back."""

    round_id: str


Settlement = Settling | Settled | Voided


def initial(stream: str) -> Settlement:
    return Settling(stream.removeprefix("settlement-"))


def is_over(state: Settlement) -> bool:
    return not isinstance(state, Settling)
