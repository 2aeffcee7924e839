"""What goes over the wire about cases: one type per body."""

from typing import Annotated

import msgspec

from services.gateway.cases import AccessRow, CaseRow
from services.gateway.web.bodies import Asked, Currency

Words = Annotated[str, msgspec.Meta(min_length=1, max_length=4000)]
WholePlayer = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[a-z0-9][a-z0-9_]{0,31}\.[A-Za-z0-9][A-Za-z0-9_]{0,63}$",
        examples=["acme.alice"],
    ),
]
Amount = Annotated[
    int, msgspec.Meta(ge=-(2**53) + 1, le=2**53 - 1, examples=[2500, -1000])
]
RoundName = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^round-[a-z0-9_]{1,32}-[1-9][0-9]{0,11}$", examples=["round-t1-7"]
    ),
]


class CaseAsked(Asked, frozen=True):
    """A case about a round, and whom it is about, where it is about somebody."""

    round_id: RoundName
    subject: Words
    player: WholePlayer | None = None


class NoteGiven(Asked, frozen=True):
    text: Words


class VoidAsked(Asked, frozen=True):
    """End the round: every stake that was not won goes back."""

    reason: Words


class CorrectionAsked(Asked, frozen=True):
    """`amount_minor` above 0 is paid to the player, below 0 taken back."""

    player: WholePlayer
    currency: Currency
    amount_minor: Amount
    reason: Words


class ResolutionGiven(Asked, frozen=True):
    resolution: Words


class Cases(msgspec.Struct, frozen=True):
    """Newest first; with `cursor` as a parameter the list goes on."""

    cases: list[CaseRow]
    cursor: str = ""


class AccessLog(msgspec.Struct, frozen=True):
    """Who looked at what, newest first."""

    looks: list[AccessRow]
    cursor: str = ""
