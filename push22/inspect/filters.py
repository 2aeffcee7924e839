"""The options by which `push22 rounds` searches."""

from dataclasses import dataclass

from contracts.identities import DEFAULT_OPERATOR
from contracts.round_search import Outcome, Query, Status
from push22.errors import Failure
from push22.inspect.money import Range, parse_moment, parse_range
from runtime.ambient import SystemClock


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """All that is asked for holds for each round.

    Parameters
    ----------
    round
        Only this round.
    player
        Only rounds this player bet on: `<operator>.<player>`, or `<player>` of the
        built-in operator.
    operator
        Only rounds a player of this operator bet on.
    table
        Only rounds of this table.
    shoe
        Only rounds dealt from this shoe.
    rule_set
        Only rounds under this rule set.
    currency
        Only rounds at a table of this currency.
    status
        Only open, settled, void or abandoned rounds.
    outcome
        Only rounds in which a player won, lost or came out even, or in which one of
        his wagers had that result.
    interrupted
        Only rounds that an outage held up, that were voided, or that are open although
        their last deadline has passed.
    retried
        Only rounds for which an operator's wallet had to be called again.
    automatic
        Only rounds in which the platform decided for a silent player.
    transaction
        The round of this transfer or call to an operator, by our id.
    operator_transaction
        The rounds of this transaction, by the operator's own id.
    session
        Only rounds staked in this session at the operator.
    staked
        Only closed rounds in which a player staked so much: 10..50, 10.. or ..50.
    paid
        Only closed rounds that paid a player so much.
    net
        Only closed rounds with such a net for a player: ..-100 is a loss of 100 or
        more.
    since
        Opened at this time or later, UTC: 2026-10-31 or 2026-10-31T18:30.
    until
        Opened before this time, UTC.

    """

    round: str = ""
    player: str = ""
    operator: str = ""
    table: str = ""
    shoe: str = ""
    rule_set: str = ""
    currency: str = ""
    status: Status | None = None
    outcome: Outcome | None = None
    interrupted: bool = False
    retried: bool = False
    automatic: bool = False
    transaction: str = ""
    operator_transaction: str = ""
    session: str = ""
    staked: str = ""
    paid: str = ""
    net: str = ""
    since: str = ""
    until: str = ""


def query_of(filters: Filters, limit: int) -> Query:
    """Return the question that the options ask. Raises Failure for what is none."""
    staked, paid, net = (
        _range(name, getattr(filters, name)) for name in ("staked", "paid", "net")
    )
    return Query(
        round_id=filters.round,
        player=whole_player(filters.player),
        operator=filters.operator,
        table=filters.table,
        shoe=filters.shoe,
        rule_set=filters.rule_set,
        currency=filters.currency,
        status=filters.status or "",
        outcome=filters.outcome or "",
        interrupted=filters.interrupted,
        retried=filters.retried,
        automatic=filters.automatic,
        transaction=filters.transaction,
        operator_transaction=filters.operator_transaction,
        session=filters.session,
        staked_min=staked[0],
        staked_max=staked[1],
        paid_min=paid[0],
        paid_max=paid[1],
        net_min=net[0],
        net_max=net[1],
        since=micros_of("--since", filters.since),
        until=micros_of("--until", filters.until),
        limit=limit,
        now=SystemClock().now(),
    )


def whole_player(player: str) -> str:
    """Complete the name of a player of the built-in operator."""
    is_whole = "." in player or not player
    return player if is_whole else f"{DEFAULT_OPERATOR}.{player}"


def micros_of(option: str, text: str) -> int:
    """Return a time as it is kept, 0 for none. Raises Failure."""
    if not text:
        return 0
    try:
        return parse_moment(text)
    except ValueError as error:
        raise Failure(option, str(error), exit_code=2) from error


def _range(name: str, text: str) -> Range:
    try:
        return parse_range(text)
    except ValueError as error:
        raise Failure(f"--{name}", str(error), exit_code=2) from error
