"""When checkpoints are made, what is never signed, and what a crash leaves behind."""

import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from forgery import rechain, rewrite
from msgspec.structs import replace
from signing import LENGTH, kinds, sign_all, verified
from small_casino import copy_of

from push22.casino import LOG_NAME
from push22.checkpoints.keys import (
    KEYS_NAME,
    PUBLIC_NAME,
    SigningKeys,
    read_public,
)
from push22.checkpoints.maker import EVERY_US, Maker
from push22.checkpoints.store import LODGED_NAME, Store
from runtime.ambient import KeyMissing, ManualClock
from runtime.log import ChainBroken
from runtime.sqlite_file import SqliteFile
from services.archive.checkpoints import said
from services.archive.series import lines_of, series_of
from tests.measured import measured


class Place:
    """A copy of the played casino, and a maker that looks at it."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.clock = ManualClock()
        self.file = SqliteFile.open(data / LOG_NAME)

    def maker(self, length: int = LENGTH) -> Maker:
        keys = SigningKeys(self.data)
        made = Maker(self.file, self.data, keys, self.clock, length=length)
        made.start()
        return made

    def rows(self) -> list[tuple[str, int, int]]:
        query = "SELECT service, since, offset FROM checkpoints ORDER BY number"
        return self.file.query(query)

    @property
    def lodged(self) -> Path:
        return self.data / LODGED_NAME


@pytest.fixture
def place(played: Path, tmp_path: Path) -> Iterator[Place]:
    copy_of(played, tmp_path).close()
    made = Place(tmp_path)
    yield made
    made.file.close()


def wait(place: Place) -> None:
    place.clock.advance(seconds=EVERY_US / 1_000_000)


def test_nothing_is_signed_before_it_is_time(place: Place) -> None:
    """A log with few records waits for the minute, and then is signed once."""
    maker = place.maker(length=100_000)
    maker.look()
    assert place.rows() == []
    wait(place)
    maker.look()
    before = place.rows()
    assert len(before) == len({service for service, *_ in before}) == 4
    wait(place)
    maker.look()
    assert place.rows() == before


def test_a_full_stretch_is_signed_at_once(place: Place) -> None:
    """No more than so many records stand under one signature."""
    maker = place.maker(length=50)
    for _ in range(100):
        maker._rests_until = 0.0
        maker.look()
    sizes = {offset - since for _, since, offset in place.rows()}
    assert sizes == {50}


def test_a_maker_goes_on_where_another_was_killed(place: Place) -> None:
    """No stretch is signed twice and none is missing, whenever that was."""
    maker = place.maker()
    for _ in range(3):
        maker._rests_until = 0.0
        maker.look()
    place.maker().close()
    by_log: dict[str, int] = {}
    for service, since, offset in place.rows():
        assert since == by_log.get(service, 0)
        by_log[service] = offset
    assert kinds(verified(place.data)) == set()


def test_a_crash_between_table_and_file_is_made_good(place: Place) -> None:
    """The file gets what it lacks; half a line that a crash left is cut off."""
    place.maker().close()
    whole = place.lodged.read_bytes()
    for left in (len(whole) - 1, len(whole) - 700, 300, 0):
        place.lodged.write_bytes(whole[:left])
        place.maker()
        assert place.lodged.read_bytes() == whole
    place.lodged.unlink()
    place.maker()
    assert place.lodged.read_bytes() == whole


def test_a_file_that_knows_more_than_the_table_stops_it(place: Place) -> None:
    """A table that lost checkpoints is no crash: somebody has to look at it."""
    place.maker().close()
    other = place.lodged.read_bytes().replace(b"wallet", b"walley")
    place.lodged.write_bytes(other)
    with pytest.raises(ChainBroken, match="ends with a checkpoint that"):
        place.maker()


def test_a_log_that_is_not_what_was_signed_is_not_signed_again(place: Place) -> None:
    """A chain made anew over a change stops the maker at its start."""
    place.maker().close()
    forge = sqlite3.connect(place.data / LOG_NAME, isolation_level=None)
    forge.execute("DROP TRIGGER IF EXISTS records_stay_unchanged")
    (stream,) = forge.execute(
        "SELECT stream FROM records WHERE service = 'wallet' AND offset = 5"
    ).fetchone()
    rewrite(forge, (stream, 2), lambda x: replace(x, correlation="another"))
    rechain(forge, "wallet")
    forge.close()
    with pytest.raises(ChainBroken, match="is not the one signed"):
        place.maker()


def test_what_does_not_chain_is_not_signed(place: Place) -> None:
    """The maker reads what is stored, and stops at the first misfit."""
    forge = sqlite3.connect(place.data / LOG_NAME, isolation_level=None)
    forge.execute(
        "UPDATE records SET body = cast(body || ' ' AS BLOB)"
        " WHERE service = 'shoe' AND offset = 7"
    )
    forge.close()
    found = {"service": "checkpoints", "source": "shoe"}
    before = measured("push22_chain_breaks_total", **found)
    with pytest.raises(ChainBroken, match="shoe/0: record 7 does not follow 6"):
        place.maker().close()
    assert measured("push22_chain_breaks_total", **found) == before + 1
    assert "shoe" not in {service for service, *_ in place.rows()}


def test_a_body_that_is_no_bytes_is_not_signed(place: Place) -> None:
    """SQLite stores any value in any column."""
    forge = sqlite3.connect(place.data / LOG_NAME, isolation_level=None)
    forge.execute("UPDATE records SET body = 'text' WHERE service = 'shoe'")
    forge.close()
    with pytest.raises(ChainBroken, match="no checkpoint: shoe/0 after record 0"):
        place.maker().close()


def test_a_rotated_key_signs_from_then_on_and_the_old_one_verifies(
    place: Place,
) -> None:
    """Also for a maker that runs on: it reads the keys for each signature."""
    maker = place.maker(length=100_000)
    wait(place)
    maker.look()
    first = SigningKeys(place.data).public(place.clock).keys
    place.clock.advance(seconds=1)
    document = SigningKeys(place.data).rotate(place.clock)
    assert document.keys[0].key_id == first[0].key_id
    assert document.keys[0].until == document.keys[1].since == place.clock.now()
    forget_last_offsets(place)
    maker = place.maker()
    maker.close()
    checkpoints, _ = lines_of(place.lodged.read_bytes().splitlines(keepends=True))
    assert {item.key_id for item in checkpoints} == {k.key_id for k in document.keys}
    keys = {key.key_id: key for key in document.keys}
    assert series_of(checkpoints, keys).faults == ()


def forget_last_offsets(place: Place) -> None:
    """Leave something to sign: take the checkpoints of one log away."""
    gone = "DELETE FROM checkpoints WHERE service = 'wallet'"
    place.file.execute(gone)
    place.lodged.unlink()


def test_a_key_that_was_given_up_is_not_believed_later(place: Place) -> None:
    """What is dated after its end was signed by whoever kept a copy of it."""
    sign_all_later = SigningKeys(place.data)
    sign_all_later.public(place.clock)
    place.file.close()
    sign_all(place.data, place.clock)
    place.file = SqliteFile.open(place.data / LOG_NAME)
    checkpoints, _ = lines_of(place.lodged.read_bytes().splitlines(keepends=True))
    (key,) = sign_all_later.public(place.clock).keys
    ended = replace(key, until=said(checkpoints[0]).made_at - 1)
    faults = series_of(checkpoints, {key.key_id: ended}).faults
    assert {fault.kind for fault in faults} == {"key_out_of_term"}


def test_a_rotation_that_was_killed_half_way_is_published_later(tmp_path: Path) -> None:
    """Else all that the new key signed would be taken for another's, for ever."""
    clock = ManualClock()
    keys = SigningKeys(tmp_path)
    keys.public(clock)
    before = (tmp_path / PUBLIC_NAME).read_bytes()
    rotated = keys.rotate(clock)
    (tmp_path / PUBLIC_NAME).write_bytes(before)

    assert keys.public(clock) == rotated
    assert read_public(tmp_path / PUBLIC_NAME) == rotated


def test_an_old_private_file_takes_no_key_from_the_public_one(tmp_path: Path) -> None:
    """Put back from a copy, it signs nothing: what was published stays published."""
    clock = ManualClock()
    keys = SigningKeys(tmp_path)
    keys.public(clock)
    old = (tmp_path / KEYS_NAME).read_bytes()
    rotated = keys.rotate(clock)
    (tmp_path / KEYS_NAME).write_bytes(old)

    with pytest.raises(KeyMissing, match="not the file that signed this log last"):
        keys.public(clock)
    assert read_public(tmp_path / PUBLIC_NAME) == rotated


def test_the_private_key_is_its_owners_and_gone_after_a_rotation(
    tmp_path: Path,
) -> None:
    """Mode 0600; an old key can't sign again, for nobody has it."""
    keys, clock = SigningKeys(tmp_path), ManualClock()
    keys.public(clock)
    path = tmp_path / KEYS_NAME
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_text()
    public = keys.rotate(clock)
    private = before.split('"')[3]
    assert private not in path.read_text()
    assert read_public(tmp_path / "checkpoint-keys-public.json") == public


def test_a_damaged_key_file_is_named(tmp_path: Path) -> None:
    """Nothing is made in place of keys that can't be read."""
    keys, clock = SigningKeys(tmp_path), ManualClock()
    keys.public(clock)
    (tmp_path / KEYS_NAME).write_text("{}")
    with pytest.raises(KeyMissing, match="no usable signing key"):
        keys.public(clock)


def test_a_checkpoint_is_not_signed_twice_for_one_stretch(place: Place) -> None:
    """The table itself refuses a second one."""
    place.maker().close()
    checkpoints, _ = lines_of(place.lodged.read_bytes().splitlines(keepends=True))
    with pytest.raises(Exception, match="UNIQUE"):
        Store(place.file, place.lodged).add(checkpoints[:1])
