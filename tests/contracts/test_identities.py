"""Identities are for ever: what is on disk carries them (H8, H13)."""

import hashlib

from contracts import identities


def test_h13_a_player_is_named_with_his_operator() -> None:
    """`<operator>.<player>` is a player; a name without an operator is none."""
    assert identities.is_player_id("local.alice")
    assert not identities.is_player_id("alice")
    assert not identities.is_player_id("local.")
    assert not identities.is_player_id("local.alice\n")
    assert identities.operator_of("local.alice") == "local"
    assert identities.DEFAULT_OPERATOR == "local"


def test_h13_a_table_has_one_currency_of_three_capitals() -> None:
    """A currency is an ISO 4217 code."""
    assert identities.is_currency("EUR")
    assert not identities.is_currency("eur")
    assert not identities.is_currency("EURO")


def test_h8_everything_of_a_table_has_the_tables_routing_key() -> None:
    """Table, round, shoe and settlement go by the table id, a wallet by itself."""
    streams = ("table-t1", "round-t1-42", "shoe-t1-3", "settlement-round-t1-42")

    assert {identities.routing_key(stream) for stream in streams} == {"t1"}
    wallet = "wallet-local.alice.EUR"
    assert identities.routing_key(wallet) == wallet


def test_h8_the_partition_is_taken_from_the_keys_sha_256() -> None:
    """First eight bytes of SHA-256(routing key), modulo the partitions."""
    expected = int.from_bytes(hashlib.sha256(b"t1").digest()[:8], "big") % 8

    assert identities.partition_of("round-t1-42", 8) == expected
    assert identities.partition_of("round-t1-42", 1) == 0


def test_accounts_are_named_by_owner_and_purpose() -> None:
    """Account names stand in every transfer and never change."""
    assert identities.player_account("local.alice", "EUR") == "player:local.alice:EUR"
    assert identities.house_account("local", "EUR") == "house:local:EUR"
    in_play = identities.in_play_account("round-t1-42", "local", "EUR")
    assert in_play == "in_play:round-t1-42:local:EUR"
