"""Check the cards of a Push22 shoe: `python verify_cards.py record.json ...`

One file, Python's standard library only, nothing of Push22 imported: read it, then
trust it. While a shoe is in play it proves each shown card; once the shoe is retired,
all of them, the cut and the reshuffle. It cannot see a cut-off end of the record.
"""

# A record is one JSON object:
#
#   {"format": "push22-shoe-record-v1",
#    "shoe_committed": {...}, "shoe_cut": {...} or null,
#    "dealt": [{...}, ...],   all other events of the shoe, in the order of its log
#    "retired": {...} or null}
#
# Each {...} is the `data` of an event as it was published, `type` included; bytes are
# base64. `dealt` may be any unbroken run of events; with `retired` it must begin
# with the shoe's first card. Refused is also what this file does not know: unknown
# fields, events and algorithms.
#
# Not proved here, because no hash of the shoe covers it: `sealed`, `key_id`, `table`
# beyond the shoe's name, labels of places (only `hole` lies face down), the number
# of a round, `demonstration`. The hash chain of the log covers these.

import base64
import hashlib
import hmac
import json
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

FORMAT = "push22-shoe-record-v1"
ALGORITHM = "push22-shoe-v1"
DECK = frozenset(rank + suit for rank in "A23456789TJQK" for suit in "cdhs")

Json = dict[str, Any]
Slot = tuple[int, int]
"""(order, index): order 0 is the shoe, 1 its discards shuffled in mid-round."""


class Refused(Exception):
    """The record does not prove what it says; the text says where."""


def refuse_unless(holds: bool, reason: str) -> None:  # noqa: FBT001
    if not holds:
        raise Refused(reason)


# --- The algorithm `push22-shoe-v1` --------------------------------------------
# number(n) = n as 4 bytes, big-endian; field(x) = number(len(x)) || x.


def number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def field(value: bytes | str) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return number(len(data)) + data


def leaf_of(shoe: str, slot: Slot, card: str, salt: bytes) -> bytes:
    """SHA-256(0 || algorithm || shoe || order || index || card || salt)."""
    place = field(ALGORITHM) + field(shoe) + number(slot[0]) + number(slot[1])
    return hashlib.sha256(b"\x00" + place + field(card) + field(salt)).digest()


def salt_of(secret: bytes, shoe: str, slot: Slot) -> bytes:
    """HMAC-SHA-256 of the slot under the shoe's secret."""
    name = field(ALGORITHM) + field("salt") + field(shoe)
    return hmac.digest(secret, name + number(slot[0]) + number(slot[1]), "sha256")


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def split(size: int) -> int:
    """Return the largest power of two smaller than `size` (RFC 6962, 2.1)."""
    power: int = 1 << ((size - 1).bit_length() - 1)
    return power


def root_of(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    left = split(len(leaves))
    return node(root_of(leaves[:left]), root_of(leaves[left:]))


def proved_root(leaf: bytes, index: int, size: int, proof: list[bytes]) -> bytes:
    """Return the root that an inclusion proof leads to; empty if it has no shape."""
    if size == 1 or not proof:
        return leaf if size == 1 and not proof else b""
    left, sibling = split(size), proof[-1]
    if index < left:
        inner = proved_root(leaf, index, left, proof[:-1])
        return inner and node(inner, sibling)
    inner = proved_root(leaf, index - left, size - left, proof[:-1])
    return inner and node(sibling, inner)


def words(purpose: str, data: bytes) -> Iterator[int]:
    """SHAKE-256 in numbered blocks of 64 bytes, read as 4-byte words."""
    block = 0
    while True:
        text = field(ALGORITHM) + field(purpose) + number(block) + data
        digest = hashlib.shake_256(text).digest(64)
        yield from (int.from_bytes(digest[i : i + 4], "big") for i in range(0, 64, 4))
        block += 1


def below(limit: int, source: Iterator[int]) -> int:
    """Return the next word's lowest bits that are below `limit`; others are dropped."""
    bits = (limit - 1).bit_length()
    return next(low for word in source if (low := word & ((1 << bits) - 1)) < limit)


def shares_text(shares: list[Json]) -> bytes:
    """Per box: its number, then 1 and the seed, or 0 and the unopened seed's hash."""
    text = b""
    for share in shares:
        opened = b"\x01" + field(share["seed"])
        shut = b"\x00" + field(share["seed_hash"])
        text += number(share["box"]) + (opened if share["seed"] else shut)
    return text


def cut_of(shoe: str, root: bytes, cards: int, shares: list[Json]) -> int:
    if not shares:
        return cards // 2
    return below(cards, words("cut", field(shoe) + field(root) + shares_text(shares)))


def reshuffled(
    shoe: str, reserve: bytes, shares: list[Json], discards: list[int]
) -> list[int]:
    """Fisher-Yates from the last place down, over the discards in index order."""
    source = words("discards", field(shoe) + field(reserve) + shares_text(shares))
    order = list(discards)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1, source)
        order[last], order[other] = order[other], order[last]
    return order


# --- Reading a record, strictly -------------------------------------------------
# name:kind; `?` marks a field that is left out at its default, `[x]` a list.


def fields_of(text: str) -> dict[str, str]:
    return dict(pair.split(":") for pair in text.split())


CARD = fields_of(
    "place:text index:int leaf:hash card:text? salt:bytes? proof:[hash]? order:int?"
)
SHARE = fields_of("box:int seed_hash:hash seed:bytes?")
IN_SHOE = "type:text shoe:text "
IN_ROUND = IN_SHOE + "round_id:text "
EVENTS = {
    "shoe.shoe_committed.v1": fields_of(
        IN_SHOE + "table:text decks:int cut_card_at:int algorithm:text root:hash "
        "reserve_hash:hash sealed:bytes key_id:text demonstration:bool?"
    ),
    "shoe.shoe_cut.v1": fields_of(IN_SHOE + "cut:int shares:[share]?"),
    "shoe.card_burned.v1": fields_of(IN_ROUND + "index:int leaf:hash order:int?"),
    "shoe.burned_card_shown.v1": fields_of(IN_ROUND + "card:card"),
    "shoe.cards_dealt.v1": fields_of(
        IN_ROUND + "request:int cards:[card] cards_out:int"
    ),
    "shoe.cut_card_reached.v1": fields_of(IN_ROUND + "cards_out:int"),
    "shoe.discards_shuffled.v1": fields_of(IN_ROUND + "order:int cards:int root:hash"),
    "shoe.hole_looked.v1": fields_of(IN_ROUND + "index:int natural:bool order:int?"),
    "shoe.hole_revealed.v1": fields_of(IN_ROUND + "card:card"),
    "shoe.shoe_retired.v1": fields_of(
        IN_SHOE + "order:text secret:bytes reserve:bytes"
    ),
}
OBJECTS = {"card": CARD, "share": SHARE}
TYPES: dict[str, type] = {"text": str, "int": int, "bool": bool}
DEFAULTS: Json = {"text": "", "bytes": b"", "int": 0, "bool": False}


def read_object(value: Any, fields: dict[str, str], where: str) -> Json:
    refuse_unless(isinstance(value, dict), f"{where}: not an object")
    unknown = sorted(set(value) - set(fields))
    refuse_unless(not unknown, f"{where}: unknown fields {unknown}")
    found = {}
    for name, kind in fields.items():
        bare = kind.removesuffix("?")
        if name in value:
            found[name] = read_value(value[name], bare, f"{where}.{name}")
        else:
            refuse_unless(bare != kind, f"{where}: {name} is missing")
            found[name] = [] if bare.startswith("[") else DEFAULTS[bare]
    return found


def read_value(value: Any, kind: str, where: str) -> Any:
    if kind.startswith("["):
        refuse_unless(isinstance(value, list), f"{where}: not a list")
        return [read_value(one, kind[1:-1], where) for one in value]
    if kind in OBJECTS:
        return read_object(value, OBJECTS[kind], where)
    if kind in ("bytes", "hash"):
        return read_bytes(value, kind, where)
    refuse_unless(type(value) is TYPES[kind], f"{where}: not of type {kind}")
    refuse_unless(kind != "int" or 0 <= value < 1 << 32, f"{where}: out of range")
    return value


def read_bytes(value: Any, kind: str, where: str) -> bytes:
    try:
        data = base64.b64decode(value, validate=True)
    except (TypeError, ValueError) as error:
        raise Refused(f"{where}: not base64") from error
    # Base64 has spare bits at its end: the same bytes must not be written in two ways.
    refuse_unless(base64.b64encode(data).decode() == value, f"{where}: not base64")
    refuse_unless(kind != "hash" or len(data) == 32, f"{where}: not 32 bytes")
    return data


def read_event(value: Any, where: str) -> Json:
    tag = value.get("type") if isinstance(value, dict) else None
    known = isinstance(tag, str) and tag in EVENTS
    refuse_unless(known, f"{where}: unknown event {tag!r}")
    return read_object(value, EVENTS[str(tag)], f"{where} {tag}")


def read_named(document: Json, name: str) -> Json | None:
    if document.get(name) is None:
        return None
    event = read_event(document[name], name)
    refuse_unless(event["type"].split(".")[1].endswith(name), f"{name}: another event")
    return event


# --- The checks -------------------------------------------------------------------


class Shoe:
    """Follows a shoe's events; each method refuses what its event does not prove."""

    def __init__(self, committed: Json, cut: Json | None, *, whole: bool) -> None:
        self.shoe: str = committed["shoe"]
        self.size: int = committed["decks"] * len(DECK)
        self.roots: dict[int, tuple[bytes, int]] = {0: (committed["root"], self.size)}
        self.committed, self.whole = committed, whole
        self.cut: int | None = cut["cut"] if cut else None
        self.shares: list[Json] = cut["shares"] if cut else []
        self.out: int | None = 0 if whole else None
        self.request: int | None = 0 if whole else None
        self.round, self.round_first, self.up_card = "", 0, ""
        self.leaves: dict[Slot, bytes] = {}
        self.shown: dict[Slot, str] = {}
        self.hidden: set[Slot] = set()
        self.burned: list[Slot] = []
        self.burned_shown: dict[Slot, set[str]] = {}
        self.looks: dict[Slot, tuple[str, bool]] = {}
        self.discards: list[int] = []

    def check_commitment(self) -> None:
        known = self.committed["algorithm"] == ALGORITHM
        refuse_unless(known, "an unknown algorithm; look for a newer verifier")
        table = self.shoe.removeprefix("shoe-").rpartition("-")[0]
        refuse_unless(table == self.committed["table"] != "", "a shoe of another table")
        refuse_unless(1 <= self.committed["decks"] <= 64, "not a number of decks")

    def check_cut(self) -> None:
        boxes = [share["box"] for share in self.shares]
        refuse_unless(boxes == sorted(set(boxes)), "cut: shares are not in box order")
        for share in self.shares:
            opened = hashlib.sha256(share["seed"]).digest() == share["seed_hash"]
            refuse_unless(opened or not share["seed"], "cut: a seed has another hash")
        due = cut_of(self.shoe, self.committed["root"], self.size, self.shares)
        refuse_unless(self.cut == due, f"cut: {self.cut}, but the seeds give {due}")

    def follow(self, event: Json) -> None:
        refuse_unless(event["shoe"] == self.shoe, "an event of another shoe")
        refuse_unless("round_id" in event, "an event that is not of a round")
        self.enter_round(event["round_id"])
        name = event["type"].split(".")[1]
        getattr(self, f"follow_{name}")(event)

    def enter_round(self, round_id: str) -> None:
        table, _, digits = round_id.removeprefix("round-").rpartition("-")
        named = table == self.committed["table"] and digits.isdecimal()
        refuse_unless(named, f"{round_id!r} is no round of this table")
        if round_id == self.round:
            return
        later = not self.round or int(digits) > int(self.round.rpartition("-")[2])
        refuse_unless(later, f"{round_id} comes after {self.round}")
        if self.round or self.whole:
            self.request = 0
        self.round, self.round_first, self.up_card = round_id, len(self.leaves), ""

    def leave(self, slot: Slot, leaf: bytes) -> None:
        """Take the card that is next, from the cut on and around, then order 1."""
        order, index = slot
        if self.cut is not None:
            here = (index - self.cut) % self.size if order == 0 else self.size + index
            at = here if self.out is None else self.out
            first = (0, (self.cut + at) % self.size)
            due = first if at < self.size else (1, at - self.size)
            refuse_unless(slot == due, f"card {at + 1}: {slot} left, {due} was next")
            self.out = at + 1
        refuse_unless(slot not in self.leaves, f"{slot} left the shoe twice")
        self.leaves[slot] = leaf

    def prove(self, card: Json) -> None:
        """Check a shown card: its leaf, and the leaf's place under the root."""
        slot = (card["order"], card["index"])
        refuse_unless(slot not in self.shown, f"{slot} was shown twice")
        refuse_unless(card["card"] in DECK, f"{card['card']!r} is no card")
        refuse_unless(len(card["salt"]) >= 16, f"{slot}: the salt is too short")
        leaf = leaf_of(self.shoe, slot, card["card"], card["salt"])
        refuse_unless(leaf == card["leaf"], f"{slot}: not the card of its leaf")
        refuse_unless(leaf == self.leaves.get(slot, leaf), f"{slot}: another card left")
        refuse_unless(slot[0] in self.roots, f"{slot}: its order has no root")
        root, size = self.roots[slot[0]]
        refuse_unless(slot[1] < size, f"{slot} is not in the shoe")
        found = proved_root(leaf, slot[1], size, card["proof"])
        refuse_unless(found == root, f"{slot}: not under the root")
        self.shown[slot] = card["card"]
        self.check_look(slot)

    def check_look(self, slot: Slot) -> None:
        """Check the dealer's look at a hole card, once the card is known."""
        if slot in self.looks and slot in self.shown and self.looks[slot][0]:
            up_card, natural = self.looks[slot]
            ranks = {up_card[0], self.shown[slot][0]}
            made = "A" in ranks and bool(ranks & set("TJQK"))
            refuse_unless(natural == made, f"{slot}: the look's answer was untrue")

    def follow_cards_dealt(self, event: Json) -> None:
        due = None if self.request is None else self.request + 1
        refuse_unless(due in (None, event["request"]), "a request is missing")
        self.request = event["request"]
        refuse_unless(bool(event["cards"]), "nothing was dealt")
        for card in event["cards"]:
            slot = (card["order"], card["index"])
            self.leave(slot, card["leaf"])
            if card["place"] == "hole":
                bare = not (card["card"] or card["salt"] or card["proof"])
                refuse_unless(bare, f"{slot}: a hole card was dealt open")
                self.hidden.add(slot)
            else:
                self.prove(card)
            if card["place"] == "dealer":
                self.up_card = card["card"]
        self.check_count(event["cards_out"])

    def follow_card_burned(self, event: Json) -> None:
        slot = (event["order"], event["index"])
        refuse_unless(slot[0] == 0, f"{slot}: burned from the discards")
        self.leave(slot, event["leaf"])
        self.burned.append(slot)

    def follow_burned_card_shown(self, event: Json) -> None:
        slot = (event["card"]["order"], event["card"]["index"])
        is_last = self.burned[-1:] == [slot] or not (self.burned or self.whole)
        refuse_unless(is_last, f"{slot} is not the card that was burned last")
        rounds = self.burned_shown.setdefault(slot, set())
        refuse_unless(event["round_id"] not in rounds, f"{slot} was shown twice")
        if rounds:
            # Every round may ask for it again: it is proved each time.
            del self.shown[slot]
        rounds.add(event["round_id"])
        self.prove(event["card"])

    def follow_hole_looked(self, event: Json) -> None:
        slot = (event["order"], event["index"])
        refuse_unless(slot in self.hidden or not self.whole, f"{slot} lies not hidden")
        refuse_unless(slot not in self.looks, f"{slot} was looked at twice")
        self.looks[slot] = (self.up_card, event["natural"])

    def follow_hole_revealed(self, event: Json) -> None:
        slot = (event["card"]["order"], event["card"]["index"])
        refuse_unless(slot in self.hidden or not self.whole, f"{slot} lies not hidden")
        refuse_unless(event["card"]["place"] == "hole", f"{slot} is not the hole card")
        self.prove(event["card"])

    def follow_cut_card_reached(self, event: Json) -> None:
        self.check_count(event["cards_out"])
        past = 0 < self.committed["cut_card_at"] <= event["cards_out"]
        refuse_unless(past or 1 in self.roots, "the cut card came too early")

    def follow_discards_shuffled(self, event: Json) -> None:
        refuse_unless(1 not in self.roots, "the discards were shuffled twice")
        refuse_unless(event["order"] == 1, "the second order is number 1")
        refuse_unless(event["cards"] >= 1, "no discards were shuffled")
        earlier = list(self.leaves)[: self.round_first]
        self.roots[1] = (event["root"], event["cards"])
        self.discards = sorted(slot[1] for slot in earlier if slot not in self.burned)

    def check_count(self, cards_out: int) -> None:
        known = self.out in (None, cards_out)
        refuse_unless(known, f"{cards_out} cards out, but {self.out} left")

    def check_retired(self, retired: Json) -> None:
        refuse_unless(retired["shoe"] == self.shoe, "another shoe was retired")
        text, secret, reserve = (
            retired[name] for name in ("order", "secret", "reserve")
        )
        cards = [text[i : i + 2] for i in range(0, len(text), 2)]
        decks = Counter(dict.fromkeys(DECK, self.committed["decks"]))
        refuse_unless(Counter(cards) == decks, "not the cards of complete decks")
        refuse_unless(len(secret) == 32, "the secret is not 32 bytes")
        refuse_unless(len(reserve) == 512, "the reserve is not 512 bytes")
        same = hashlib.sha256(reserve).digest() == self.committed["reserve_hash"]
        refuse_unless(same, "another reserve than the committed one")
        self.check_order(0, cards, secret)
        if 1 in self.roots:
            again = reshuffled(self.shoe, reserve, self.shares, self.discards)
            self.check_order(1, [cards[index] for index in again], secret)

    def check_order(self, order: int, cards: list[str], secret: bytes) -> None:
        """Check the root over all cards, then every card that left this order."""
        leaves = []
        for index, card in enumerate(cards):
            salt = salt_of(secret, self.shoe, (order, index))
            leaves.append(leaf_of(self.shoe, (order, index), card, salt))
        root, size = self.roots[order]
        refuse_unless(len(cards) == size, f"order {order}: not {size} cards")
        refuse_unless(root_of(leaves) == root, f"order {order}: another root")
        for slot, leaf in self.leaves.items():
            if slot[0] == order:
                same = slot[1] < size and leaf == leaves[slot[1]]
                refuse_unless(same, f"{slot}: not the card of the committed order")
                self.shown[slot] = cards[slot[1]]
                self.check_look(slot)


def check(document: Any) -> str:
    """Return what a record proves, in a sentence. Raises Refused."""
    refuse_unless(isinstance(document, dict), "a record is a JSON object")
    names = {"format", "shoe_committed", "shoe_cut", "dealt", "retired"}
    refuse_unless(set(document) == names, f"a record has exactly {sorted(names)}")
    refuse_unless(document["format"] == FORMAT, "another format")
    refuse_unless(isinstance(document["dealt"], list), "dealt: not a list")
    committed, cut, retired = (
        read_named(document, name) for name in ("shoe_committed", "shoe_cut", "retired")
    )
    if committed is None:
        raise Refused("without a commitment nothing is proved")
    shoe = Shoe(committed, cut, whole=retired is not None)
    shoe.check_commitment()
    if cut is not None:
        refuse_unless(cut["shoe"] == shoe.shoe, "the cut of another shoe")
        shoe.check_cut()
    for place, value in enumerate(document["dealt"]):
        shoe.follow(read_event(value, f"dealt[{place}]"))
    if retired is not None:
        refuse_unless(bool(cut) or not shoe.leaves, "a dealt shoe without a cut")
        shoe.check_retired(retired)
    return verdict(shoe, retired=retired is not None)


def verdict(shoe: Shoe, *, retired: bool) -> str:
    kind = "demonstration shoe" if shoe.committed["demonstration"] else "shoe"
    if retired:
        left = len(shoe.leaves)
        return f"{kind} {shoe.shoe}: retired, all {left} cards that left it proved"
    return f"{kind} {shoe.shoe}: {len(shoe.shown)} shown cards proved, not retired yet"


def distinct(pairs: list[tuple[str, Any]]) -> Json:
    """Refuse an object that names a field twice: readers would differ about it."""
    found = dict(pairs)
    refuse_unless(len(found) == len(pairs), "a field is named twice")
    return found


def check_text(text: bytes | str) -> str:
    """Return what a record's JSON text proves. Raises Refused."""
    try:
        document = json.loads(text, object_pairs_hook=distinct)
    except (ValueError, RecursionError) as error:
        raise Refused(f"not JSON: {error}") from error
    return check(document)


def checked(name: str) -> int:
    """Check one file and say what came of it: 1 if refused, 2 if it is not read."""
    try:
        with open(name, "rb") as file:  # noqa: PTH123 - one plain call
            text = file.read()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        why = f"cannot be read: {why[:1].lower()}{why[1:]}"
        sys.stderr.write(f"{name}: {why}; nothing was checked\n")
        return 2
    try:
        sys.stdout.write(f"OK       {name}: {check_text(text)}\n")
    except Refused as error:
        sys.stdout.write(f"REFUSED  {name}: {error}\n")
        return 1
    return 0


def main(names: list[str]) -> int:
    """Check each file. Exit 1 if one is refused; else 2 if one cannot be read."""
    if not names:
        sys.stderr.write("usage: python verify_cards.py record.json ...\n")
        return 2
    codes = {checked(name) for name in names}
    return 1 if 1 in codes else max(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
