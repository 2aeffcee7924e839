"""A round's evidence pack, for whoever resolves a dispute about it."""

from typing import Annotated

from litestar import Response, get
from litestar.concurrency import sync_to_thread
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter

from services.gateway.packs import PackAsked
from services.gateway.web import guards
from services.gateway.web.answers import documented
from services.gateway.web.parameters import OfCase, RoundPath, WholePlayerFilter

Note = Annotated[str, QueryParameter(max_length=2000)]


@get(
    "/rounds/{round_id:str}/evidence",
    guards=[guards.has_role("resolver")],
    media_type="application/zip",
    responses=documented(401, 403, 404, 409, 503),
)
async def evidence(  # noqa: PLR0913 - what is noted in the pack
    door: guards.TheDoor,
    person: guards.ThePerson,
    *,
    round_id: RoundPath,
    case: OfCase = "",
    note: Note = "",
    player: WholePlayerFilter = "",
) -> Response[bytes]:
    """Make the signed evidence pack of a round that has ended."""
    asked = PackAsked(
        round_id=round_id, by=person.name, case=case, note=note, player=player
    )
    made = await sync_to_thread(door.packs.make, asked)
    name = f'attachment; filename="evidence-{round_id}.zip"'
    return Response(
        made,
        media_type="application/zip",
        headers={"Content-Disposition": name},
    )


def evidence_routes() -> list[HTTPRouteHandler]:
    return [evidence]
