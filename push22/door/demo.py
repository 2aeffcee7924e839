"""What `push22 serve --dev` has ready: a table, a player with money, a link."""

from contracts import table as t
from contracts.identities import DEFAULT_CURRENCY, DEFAULT_OPERATOR
from push22.casino import PLATFORM, Casino
from services.gateway.door import Door
from services.gateway.tokens import Pass

TABLE = "t1"
RULES = "ny-switch-6d"
PLAYER = f"{DEFAULT_OPERATOR}.demo"
BANKROLL_MINOR = 1_000_000
_ONCE = "            good once, within an hour; for another, stop this and start again"
_LINK_US = 3600 * 1_000_000


class Demo:
    """Makes it, where it is not there already."""

    def __init__(self, casino: Casino, door: Door) -> None:
        self._casino = casino
        self._door = door

    async def lines(self) -> list[str]:
        opening = t.OpenTable(TABLE, RULES, DEFAULT_CURRENCY)
        await self._casino.host.submit(self._casino.envelope(opening, PLATFORM))
        balance = await self._door.casino.balance(PLAYER, DEFAULT_CURRENCY)
        if not balance.minor:
            await self._casino.deposit(PLAYER, DEFAULT_CURRENCY, BANKROLL_MINOR)
        await self._casino.host.settle()
        return [f"demo        {self._link()}", _ONCE]

    def _link(self) -> str:
        """Return a link that is good for an hour: whoever reads it is no machine."""
        casino = self._door.casino
        expires_at = casino.now() + _LINK_US
        bound = Pass(PLAYER, DEFAULT_CURRENCY, TABLE, casino.new_id(), expires_at)
        token = self._door.tokens.make("launch", bound)
        return f"{self._door.address}/play/{TABLE}#launch={token}"
