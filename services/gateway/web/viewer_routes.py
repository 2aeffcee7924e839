"""The round viewer of the dispute desk: a round again, checked, and tried out."""

import msgspec
from litestar import get
from litestar.handlers import HTTPRouteHandler

from services.gateway.web import guards
from services.gateway.web.answers import documented


class Someone(msgspec.Struct, frozen=True):
    """Who a token is of, and the highest role."""

    name: str
    role: str


@get("/me", guards=[guards.has_role("viewer")], responses=documented(401, 403))
async def signed_in(person: guards.ThePerson) -> Someone:
    """Tell whose token it is."""
    return Someone(person.name, person.role)


def viewer_routes() -> list[HTTPRouteHandler]:
    return [signed_in]
