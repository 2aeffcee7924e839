"""The order of a round's records from all services (H15)."""

import msgspec

from contracts.envelope import Actor, Envelope
from services.archive.order import in_order

ROUND = "round-t1-1"


def record(
    stream: str,
    version: int,
    caused_by: str,
    *,
    service: str = "table-orchestrator",
    offset: int = 0,
    at: int = 0,
) -> Envelope:
    return Envelope(
        id=f"{stream}@{version}",
        type="x.y.v1",
        service=service,
        log="log",
        partition=0,
        offset=offset or version,
        stream=stream,
        version=version,
        recorded_at=at,
        caused_by=caused_by,
        correlation="",
        actor=Actor("platform", "push22"),
        data=msgspec.Raw(b"{}"),
        round_id=ROUND,
    )


def names(records: list[Envelope]) -> list[tuple[int, str]]:
    return [(item.sequence, item.record.id) for item in in_order(ROUND, records)]


def test_h15_a_round_without_foreign_records_is_its_stream() -> None:
    """The sequence number is the version in the round's stream."""
    records = [record(ROUND, 2, "c2"), record(ROUND, 1, "c1")]

    assert names(records) == [(1, f"{ROUND}@1"), (2, f"{ROUND}@2")]


def test_h15_a_foreign_record_hangs_under_the_event_that_recorded_it() -> None:
    """The shoe's cards hang under `cards_received`, not under the request."""
    cards = record("shoe-t1-1", 3, f"{ROUND}@1", service="shoe")
    records = [
        cards,
        record(ROUND, 1, "c1"),
        record(ROUND, 2, cards.id),
        record(ROUND, 3, cards.id),
    ]

    assert names(records) == [
        (1, f"{ROUND}@1"),
        (2, f"{ROUND}@2"),
        (2, "shoe-t1-1@3"),
        (3, f"{ROUND}@3"),
    ]


def test_h15_an_unrecorded_one_hangs_under_its_cause_at_any_distance() -> None:
    """A booking that no event recorded yet is found through its settlement."""
    settled = record(f"settlement-{ROUND}", 1, f"{ROUND}@1", service="settlement")
    posted = record("wallet-local.a.EUR", 9, settled.id, service="wallet")
    records = [
        posted,
        settled,
        record(ROUND, 2, "c2", at=99),
        record(ROUND, 1, "c1"),
    ]

    assert names(records) == [
        (1, f"{ROUND}@1"),
        (1, settled.id),
        (1, posted.id),
        (2, f"{ROUND}@2"),
    ]


def test_h15_ties_go_by_service_partition_offset() -> None:
    """Two wallets that answer the same event stand in the order of their log."""
    second = record("wallet-local.a.EUR", 1, f"{ROUND}@1", service="wallet", offset=8)
    first = record("wallet-local.b.EUR", 1, f"{ROUND}@1", service="wallet", offset=7)
    shoe = record("shoe-t1-1", 1, f"{ROUND}@1", service="shoe", offset=9)
    records = [second, first, shoe, record(ROUND, 1, "c1")]

    assert [name for _, name in names(records)] == [
        f"{ROUND}@1",
        shoe.id,
        first.id,
        second.id,
    ]


def test_h15_a_record_without_a_cause_in_the_round_goes_by_time() -> None:
    """New limits, set by the operator in mid-round, stand where they were set."""
    limits = record("table-t1", 5, "operator-command", at=15)
    records = [
        record(ROUND, 1, "c1", at=10),
        record(ROUND, 2, "c2", at=20),
        limits,
    ]

    assert names(records) == [(1, f"{ROUND}@1"), (1, limits.id), (2, f"{ROUND}@2")]


def test_h15_a_circle_of_causes_ends() -> None:
    """Records that name each other as their cause are broken, but still listed."""
    one = record("wallet-local.a.EUR", 1, "wallet-local.a.EUR@2", service="wallet")
    two = record("wallet-local.a.EUR", 2, "wallet-local.a.EUR@1", service="wallet")

    assert names([one, two, record(ROUND, 1, "c1", at=1)]) == [
        (0, one.id),
        (0, two.id),
        (1, f"{ROUND}@1"),
    ]
