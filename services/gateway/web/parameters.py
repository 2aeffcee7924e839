"""The parameters that routes share, with what they may be."""

from typing import Annotated

from litestar.params import HeaderParameter, PathParameter, QueryParameter

from services.gateway.ports import By

PlayerPath = Annotated[str, PathParameter(pattern=r"^[A-Za-z0-9][A-Za-z0-9_]{0,63}$")]
WholePlayerPath = Annotated[
    str,
    PathParameter(
        pattern=r"^[a-z0-9][a-z0-9_]{0,31}\.[A-Za-z0-9][A-Za-z0-9_]{0,63}$",
        description="`<operator>.<player>`",
    ),
]
TablePath = Annotated[str, PathParameter(pattern=r"^[a-z0-9][a-z0-9_]{0,31}$")]
RoundPath = Annotated[
    str, PathParameter(pattern=r"^round-[a-z0-9_]{1,32}-[0-9]{1,12}$")
]
BoxPath = Annotated[int, PathParameter(ge=1, le=99)]

IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        pattern=r"^[A-Za-z0-9_-]{8,64}$",
        description="The command's id: a repeat gets the same answer.",
        required=False,
    ),
]
CurrencyQuery = Annotated[str, QueryParameter(pattern=r"^[A-Z]{3}$")]
Moment = Annotated[
    int, QueryParameter(ge=0, le=2**53 - 1, description="Microseconds since 1970, UTC.")
]
Limit = Annotated[int, QueryParameter(ge=1, le=200)]
Cursor = Annotated[
    str, QueryParameter(max_length=128, description="What the page before ended with.")
]
Grouping = Annotated[By, QueryParameter()]
PlayerFilter = Annotated[
    str, QueryParameter(pattern=r"^([A-Za-z0-9][A-Za-z0-9_]{0,63})?$")
]
TableFilter = Annotated[str, QueryParameter(pattern=r"^([a-z0-9][a-z0-9_]{0,31})?$")]
OperatorFilter = Annotated[str, QueryParameter(pattern=r"^([a-z0-9][a-z0-9_]{0,31})?$")]
WholePlayerFilter = Annotated[
    str,
    QueryParameter(
        pattern=r"^([a-z0-9][a-z0-9_]{0,31}\.[A-Za-z0-9][A-Za-z0-9_]{0,63})?$",
        description="`<operator>.<player>`",
    ),
]
