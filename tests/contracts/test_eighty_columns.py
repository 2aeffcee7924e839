"""Lists for people fit a terminal of 80 columns, whatever names are in them."""

from collections.abc import Callable

import pytest

from contracts.round_search import RoundRow, SeatRow
from push22.commands import calls, parked, reconcile, rounds
from push22.inspect.set_aside import SetAside
from services.archive.entries import Entry
from services.archive.owed_calls import OpenCall

WIDTH = 80
AT = 1_793_471_400_000_000
CALL = "5f0c9a1e-6b7d-8a3c-9e21-0d4f5b6a7c81"
SHORT, LONG = "acme.alice", f"{'o' * 32}.{'p' * 64}"
ROUND = "round-friday_night_high_rollers-1234567"
AMOUNT = 123_456_789_012


def show_calls(player: str) -> None:
    call = OpenCall(
        CALL, "debit", "acme", player, "EUR", AMOUNT, ROUND, AT, 17, "timeout", AT, AT
    )
    calls._show([call])


def show_parked(player: str) -> None:
    item = SetAside(
        12345678,
        "table-orchestrator",
        f"wallet-{player}.EUR",
        "command",
        "table-orchestrator",
        "a record of a type that this version cannot read: wallet.moved.v7",
        AT,
        b"",
    )
    parked._list([item], json=False, where="")


def show_reconcile(player: str) -> None:
    entry = Entry(CALL, "credit", player, "EUR", AMOUNT, ROUND, AT)
    why = f"player_id: he has {LONG}, we have {player}; amount_minor: he has 1"
    reconcile._show(entry, why)


def show_rounds(player: str) -> None:
    seat = SeatRow(player, AMOUNT, AMOUNT, -AMOUNT)
    names = ("friday", "ny-switch-6d", "EUR", "shoe-friday-1", "abandoned")
    row = RoundRow(ROUND, *names, AT, AT, seats=(seat,))
    rounds._show((row,))


SHOWN = {
    "calls": show_calls,
    "parked": show_parked,
    "reconcile": show_reconcile,
    "rounds": show_rounds,
}


@pytest.mark.parametrize("player", [SHORT, LONG], ids=["short", "long"])
@pytest.mark.parametrize("show", SHOWN.values(), ids=SHOWN)
def test_no_line_is_longer_than_the_screen(
    show: Callable[[str], None],
    player: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """And nothing is left out: what is too long for a line goes on in the next."""
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    show(player)
    lines = capsys.readouterr().out.splitlines()
    assert lines
    assert max(len(line.rstrip()) for line in lines) <= WIDTH
    assert "…" not in "".join(lines)


@pytest.mark.parametrize("show", [show_calls, show_reconcile], ids=["calls", "books"])
def test_what_is_usual_is_not_broken(
    show: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Ids, players, rounds and amounts can be copied as a whole."""
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    show(SHORT)
    out = capsys.readouterr().out
    assert all(word in out for word in (CALL, SHORT, ROUND, "1234567890.12 EUR"))
