"""What the gateway is told on the command line."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class DoorOptions:
    """How the gateway is reached, and by whom.

    Parameters
    ----------
    dev
        For development: a table, a player with money, an operator's key and support
        tokens of our own. Never where money is real.
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
    certificates: Path | None = None
