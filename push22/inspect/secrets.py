"""What a retired shoe has revealed: with it, its decisions can be made again.

No key is used here. Before a shoe retires there is nothing to give (H11).
"""

from blackjack.cards import CODES
from blackjack.shuffle import CARDS_PER_DECK
from contracts import catalog
from contracts import shoe as s
from contracts.base import tag_of
from contracts.envelope import Envelope
from services.archive.reexecute import Reveal, Secrets
from services.shoe import contents

_RETIRED = tag_of(s.ShoeRetired)
_COMMITTED = tag_of(s.ShoeCommitted)


def of_shoe(records: list[Envelope]) -> Secrets | None:
    """Return the ambient values of a shoe whose last record retired it."""
    if records[-1].type != _RETIRED or records[0].type != _COMMITTED:
        return None
    committed = catalog.decode_event(records[0])
    retired = catalog.decode_event(records[-1])
    order = _physical(retired.order)
    plain = contents.pack(order, retired.secret, retired.reserve)
    return Secrets(
        ambient={
            "order": order,
            "secret": retired.secret,
            "reserve": retired.reserve,
            "contents": plain,
        },
        key_id=committed.key_id,
        sealed=committed.sealed,
        demonstration=committed.demonstration,
    )


def _physical(cards: str) -> bytes:
    """Number equal cards through: any numbering gives the same sealed text."""
    seen: dict[int, int] = {}
    order = []
    for at in range(0, len(cards), 2):
        code = CODES[cards[at : at + 2]]
        order.append(code + CARDS_PER_DECK * seen.get(code, 0))
        seen[code] = seen.get(code, 0) + 1
    return b"".join(card.to_bytes(2, "big") for card in order)


REVEALS: dict[str, Reveal] = {"shoe": of_shoe}
