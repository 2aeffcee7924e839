"""A script that can't be read says at which key, and what is wrong with it."""

import pytest

from blackjack.script import ScriptError, read_script
from tests.rules.played import LATE, NY, script_text

CARDS = "Th 9c 6d 5s Kd 6c"


def place_of(text: str) -> str:
    with pytest.raises(ScriptError) as error:
        read_script(text)
    return error.value.place


def box(text: str) -> str:
    return script_text(CARDS, boxes=(text,))


def more(text: str) -> str:
    return script_text(CARDS, more=text)


def test_a_whole_script_is_read() -> None:
    """Every key of the notation in one script."""
    script = read_script(
        script_text(
            CARDS,
            "1 switch",
            "1.1 double 500",
            "1.2 split !not_a_pair",
            options=LATE,
            boxes=('player = "ann"\nbalance = 9000\nwager = 1000\nsuper_match = 100',),
            more='title = "t"\nlimits = { min = 5, max = 10, side_min = 1 }\n'
            'expect = { dealer = "6d 6c", net = { "1.1" = 5 }, cards_used = 6, '
            'outcome = { "1.1" = "win" }, balance = { ann = 1 }, pending = "1.1", '
            'bets_refused = { "1" = "*" } }',
        )
    )
    assert script.rules.id == NY
    assert script.steps[1].amount_minor == 500
    assert script.steps[2].reason == "not_a_pair"
    assert script.balances() == {"ann": 9000}
    assert script.boxes[0].wagers_minor == (1000, 1000)
    assert len(script.expect) == 7


def test_text_that_is_no_toml() -> None:
    """The reader's own message is passed on."""
    assert place_of("rules = ") == "toml"


@pytest.mark.parametrize("bomb", ["x = " + "[" * 7_000, "x = " + "9" * 5_000])
def test_text_that_is_too_much_for_its_reader(bomb: str) -> None:
    """Brackets without an end and numbers of a thousand digits are no TOML of ours."""
    assert place_of(bomb) == "toml"


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("colour", 'colour = "red"'),
        ("expect.nett", "expect = { nett = {} }"),
        ("limits.side", "limits = { side = 5 }"),
    ],
)
def test_unknown_keys(key: str, text: str) -> None:
    """At the top, in the expectations and in the limits."""
    assert place_of(more(text)) == key


def test_an_unknown_key_of_a_box() -> None:
    """A side wager of another name is one as well."""
    assert place_of(box("wager = 1000\nwagers = 5")) == "box[1].wagers"
    assert place_of(box("wager = 1000\nmatch = 5")) == "box[1].match"


@pytest.mark.parametrize("key", ["rules", "cards"])
def test_missing_keys(key: str) -> None:
    """Rules and cards are needed."""
    lines = script_text(CARDS).split("\n")
    assert place_of("\n".join(x for x in lines if not x.startswith(key))) == key


def test_missing_boxes_and_box_numbers() -> None:
    """A script has a box, and a box its number."""
    assert place_of(script_text(CARDS, boxes=())) == "box"
    assert place_of(script_text(CARDS, boxes=(), more="box = []")) == "box"
    text = script_text(CARDS, boxes=(), more="box = [{ wager = 1000 }]")
    assert place_of(text) == "box[1].box"


@pytest.mark.parametrize("name", ["ny-switch", "NY-SWITCH-6D", ""])
def test_unknown_rule_sets(name: str) -> None:
    """The id is exact."""
    assert place_of(script_text(CARDS, rules=name)) == "rules"


@pytest.mark.parametrize(
    "options", [{"soft_17": "hit"}, {"soft17": "draw"}, {"decks": 6}, {"entry": "open"}]
)
def test_options_that_the_rule_set_does_not_have(options: dict[str, object]) -> None:
    """Neither an unknown option, nor an unknown value, nor another family's."""
    assert place_of(script_text(CARDS, options=options)) == "options"


@pytest.mark.parametrize("amount", ["1000.0", '"1000"', "true", "[1000, 1000.0]"])
def test_amounts_are_integers(amount: str) -> None:
    """Of wagers, side wagers, balances and box numbers."""
    assert place_of(box(f"wager = {amount}")).startswith("box[1].wager")
    single = amount if amount[0] != "[" else "1e3"
    for key in ("super_match", "balance"):
        assert place_of(box(f"wager = 1000\n{key} = {single}")) == f"box[1].{key}"
    assert place_of(box(f"box = {single}\nwager = 1000")) == "box[1].box"
    assert place_of(more(f"limits = {{ min = {single} }}")) == "limits.min"


def test_limits_that_cannot_be() -> None:
    """Nothing below one, and no minimum above the maximum."""
    assert place_of(more("limits = { min = 0 }")) == "limits.min"
    assert place_of(more("limits = { min = 6000, max = 5000 }")) == "limits"
    assert place_of(box("wager = 1000\nbalance = -1")) == "box[1].balance"


@pytest.mark.parametrize("card", ["10h", "1h", "Tx", "th", "TH", "T", "Ths"])
def test_bad_cards(card: str) -> None:
    """The message names the card and its place."""
    with pytest.raises(ScriptError, match=f"cards: card 2: '{card}'"):
        read_script(script_text(f"Th {card}"))
    assert place_of(more(f'expect = {{ dealer = "{card}" }}')) == "expect.dealer"


def test_too_many_of_a_card() -> None:
    """Six decks hold six of each, eight hold eight."""
    read_script(script_text("Th " * 6))
    read_script(script_text("Th " * 8, rules="ny-switch-8d"))
    assert place_of(script_text("Th " * 7)) == "cards"
    assert place_of(script_text("Th " * 9, rules="ny-switch-8d")) == "cards"


def test_a_box_that_is_there_twice() -> None:
    """Each box is written once."""
    twice = ("box = 3\nwager = 1000",) * 2
    assert place_of(script_text(CARDS, boxes=twice)) == "box"


@pytest.mark.parametrize("name", ["", "a b", "-a", "a" * 65, "ä"])
def test_a_player_needs_a_name(name: str) -> None:
    """Letters, digits and underscores, and not too long."""
    assert place_of(box(f'player = "{name}"\nwager = 1000')) == "box[1].player"


@pytest.mark.parametrize(
    "step",
    [
        "1.1",
        "1.1 fold",
        "1.1 hit 5",
        "1 switch 1",
        "1.1 double five",
        "1.1 double 2.5",
        "1.1 double 1_000",
        "1.1 double 5 6",
        "1.1 split !not a pair",
        "",
        "!",
    ],
)
def test_bad_steps(step: str) -> None:
    """The place counts from one."""
    assert place_of(script_text(CARDS, "1.1 hit", step)) == "play[2]"


def test_steps_that_may_be_refused_are_read() -> None:
    """An unknown action or a bad amount is fine where refusal is expected."""
    text = script_text(CARDS, "1.1 fold !unknown_action", "1.1 double -5 !")
    steps = read_script(text).steps
    assert [step.must_refuse for step in steps] == [True, True]
    assert steps[1].amount_minor == -5


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("title", "title = 5"),
        ("limits", "limits = 5"),
        ("expect", "expect = []"),
        ("expect.cards_used", 'expect = { cards_used = "6" }'),
        ("expect.cards_used", "expect = { cards_used = true }"),
        ("expect.dealer", "expect = { dealer = [] }"),
        ("expect.net.1.1", 'expect = { net = { "1.1" = 0.5 } }'),
        ("expect.balance.p1", 'expect = { balance = { p1 = "5" } }'),
        ("expect.outcome.1.1", 'expect = { outcome = { "1.1" = 5 } }'),
        ("expect.pending", "expect = { pending = 1 }"),
        ("expect.bets_refused.1", 'expect = { bets_refused = { "1" = true } }'),
    ],
)
def test_values_of_another_kind(key: str, text: str) -> None:
    """A text, a number, a table: each key has its kind."""
    assert place_of(more(text)) == key


def test_a_step_that_is_no_text() -> None:
    """And a list of steps that is no list."""
    text = script_text(CARDS, "x").replace('play = ["x"]', "play = [5]")
    assert place_of(text) == "play[1]"
    assert place_of(text.replace("play = [5]", 'play = "1.1 hit"')) == "play"
