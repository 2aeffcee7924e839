"""What else a pack says in text: the transcript and the card proofs."""

import io

import msgspec
from rich.console import Console

from contracts import shoe as s
from push22.evidence.gather import Gathered
from push22.inspect import transcript
from services.archive.as_script import as_script

_COLUMNS = 100
_OF_ROUND = (
    s.CardBurned,
    s.BurnedCardShown,
    s.CardsDealt,
    s.CutCardReached,
    s.DiscardsShuffled,
    s.HoleLooked,
    s.HoleRevealed,
)


def history_of(found: Gathered) -> bytes:
    """Return the whole transcript, as `push22 replay` shows it."""
    out = io.StringIO()
    plain = Console(
        file=out,
        width=_COLUMNS,
        color_system=None,
        force_terminal=False,
        highlight=False,
        emoji=False,
        markup=False,
    )
    transcript.show(plain, found.steps, found.view)
    plain.print(f"executed again: {found.again.verdict}")
    lines = (line.rstrip() for line in out.getvalue().splitlines())
    return found.eyes.hide("\n".join(lines) + "\n").encode()


def script_of(found: Gathered) -> bytes:
    """Return the round as a round script; nothing where no card was dealt.

    It names players in its own way: nothing where some of them are hidden.
    """
    return as_script(found.steps).encode() if found.eyes.is_whole else b""


def proofs_of(found: Gathered) -> bytes:
    """Return the round's cards with their proofs, as `verify_cards.py` reads them."""
    cut = next(found.of(s.ShoeCut), None)
    dealt = [item.event for item in found.shown if isinstance(item.event, _OF_ROUND)]
    document = {
        "format": "push22-shoe-record-v1",
        "shoe_committed": next(found.of(s.ShoeCommitted)),
        "shoe_cut": cut,
        "dealt": dealt,
        "retired": None,
    }
    return msgspec.json.encode(document) + b"\n"
