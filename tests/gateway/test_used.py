"""What is good once stays used up: after a restart, and between doors of a machine."""

from pathlib import Path
from typing import Any

import pytest
from house import KEYS, OPERATORS, SECRET

from push22.door.used import NAME, UsedFile
from runtime.ambient import ManualClock
from services.gateway.ports import NotAvailable
from services.gateway.problems import Refused
from services.gateway.signing import WINDOW_S, Signatures, Signed, signature_of
from services.gateway.tokens import LAUNCH_S, Pass, Tokens

SECOND = 1_000_000
NOW = ManualClock().now()
LAUNCH = Pass("acme.alice", "EUR", "", "launch-1", NOW + LAUNCH_S * SECOND)


def reason(doing: Any) -> str:
    with pytest.raises(Refused) as refused:
        doing()
    return refused.value.problem.reason


def signed(nonce: str = "nonce-01") -> Signed:
    time = str(NOW // SECOND)
    draft = Signed("acme.k1", time, nonce, "", "GET", "/operator/v1/tables", "", b"")
    fields = (*(getattr(draft, x) for x in ("key", "time", "nonce")),)
    signature = signature_of(draft, KEYS["k1"])
    return Signed(*fields, signature, "GET", "/operator/v1/tables", "", b"")


def test_a_launch_token_is_used_up_for_the_next_life(tmp_path: Path) -> None:
    """The door is killed and started again: it was good once."""
    used = UsedFile(tmp_path)
    launch = Tokens(SECRET, used).make("launch", LAUNCH)
    assert Tokens(SECRET, used).use(launch, NOW) == LAUNCH

    again = Tokens(SECRET, UsedFile(tmp_path))
    assert reason(lambda: again.use(launch, NOW + SECOND)) == "launch_used"


def test_a_nonce_is_used_up_for_the_next_life(tmp_path: Path) -> None:
    """And another operator's equal nonce is another one."""
    Signatures(OPERATORS, UsedFile(tmp_path)).check(signed(), NOW)

    again = Signatures(OPERATORS, UsedFile(tmp_path))
    assert reason(lambda: again.check(signed(), NOW + SECOND)) == "nonce_used"
    assert again.check(signed("nonce-02"), NOW).name == "acme"
    assert UsedFile(tmp_path).take("nonce", "rival.nonce-01", NOW, NOW)


def test_two_doors_with_one_file_use_it_up_between_them(tmp_path: Path) -> None:
    """Whoever comes first has it."""
    one, other = UsedFile(tmp_path), UsedFile(tmp_path)

    until = NOW + SECOND
    assert one.take("launch", "x", until, NOW)
    assert not other.take("launch", "x", until, NOW)
    assert other.take("nonce", "x", until, NOW)
    assert not one.take("nonce", "x", until, NOW)


def test_what_is_over_is_forgotten(tmp_path: Path) -> None:
    """The file does not grow with the years."""
    used = UsedFile(tmp_path)
    for number in range(1000):
        now = NOW + number * 2 * WINDOW_S * SECOND
        assert used.take("nonce", f"acme.{number}", now + WINDOW_S * SECOND, now)

    ((kept,),) = used._file.execute("SELECT count(*) FROM used").fetchall()
    assert kept <= 256


def test_a_file_that_cannot_be_written_lets_nobody_in(tmp_path: Path) -> None:
    """To forget would be to let everybody in twice."""
    used = UsedFile(tmp_path)
    used.close()
    with pytest.raises(NotAvailable, match=NAME):
        used.take("launch", "x", NOW, NOW)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / NAME).write_bytes(b"no database" * 100)
    with pytest.raises(NotAvailable, match=NAME):
        UsedFile(tmp_path / "other")
