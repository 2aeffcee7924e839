"""Who looked at what: each of support says so of himself, before he is shown it."""

import pytest
from desk_story import RITA, VIEWER
from msgspec.structs import replace

from contracts.desk import AccessRecorded, RecordAccess
from contracts.envelope import Actor
from contracts.identities import access_stream
from services.desk import SERVICE
from tests.builders import ROUND
from tests.spec import given

LOOK = RecordAccess("rita", VIEWER, "read", ROUND, case="t1-7-ab12")
SEEN = AccessRecorded("rita", VIEWER, "read", ROUND, case="t1-7-ab12")
STREAM = access_stream("rita")


def test_a_look_is_recorded() -> None:
    """Also a second one, and one for no case."""
    later = given(SERVICE, STREAM).when(LOOK, by=RITA).then(SEEN)
    later.when(replace(LOOK, case=""), by=RITA).then(replace(SEEN, case=""))
    assert later.state().looks == 1


@pytest.mark.parametrize("actor", [Actor("support", "adam"), Actor("player", "rita")])
def test_nobody_looks_in_anothers_name(actor: Actor) -> None:
    """The person is who sent the command."""
    given(SERVICE, STREAM).when(LOOK, by=actor).then_rejected("not_authorized")


def test_what_cannot_be_a_case_is_refused() -> None:
    """A look for a case can be found by it."""
    wrong = replace(LOOK, case="round 7")
    given(SERVICE, STREAM).when(wrong, by=RITA).then_rejected("invalid_name")


def test_no_name_fills_the_log() -> None:
    """Names end somewhere."""
    wrong = replace(LOOK, about="x" * 2_001)
    given(SERVICE, STREAM).when(wrong, by=RITA).then_rejected("text_too_long")


def test_a_look_belongs_to_no_round() -> None:
    """A round's records do not change because somebody reads them."""
    assert SERVICE.round_of(STREAM, SEEN) == ""


@pytest.mark.parametrize("person", ["rita@acme.example", "a b/c-d", "ä" * 300])
def test_any_name_of_a_person_gives_one_stream(person: str) -> None:
    """Identity providers name people as they like."""
    stream = access_stream(person)

    assert stream == access_stream(person)
    assert len(stream) <= 210
    assert set(stream).isdisjoint("@/ ")
