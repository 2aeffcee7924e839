"""One round against an operator's wallet, without any fault."""

from pathlib import Path

import msgspec

from contracts.operator_wallet import KnownTransaction
from push22.__main__ import run
from tests.operator.conftest import OPENING_MINOR, an_operator, settings_for
from tests.operator.evening import PLAYERS, Evening


async def test_a_round_is_staked_and_paid_at_the_operator(folder: Path) -> None:
    """Debits leave his books, credits come back, and ours hold nothing in the end."""
    with an_operator(folder) as (mock, url):
        evening = Evening(folder / "casino", settings_for(url, 5000))
        await evening.open()
        await evening.begin()
        await evening.play(3)
        await evening.quiet()
        wallets = [await evening.wallet(name) for name in PLAYERS]
        await evening.close()
        known: list[KnownTransaction] = list(mock.books.statement())
        balances = mock.books.balances()

    assert [wallet.balance_minor for wallet in wallets] == [0] * len(PLAYERS)
    kinds = {item.kind for item in known}
    assert {"debit", "credit"} <= kinds
    for name, wallet in zip(PLAYERS, wallets, strict=True):
        assert wallet.operator is not None
        assert wallet.operator.balance_minor == balances[f"player:{name}:EUR"]
    assert sum(balances.values()) == 0
    assert balances["cash:EUR"] == -len(PLAYERS) * OPENING_MINOR
    casino = str(folder / "casino")
    statement = folder / "acme.jsonl"
    statement.write_bytes(b"\n".join(map(msgspec.json.encode, known)))
    assert run(["audit", "--data", casino, "--statement", str(statement)]) == 0
    assert run(["verify", "--all", "--data", casino]) == 0
