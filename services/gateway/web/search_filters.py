"""The parameters by which rounds are searched: one set for operators and support."""

from typing import Annotated

from litestar.di import NamedDependency
from litestar.params import QueryParameter

from contracts.round_search import Outcome, Query
from contracts.round_search import Status as RoundStatus
from services.gateway.web.guards import TheDoor
from services.gateway.web.listing import place_of
from services.gateway.web.parameters import (
    Cursor,
    Limit,
    Moment,
    RoundFilter,
    TableFilter,
)

_AMOUNT_MAX = 2**53 - 1

ShoeFilter = Annotated[
    str, QueryParameter(pattern=r"^(shoe-[a-z0-9_]{1,32}-[0-9]{1,12})?$")
]
RuleSetFilter = Annotated[str, QueryParameter(pattern=r"^[a-z0-9-]{0,64}$")]
CurrencyFilter = Annotated[str, QueryParameter(pattern=r"^([A-Z]{3})?$")]
StatusFilter = Annotated[RoundStatus | None, QueryParameter()]
OutcomeFilter = Annotated[
    Outcome | None,
    QueryParameter(
        description="A seat's net once the round is closed, or the result of a wager."
    ),
]
Named = Annotated[str, QueryParameter(max_length=256)]
OurId = Annotated[
    str,
    QueryParameter(max_length=256, description="Of a transfer or a call to a wallet."),
]
Amount = Annotated[
    int | None,
    QueryParameter(
        ge=-_AMOUNT_MAX, le=_AMOUNT_MAX, description="Minor units, of one seat."
    ),
]
Interrupted = Annotated[
    bool,
    QueryParameter(
        description="Held up by an outage, voided, or open past its last deadline."
    ),
]
Retried = Annotated[
    bool, QueryParameter(description="A call to the operator's wallet was repeated.")
]
Automatic = Annotated[
    bool, QueryParameter(description="The platform decided for a silent player.")
]


def search_query(  # noqa: PLR0913 - each is a way to search
    door: TheDoor,
    *,
    round_id: RoundFilter = "",
    table: TableFilter = "",
    status: StatusFilter = None,
    shoe: ShoeFilter = "",
    rule_set: RuleSetFilter = "",
    currency: CurrencyFilter = "",
    transaction: OurId = "",
    operator_transaction: Named = "",
    session: Named = "",
    outcome: OutcomeFilter = None,
    since: Moment = 0,
    until: Moment = 0,
    staked_min: Amount = None,
    staked_max: Amount = None,
    paid_min: Amount = None,
    paid_max: Amount = None,
    net_min: Amount = None,
    net_max: Amount = None,
    interrupted: Interrupted = False,
    retried: Retried = False,
    automatic: Automatic = False,
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Query:
    """Return what the parameters ask for. Raises Refused."""
    # The others are members of the question by the names they have here.
    asked = dict(locals())
    del asked["door"], asked["cursor"]
    asked |= {"status": status or "", "outcome": outcome or ""}
    return Query(**asked, before=place_of(cursor), now=door.casino.now())


TheSearch = NamedDependency[Query]
