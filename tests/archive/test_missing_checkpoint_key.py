"""No log is signed by a key that the last signer's keys don't know (H14)."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from signing import kinds, sign_all, verified
from small_casino import copy_of

from push22.__main__ import run
from push22.casino import LOG_NAME
from push22.checkpoints.keys import KEYS_NAME, PUBLIC_NAME, SigningKeys, read_public
from push22.checkpoints.store import LODGED_NAME
from runtime.ambient import KeyMissing, ManualClock

Told = pytest.CaptureFixture[str]
MISSING = "the key that signed this log is missing: copy it here"


@pytest.fixture
def data(played: Path, tmp_path: Path) -> Path:
    """Return a signed casino's directory whose private key is gone."""
    made = tmp_path / "data"
    made.mkdir()
    copy_of(played, made).close()
    sign_all(made)
    (made / KEYS_NAME).rename(tmp_path / "kept")
    return made


def forget_a_checkpoint(data: Path) -> None:
    """Take the last checkpoint back, so that there is something to sign."""
    with sqlite3.connect(data / LOG_NAME) as sql:
        sql.execute("DROP TRIGGER IF EXISTS checkpoints_stay")
        sql.execute("DELETE FROM checkpoints WHERE number = (SELECT max(number)"
                    " FROM checkpoints)")  # fmt: skip
    (data / LODGED_NAME).unlink(missing_ok=True)


def test_nothing_is_signed_where_the_key_is_missing(data: Path) -> None:
    """No other key is made, and the public ones stay as they are."""
    before = (data / PUBLIC_NAME).read_bytes()
    for attempt in (sign_all, lambda at: SigningKeys(at).public(ManualClock())):
        with pytest.raises(KeyMissing, match=MISSING):
            attempt(data)
    assert (data / PUBLIC_NAME).read_bytes() == before
    assert not (data / KEYS_NAME).exists()


@pytest.mark.parametrize("left", [(LOG_NAME,), (LODGED_NAME,), (PUBLIC_NAME,)])
def test_whatever_was_copied_tells_that_somebody_signed(
    data: Path, left: tuple[str, ...]
) -> None:
    """The log alone, the lodged copy alone or the public keys alone are enough."""
    for path in list(data.iterdir()):
        if path.name not in left:
            path.unlink()
    with pytest.raises(KeyMissing, match=MISSING):
        SigningKeys(data).public(ManualClock())
    assert not (data / KEYS_NAME).exists()


def test_a_young_casino_makes_its_first_key(played: Path, tmp_path: Path) -> None:
    """Nobody signed before: that is the one case in which a key is made."""
    copy_of(played, tmp_path).close()
    assert not (tmp_path / PUBLIC_NAME).exists()
    sign_all(tmp_path)
    assert kinds(verified(tmp_path)) == set()


@pytest.mark.parametrize("keeps_public", [True, False])
def test_another_casinos_key_signs_nothing(
    data: Path, tmp_path: Path, *, keeps_public: bool
) -> None:
    """It is a good key, but the newest checkpoint is not by one it knows."""
    SigningKeys(tmp_path / "other").public(ManualClock())
    shutil.copy(tmp_path / "other" / KEYS_NAME, data)
    if not keeps_public:
        (data / PUBLIC_NAME).unlink()
    with pytest.raises(KeyMissing, match="not the file that signed this log last"):
        sign_all(data)


def test_a_key_file_from_before_a_rotation_signs_nothing(
    data: Path, tmp_path: Path
) -> None:
    """Its key ended: what it signed now would never be believed."""
    shutil.copy(tmp_path / "kept", data / KEYS_NAME)
    SigningKeys(data).rotate(ManualClock())
    shutil.copy(tmp_path / "kept", data / KEYS_NAME)
    with pytest.raises(KeyMissing, match="not the file that signed this log last"):
        sign_all(data)


def test_the_right_key_brought_back_signs_on(data: Path, tmp_path: Path) -> None:
    """Refused attempts before have spoiled nothing."""
    with pytest.raises(KeyMissing):
        sign_all(data)
    shutil.copy(tmp_path / "kept", data / KEYS_NAME)
    forget_a_checkpoint(data)
    sign_all(data)
    assert kinds(verified(data)) == set()


def test_a_lost_key_is_replaced_and_verify_says_so(data: Path, capsys: Told) -> None:
    """Old checkpoints verify, new ones too, and no word of a difference."""
    forget_a_checkpoint(data)
    assert run(["checkpoints", "rotate", "--lost", "--data", str(data)]) == 0
    told = capsys.readouterr().out
    old, new = read_public(data / PUBLIC_NAME).keys
    assert (old.lost, new.lost) == (True, False)
    assert old.until == new.since == ManualClock().now()
    assert f"key {old.key_id} is lost" in told
    assert f"{new.key_id} signs from now on" in told

    sign_all(data)
    assert kinds(verified(data)) == set()
    assert run(["verify", "--all", "--data", str(data)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"key {old.key_id} was lost and replaced" in told
    assert "MATCH: all" in told
    with sqlite3.connect(data / LOG_NAME) as sql:
        rows = sql.execute("SELECT body FROM checkpoints ORDER BY number").fetchall()
    signers = [new.key_id if new.key_id.encode() in body else old.key_id
               for (body,) in rows]  # fmt: skip
    assert signers == [*[old.key_id] * (len(rows) - 1), new.key_id]


def test_a_key_that_is_there_is_not_lost(data: Path, tmp_path: Path) -> None:
    """A private key is never overwritten by this."""
    shutil.copy(tmp_path / "kept", data / KEYS_NAME)
    assert run(["checkpoints", "rotate", "--lost", "--data", str(data)]) == 1
    assert (data / KEYS_NAME).read_bytes() == (tmp_path / "kept").read_bytes()


def test_without_public_keys_a_lost_one_is_not_replaced(
    data: Path, capsys: Told
) -> None:
    """What it signed could not be verified any more: the lodged copy is needed."""
    (data / PUBLIC_NAME).unlink()
    assert run(["checkpoints", "rotate", "--lost", "--data", str(data)]) == 1
    assert "bring back the lodged copy" in capsys.readouterr().err


def test_lost_goes_with_rotate_alone(data: Path) -> None:
    """Said with anything else it would be silently passed over."""
    assert run(["checkpoints", "keys", "--lost", "--data", str(data)]) == 2
