"""A used-up shoe reveals everything, once, and then only answers repeats."""

from contracts import shoe as s
from services.shoe import SHOE
from services.shoe.contents import ORDERS, Order, Orders
from tests.decisions.shoe.tables import (
    NEXT_ROUND,
    RESERVE,
    SECRET,
    Shoe,
    cards_requested,
    look_requested,
    new_shoe,
    reveal_requested,
    shoe_discarded,
    shoe_requested,
)
from tests.decisions.shoe.tables import SHOE as ID


def retired() -> Shoe:
    shoe = new_shoe()
    shoe.send(cards_requested("1.1", "dealer", "hole"))
    shoe.send(shoe_discarded())
    return shoe


def test_f6_retirement_reveals_order_secret_and_reserve() -> None:
    """All that was sealed, in the words of the record."""
    pack = "".join(rank + suit for suit in "cdhs" for rank in "A23456789TJQK")
    new_shoe().outcome(shoe_discarded()).then(s.ShoeRetired(ID, pack, SECRET, RESERVE))


def test_a_second_discard_is_quiet() -> None:
    """A shoe retires once."""
    new_shoe().outcome(shoe_discarded()).then_quiet_when_repeated()


def test_a_retired_shoe_is_over_and_forgets_its_sealed_order() -> None:
    """Its state is small and leaves memory; until then it is not terminal."""
    state = retired().state
    assert SHOE.is_terminal(state)
    assert not hasattr(state, "sealed")
    assert not SHOE.is_terminal(new_shoe().state)
    assert not SHOE.is_terminal(SHOE.initial(ID))


def test_a_retired_shoe_answers_repeats_with_silence() -> None:
    """Everything that its last round had asked is known; nothing is unsealed."""
    shoe = retired()
    for message in (
        shoe_requested(),
        shoe_discarded(),
        cards_requested("1.1"),
        look_requested(28, "2h"),
        reveal_requested(28),
    ):
        shoe.outcome(message).then_nothing()
        assert SHOE.needs(message, shoe.state) == ()


def test_a_retired_shoe_deals_no_card() -> None:
    """Asked for more by its last round or by a new one, it stops."""
    shoe = retired()
    shoe.outcome(cards_requested("1.1", request=2)).then_stops()
    shoe.outcome(cards_requested("1.1", round_id=NEXT_ROUND)).then_stops()


def test_a_shoe_that_was_never_committed_does_not_retire() -> None:
    """There is nothing to reveal: it stops."""
    Shoe().outcome(shoe_discarded()).then_stops()


def test_nothing_of_a_shoe_out_of_use_stays_in_memory() -> None:
    """Its tree has 60 kB, and a table uses up a shoe in two dozen rounds."""
    ORDERS.forget(ID)
    before = len(ORDERS)
    shoe = new_shoe()
    shoe.send(cards_requested("1.1", "dealer", "hole"))
    assert len(ORDERS) == before + 1
    shoe.send(shoe_discarded())
    assert len(ORDERS) == before


def test_no_more_orders_are_remembered_than_are_bounded() -> None:
    """Of shoes the one longest unused goes first, of a shoe's orders the oldest."""
    built: list[str] = []

    def get(shoe: str, number: int) -> None:
        def build() -> Order:
            built.append(f"{shoe}{number}")
            return Order(shoe, number, (), b"", ())

        assert orders.get(shoe, (number,), build).number == number

    orders = Orders(2)
    for name in ("a1", "a2", "a3", "a2", "a3", "b1", "a3", "c1", "a3", "a1", "b1"):
        get(name[0], int(name[1]))
    assert built == ["a1", "a2", "a3", "b1", "c1", "a1", "b1"]
    assert len(orders) == 2
