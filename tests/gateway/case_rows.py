"""The routes of the dispute desk, for the table of everybody and every route."""

from typing import Any

from contracts import desk as d
from contracts.envelope import Actor

OLD = "round-acme1-1"
CASE = "acme1-1-ab12"
RITA = Actor("support", "rita")
OPENED = d.OpenCase(CASE, OLD, "alice's double", d.Role.RESOLVER)
"""There is a case, opened by somebody else than who asks below."""

_AT = f"/support/v1/cases/{CASE}"
_ROUTE = "/support/v1/cases/{case:str}"
_WHY = {"reason": "dealt twice"}
_CORRECTION = {
    "player": "acme.alice",
    "currency": "EUR",
    "amount_minor": 100,
    **_WHY,
}

Answers = tuple[int, int, int]
"""What viewer, resolver and admin are answered, in this order."""

ROWS: dict[tuple[str, str], tuple[str, Any, Answers]] = {
    ("GET", "/support/v1/cases"): (
        f"/support/v1/cases?round_id={OLD}",
        None,
        (200, 200, 200),
    ),
    ("POST", "/support/v1/cases"): (
        "/support/v1/cases",
        {"round_id": OLD, "subject": "a complaint"},
        (403, 201, 201),
    ),
    ("GET", _ROUTE): (_AT, None, (200, 200, 200)),
    ("POST", f"{_ROUTE}/notes"): (f"{_AT}/notes", {"text": "seen"}, (403, 201, 201)),
    ("POST", f"{_ROUTE}/void"): (f"{_AT}/void", _WHY, (403, 409, 409)),
    ("POST", f"{_ROUTE}/corrections"): (
        f"{_AT}/corrections",
        _CORRECTION,
        (403, 201, 201),
    ),
    # Who asks is one person in all roles: nobody approves what he proposed.
    ("POST", f"{_ROUTE}/proposals/{{proposal:int}}/approve"): (
        f"{_AT}/proposals/1/approve",
        None,
        (403, 403, 403),
    ),
    ("POST", f"{_ROUTE}/proposals/{{proposal:int}}/reject"): (
        f"{_AT}/proposals/1/reject",
        _WHY,
        (403, 200, 409),
    ),
    ("POST", f"{_ROUTE}/close"): (f"{_AT}/close", {"resolution": "x"}, (403, 409, 409)),
    ("POST", "/support/v1/rounds/{round_id:str}/void"): (
        f"/support/v1/rounds/{OLD}/void",
        _WHY,
        (403, 409, 409),
    ),
    ("GET", "/support/v1/access"): ("/support/v1/access", None, (403, 403, 200)),
}
