"""The theoretical return by certificates that `push22 certify --json` has written."""

from pathlib import Path

import msgspec

from push22.certify.certificate import FORMAT, Certificate
from push22.performance import Theory


class NoCertificate(ValueError):
    """A file that should be a certificate is none."""


def theories_in(folder: Path | None) -> dict[str, Theory]:
    """Return what certificates say, by digest of the rules. Raises NoCertificate."""
    if folder is None:
        return {}
    if not folder.is_dir():
        raise NoCertificate(f"{folder}: there is no such directory")
    found: dict[str, Theory] = {}
    for path in sorted(folder.glob("*.json")):
        certificate = _read(path)
        found[certificate.identity.rules_sha256] = theory_of(certificate)
    return found


def _read(path: Path) -> Certificate:
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Certificate)
    except (OSError, msgspec.MsgspecError) as error:
        raise NoCertificate(f"{path}: no certificate: {error}") from error
    if found.format != FORMAT:
        raise NoCertificate(f"{path}: its format is {found.format}, not {FORMAT}")
    return found


def theory_of(certificate: Certificate) -> Theory:
    """The edge is of the initial wagers; what is added later is staked as well."""
    game, side = certificate.main_game, certificate.side_wager
    return Theory(
        round(100 - game.edge_percent / game.staked_per_initial, 4),
        round(100 - side.edge_percent, 4) if side else None,
    )
