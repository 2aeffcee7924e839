"""From a certificate to the few figures that a page tells, with how they were made."""

from fractions import Fraction

import msgspec

from blackjack.returns import Returns, SideReturn, file_name
from push22.certify.certificate import Certificate, SideWager


def returns_from(certificate: Certificate) -> Returns:
    main, who = certificate.main_game, certificate.identity
    side = certificate.side_wager
    return Returns(
        rules=who.rules,
        options=who.options,
        engine=who.engine,
        rules_sha256=who.rules_sha256,
        strategy_sha256=who.strategy_sha256,
        rounds=main.rounds,
        seed=main.seed,
        main_percent=round(100 - main.edge_percent, 4),
        margin_percent=round(main.margin_percent, 4),
        side=None if side is None else _side(side),
    )


def _side(side: SideWager) -> SideReturn:
    worth = 1 + Fraction(side.value.fraction)
    return SideReturn(
        name=side.name,
        fraction=f"{worth.numerator}/{worth.denominator}",
        percent=round(100 * float(worth), 4),
    )


def as_file(returns: Returns) -> tuple[str, bytes]:
    """Return the file's name and its bytes."""
    text = msgspec.json.format(msgspec.json.encode(returns), indent=2)
    return file_name(returns.rules, returns.rules_sha256), text + b"\n"
