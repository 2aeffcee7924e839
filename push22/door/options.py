"""What the gateway is told on the command line."""

from dataclasses import dataclass
from pathlib import Path

from contracts.identities import is_currency
from push22.errors import Failure


@dataclass(frozen=True, slots=True)
class DoorOptions:
    """How the gateway is reached, and by whom.

    Parameters
    ----------
    dev
        For development: a table, a player with money, an operator's key and support
        tokens of our own. Never where money is real, and not beside oidc_issuer.
    operators
        TOML file of the operators and their keys.
    address
        Where players' browsers find the gateway; else http://HOST:PORT.
    frame_ancestors
        Who may show the pages in a frame, as in Content-Security-Policy.
    proxies
        Addresses of proxies whose X-Forwarded-For is believed, by commas.
    oidc_issuer
        The identity provider of support.
    oidc_audience
        The audience that its tokens are made for.
    oidc_jwks
        Its keys: a file, or an address.
    connections
        So many may be open at once.
    connections_per_address
        So many of one address, but for those of `proxies`.
    alone
        What one person of support may void or correct alone, in minor units by
        currency: EUR=5000,USD=5000. Of a currency that is not named: nothing.
    certificates
        A directory of rule sets' certificates (`push22 certify --json`): what reports
        set beside the actual return.

    """

    dev: bool = False
    operators: Path | None = None
    address: str = ""
    frame_ancestors: str = "'none'"
    proxies: str = ""
    oidc_issuer: str = ""
    oidc_audience: str = "push22"
    oidc_jwks: str = ""
    connections: int = 10_000
    connections_per_address: int = 256
    alone: str = ""
    certificates: Path | None = None

    def check_issuer(self) -> None:
        """Refuse a second issuer of support's tokens. Raises Failure.

        With two, one human has two names and could approve what he proposed himself,
        and two humans could share one.
        """
        if self.dev and self.oidc_issuer:
            text = "not beside --oidc-issuer: one issuer alone says who is who"
            raise Failure("--dev", text, exit_code=2)

    def thresholds(self) -> dict[str, int]:
        """Read `alone`. Raises Failure."""
        found = {}
        for item in filter(None, self.alone.split(",")):
            currency, _, amount = item.strip().partition("=")
            is_amount = amount.isascii() and amount.isdigit() and len(amount) <= 15
            if not (is_currency(currency) and is_amount):
                raise Failure("--alone", f"{item!r} is not like EUR=5000", exit_code=2)
            found[currency] = int(amount)
        return found
