"""What the house can show afterwards: how the shoe was cut, how a hand was played."""

import asyncio

from blackjack.commitment import cut_of
from blackjack.script import read_script
from contracts.identities import round_id
from contracts.shoe import SeedShare
from push22.casino import Casino
from push22.inspect.history import steps_in
from push22.inspect.reader import Reader
from push22.script_runner import TABLE, ScriptTable
from push22.stacked import stacked_ambient
from services.archive.rebuild import Step, view_at
from tests.rules.played import script_text


def test_lv_10_the_seats_cut_and_in_the_middle_where_nobody_does() -> None:
    """Each seat's seed counts, from the first seat on; none: card 156 of 312."""
    root = bytes(range(32))
    one, two = SeedShare(1, b"1" * 32, b"a" * 32), SeedShare(2, b"2" * 32, b"b" * 32)
    assert cut_of("s", root, 312, ()) == 156
    cuts = [cut_of("s", root, 1 << 32, s) for s in ((one,), (two,), (one, two))]
    assert len(set(cuts)) == 3


def test_lv_34_a_questioned_hand_is_rebuilt_from_the_record() -> None:
    """Every state that hand 1.1 went through, card by card, stands in the log."""
    text = script_text(
        "2h 9c 3d 8d 4s 5s 6h", "1.1 hit", "1.1 hit", "1.1 stand", rules="lv-6d"
    )
    seen = asyncio.run(hands_after_each_event(text, "1.1"))
    assert seen == ["", "2h 3d", "2h 3d 4s", "2h 3d 4s 5s"]


async def hands_after_each_event(text: str, label: str) -> list[str]:
    """Play a script through the casino; return the hand as the log has it, in turn."""
    script = read_script(text)
    ambient, clock = stacked_ambient(script)
    casino = await Casino.in_memory(ambient)
    try:
        await ScriptTable(script, casino, clock).play()
        return states_of(label, steps_in(Reader(casino.host.file), round_id(TABLE, 1)))
    finally:
        await casino.close()


def states_of(label: str, steps: tuple[Step, ...]) -> list[str]:
    views = [view_at(steps, step.sequence) for step in steps]
    hands = [hand for view in views for box in view.boxes for hand in box.hands]
    seen = [" ".join(hand.cards) for hand in hands if hand.label == label]
    return list(dict.fromkeys(seen))
