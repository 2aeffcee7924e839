"""What rule sets took and gave back, added up from the index of rounds."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from contracts.envelope import Micros
from contracts.reports import NO_ACTIVITY, Performance, PerformanceLine
from contracts.round_search import OVERDUE_US
from push22.round_index import check_current
from runtime.sqlite_file import SqliteFile

TITLE = "Performance by rule set"

_CLOSED = """
    SELECT p.rule_set, r.digest, p.currency,
           count(DISTINCT CASE WHEN p.status <> 'void' THEN p.round_id END),
           total(CASE WHEN p.status <> 'void' THEN p.staked_minor END),
           total(CASE WHEN p.status <> 'void' THEN p.paid_minor END),
           total(CASE WHEN p.status <> 'void' THEN p.side_staked END),
           total(CASE WHEN p.status <> 'void' THEN p.side_paid END),
           total(CASE WHEN p.status <> 'void' THEN p.insured END),
           total(CASE WHEN p.status <> 'void' THEN p.insured_paid END),
           count(DISTINCT CASE WHEN p.status = 'void' THEN p.round_id END),
           total(CASE WHEN p.status = 'void' THEN p.staked_minor END),
           total(CASE WHEN p.status = 'void' THEN p.paid_minor END)
    FROM archive_players p JOIN archive_rounds r
        ON r.opened_at = p.opened_at AND r.round_id = p.round_id
    WHERE p.closed_at > 0 AND p.closed_at >= :since AND p.closed_at < :until
      AND p.status <> 'abandoned' AND (:operator = '' OR p.operator = :operator)
    GROUP BY 1, 2, 3
"""
_OPEN = """
    SELECT p.rule_set, r.digest, p.currency,
           count(DISTINCT p.round_id), sum(p.held_minor),
           count(DISTINCT CASE WHEN r.interrupted > 0
                 OR r.due_at BETWEEN 1 AND :late THEN p.round_id END),
           coalesce(sum(CASE WHEN r.interrupted > 0
                 OR r.due_at BETWEEN 1 AND :late THEN p.held_minor END), 0)
    FROM archive_rounds r JOIN archive_players p ON p.round_id = r.round_id
    WHERE r.status = 'open' AND r.status <> 'settled'
      AND (:operator = '' OR p.operator = :operator)
    GROUP BY 1, 2, 3
"""

Key = tuple[str, str, str]


class Theory(NamedTuple):
    """Returns by a rule set's certificate, in percent of all that is staked."""

    main_percent: float
    side_percent: float | None


def performance(
    file: SqliteFile,
    span: tuple[Micros, Micros],
    made_at: Micros,
    *,
    operator: str = "",
    theories: Mapping[str, Theory],
) -> Performance:
    """Return the report of an interval. Raises OutOfDate.

    `theories`: by the digest of the rule set that was certified.
    """
    check_current(file)
    values = {
        "since": span[0],
        "until": span[1],
        "late": made_at - OVERDUE_US,
        "operator": operator,
    }
    closed = _by_key(file.query(_CLOSED, values))
    open_ = _by_key(file.query(_OPEN, values))
    rows = tuple(
        _line(
            key,
            closed.get(key, (0,) * 10),
            open_.get(key, (0,) * 4),
            theories.get(key[1]),
        )
        for key in sorted({*closed, *open_})
    )
    return Performance(
        operator=operator or "all operators",
        title=TITLE,
        since=span[0],
        until=span[1],
        made_at=made_at,
        rows=rows,
        note="" if closed else NO_ACTIVITY,
    )


def _by_key(rows: list[Any]) -> dict[Key, tuple[int, ...]]:
    return {tuple(row[:3]): tuple(map(int, row[3:])) for row in rows}


def _line(
    key: Key, closed: tuple[int, ...], open_: tuple[int, ...], theory: Theory | None
) -> PerformanceLine:
    rounds, stakes, payouts, side, side_paid, insured, insured_paid = closed[:7]
    main, main_paid = stakes - side - insured, payouts - side_paid - insured_paid
    return PerformanceLine(
        rule_set=key[0],
        rules_sha256=key[1],
        currency=key[2],
        rounds=rounds,
        stakes_minor=stakes,
        payouts_minor=payouts,
        net_minor=payouts - stakes,
        actual_percent=_percent(payouts, stakes),
        main_stakes_minor=main,
        main_payouts_minor=main_paid,
        main_actual_percent=_percent(main_paid, main),
        main_theoretical_percent=theory.main_percent if theory else None,
        side_stakes_minor=side,
        side_payouts_minor=side_paid,
        side_actual_percent=_percent(side_paid, side),
        side_theoretical_percent=theory.side_percent if theory else None,
        insurance_stakes_minor=insured,
        insurance_payouts_minor=insured_paid,
        void_rounds=closed[7],
        void_stakes_minor=closed[8],
        void_payouts_minor=closed[9],
        open_rounds=open_[0],
        funds_in_play_minor=open_[1],
        interrupted_rounds=open_[2],
        funds_interrupted_minor=open_[3],
    )


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 4) if whole else None
