"""Who asks too often is told to wait, and nobody else is."""

from pathlib import Path
from typing import Any

from house import house

from services.gateway.rates import Buckets, Rate

ONE = Rate(1, 2)
OFTEN = 3


async def codes(ask: Any) -> list[int]:
    return [(await ask()).status_code for _ in range(OFTEN)]


async def test_operators_players_and_people_have_bounds_of_their_own(
    tmp_path: Path,
) -> None:
    """Two at once, the third has to wait; others and a second later are let in."""
    async with house(tmp_path) as the:
        tokens = [await the.session(name) for name in ("alice", "bob")]
        the.door.players, the.door.operators = Buckets(ONE), Buckets(ONE)
        the.door.people = Buckets(ONE)

        def of_operator(operator: str) -> Any:
            path = "/operator/v1/tables"
            return lambda: the.http.send(the.signed("GET", path, operator=operator))

        def with_token(path: str, token: str) -> Any:
            return lambda: the.play("GET", path, token)

        askers = [
            *(of_operator(name) for name in ("acme", "rival")),
            *(with_token("/player/v1/me", token) for token in tokens),
            *(
                with_token("/support/v1/me", the.support("viewer", name))
                for name in ("rita", "adam")
            ),
        ]
        found = [await codes(ask) for ask in askers]
        refused = await askers[0]()
        the.clock.advance(seconds=1)
        later = [(await ask()).status_code for ask in askers]

    assert found == [[200, 200, 429]] * len(askers)
    assert refused.json()["reason"] == "too_many_requests"
    assert refused.headers["retry-after"] == "1"
    assert later == [200] * len(askers)
