"""The report of a pack: a round for somebody who knows nothing of the machinery."""

from collections.abc import Iterator
from typing import NamedTuple

from contracts import ENGINE_VERSION
from contracts.round_events import RoundClosed
from push22.evidence.card_drawing import BLACK
from push22.evidence.felt import Spread, draw_box
from push22.evidence.gather import Gathered
from push22.evidence.page import WIDTH, Page
from push22.evidence.plain_words import place_words
from push22.evidence.tables import operators_of
from push22.evidence.telling import happened, results, settled, total_words
from push22.inspect.money import moment, money
from push22.inspect.round_balances import CORRECTED, Balances, corrected
from services.archive.rebuild import BoxView, HandView

_GOOD, _BAD = (0, 110, 60), (178, 24, 32)
_STATUS = {
    "settled": "played to its end and settled",
    "void": "voided by support",
    "abandoned": "ended without a bet",
}


class About(NamedTuple):
    """Who made the pack and what for. `records` is the digest of the records' bytes."""

    made_at: int
    made_by: str
    case: str
    note: str
    records: str
    key_id: str


def report_of(found: Gathered, about: About) -> bytes:
    """Return the report as a PDF: the same bytes for the same round and `about`."""
    pdf = Page(found.round_id, about.made_at)
    pdf.add_page()
    _front(pdf, found, about)
    _table(pdf, found)
    _settlement(pdf, found)
    _timeline(pdf, found)
    _checks(pdf, found, about)
    return bytes(pdf.output())


def _front(pdf: Page, found: Gathered, about: About) -> None:
    terms = found.terms
    status = next(found.of(RoundClosed)).status
    pdf.big_title(f"Round {found.round_id}", f"Evidence pack: {_STATUS[status]}")
    rows = [
        ("operator", " ".join(operators_of(found)) or "none"),
        ("table", f"{terms.table}, shoe {terms.shoe}, amounts in {terms.currency}"),
        ("opened", f"{moment(found.opened_at)} UTC"),
        ("closed", f"{moment(found.closed_at)} UTC"),
        ("rules", f"{terms.rule_set}, engine {terms.engine}"),
        ("rules' digest", terms.rule_set_digest),
        ("made", f"{moment(about.made_at)} UTC by {about.made_by}"),
    ]
    rows += [("case", about.case)] if about.case else []
    rows += [("note", about.note)] if about.note else []
    if found.eyes.player:
        rows.append(("made for", f"{found.eyes.player}; other players are not named"))
    pdf.facts(rows)
    _verdict(pdf, found)


def _verdict(pdf: Page, found: Gathered) -> None:
    again = found.again
    pdf.ln(2)
    pdf.set_text_color(*(_GOOD if again.is_match else _BAD))
    pdf.paragraph(f"Executed again: {again.verdict}", size=12, bold=True)
    pdf.set_text_color(*BLACK)
    if again.is_match:
        text = (
            "From the recorded inputs the rules lead to exactly these events, cards "
            "and amounts."
        )
        pdf.paragraph(text)
        return
    pdf.paragraph(f"First record that differs: {again.record}. {again.text}")


def _table(pdf: Page, found: Gathered) -> None:
    view = found.view
    pdf.heading("How the table stood at the end", room=60)
    dealer = view.dealer
    hidden = ("??",) if dealer.face_down else ()
    cards = (*dealer.cards, *hidden)
    said = "shows" if dealer.face_down else "total"
    total = f"{said} {dealer.total}" if dealer.total else ""
    if cards:
        draw_box(pdf, "Dealer", [Spread(total, cards, ())])
    else:
        pdf.paragraph("No card was dealt.")
    ends = results(found)
    for box in view.boxes:
        draw_box(pdf, f"Box {box.box}: {box.player}", list(_spreads(box, ends)))


def _spreads(box: BoxView, ends: dict[str, str]) -> Iterator[Spread]:
    """Return a box's hands; before a deal, its bet."""
    if not box.hands:
        bet = " + ".join(map(money, box.wagers_minor))
        yield Spread("no cards", (), (f"bet {bet}",))
    for hand in box.hands:
        caption = place_words(hand.label).partition(", ")[2]
        yield Spread(caption, hand.cards, tuple(_below(hand, ends)))


def _below(hand: HandView, ends: dict[str, str]) -> Iterator[str]:
    yield f"{total_words(hand)}, stake {money(hand.stake_minor)}"
    for label, end in ends.items():
        if label == hand.label:
            yield end
        elif label.startswith(f"{hand.label}.circle_"):
            yield f"circle {label.rpartition('_')[2]}: {end}"


def _settlement(pdf: Page, found: Gathered) -> None:
    pdf.heading("What each wager won or lost", room=50)
    rows = list(settled(found))
    if rows:
        heads = ["wager", "player", "result", "stake", "back", "net", "why"]
        widths = (24, 26, 17, 16, 16, 17, 64)
        pdf.grid(heads, widths, rows, numbers=(3, 4, 5))
    else:
        pdf.paragraph("There was no wager to settle.")
    _balances(pdf, found)
    _corrections(pdf, found)


def _balances(pdf: Page, found: Gathered) -> None:
    pdf.heading("Balances")
    balances = Balances(found.steps)
    if not balances.rows:
        pdf.paragraph("No money moved.")
        return
    numbers = range(1, len(balances.heads))
    widths = (WIDTH - 24 * len(numbers), *[24] * len(numbers))
    pdf.grid(balances.heads, widths, balances.rows, numbers=numbers)
    for note in balances.notes:
        pdf.paragraph(note, size=8.5)


def _corrections(pdf: Page, found: Gathered) -> None:
    rows = corrected(found.steps)
    if not rows:
        return
    pdf.heading("Corrections", room=40)
    text = "Cases put this right of the round: no part of what it won or lost."
    pdf.paragraph(text)
    widths = (28, 26, 18, 24, 24, 18, 21, 21)
    pdf.grid(CORRECTED, widths, rows, numbers=(2, 6, 7))


def _timeline(pdf: Page, found: Gathered) -> None:
    pdf.heading("What happened, step by step", room=50)
    pdf.paragraph("Times of day are UTC. What the table does follows from the rules.")
    pdf.grid(("time", "who", "what"), (22, 30, 128), happened(found))


def _checks(pdf: Page, found: Gathered, about: About) -> None:
    pdf.heading("What was checked, and how to check it again", room=60)
    terms = found.terms
    again = (
        f"Engine {ENGINE_VERSION} made every decision of the round again from its "
        f"recorded input; the round was played by engine {terms.engine}. The verdict "
        f"is {found.again.verdict}."
    )
    proved = (
        "Each open card was proved to lie where it lay in the order that was fixed, by "
        f"the root {terms.shoe_root.hex()}, before the first bet."
    )
    signed = (
        f"The archive signed this pack with key {about.key_id}. Ask the casino, or who "
        "keeps its keys for you, for the public keys, and compare: keys that come with "
        "a pack prove nothing about who made it."
    )
    for text in (again, proved, signed):
        pdf.paragraph(text)
    pdf.facts(
        [
            ("records", f"{len(found.shown)}, records.jsonl has SHA-256"),
            ("", about.records),
            ("to verify", "python verify.py PACK.zip --keys KEYS.json"),
            ("needs", "Python 3.9 or newer, and nothing else; no connection is made"),
        ]
    )
