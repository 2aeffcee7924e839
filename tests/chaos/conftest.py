"""What a case of chaos is given: a running casino, rounds to play, and chance."""

import itertools
from collections.abc import Iterator

import pytest

from tests.chaos.case import Case
from tests.chaos.house import House
from tests.chaos.settings import from_environment

SETTINGS = from_environment()
_NUMBERS = itertools.count(1)


def pytest_report_header() -> str:
    """Say how the same chaos is made again."""
    return (
        f"chaos: PUSH22_CHAOS_SEED={SETTINGS.seed}"
        f" PUSH22_CHAOS_ROUNDS={SETTINGS.rounds} PUSH22_CHAOS_TABLES={SETTINGS.tables}"
    )


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Where the casinos of this run stand."""
    found = House(lambda: tmp_path_factory.mktemp("casino"))
    yield found
    found.close()


@pytest.fixture
def case(house: House, request: pytest.FixtureRequest) -> Iterator[Case]:
    """One case at a casino that was sound when the last case left it."""
    casino = house.open()
    name = request.node.name
    made = Case(casino, SETTINGS, SETTINGS.rng(name), f"c{next(_NUMBERS)}x")
    yield made
    if not made.is_sound:
        house.close()


@pytest.fixture
def lone_case(house: House, case: Case) -> Iterator[Case]:
    """A case that leaves servers behind that no other case can use."""
    yield case
    house.close()
