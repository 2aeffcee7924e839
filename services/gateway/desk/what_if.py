"""What would have come of other decisions: a round script, played and forgotten."""

from typing import Annotated

import msgspec

SCRIPT_CHARACTERS_MAX = 16_000


class ScriptGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round script (docs/scripts.md)."""

    script: Annotated[str, msgspec.Meta(min_length=1, max_length=SCRIPT_CHARACTERS_MAX)]


class ScriptFault(msgspec.Struct, frozen=True):
    """Why a script can't stand: its key or step, and the reason."""

    place: str
    reason: str


class WhatIf(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a script, every label by its own; `failures` are expectations.

    `banner` is shown wherever this is: it is no record of anything.
    """

    banner: str = "WHAT-IF: played now from this script; nothing of it is a record"
    fault: ScriptFault | None = None
    failures: tuple[str, ...] = ()
    dealer: str = ""
    hands: dict[str, str] = {}
    net: dict[str, int] = {}
    outcome: dict[str, str] = {}
    balance: dict[str, int] = {}
    cards_used: int = 0
    pending: str = ""
    bets_refused: dict[str, str] = {}
    refused: tuple[dict[str, str], ...] = ()
