"""One flipped bit, anywhere, is never called right."""

from functools import cache

import pytest
from spoiling import flipped, flips

from push22.evidence import verify

SMALL = 4096
Keys = dict[str, object]


@pytest.fixture(autouse=True)
def each_signature_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of packs with one good signature need not verify it each time."""
    monkeypatch.setattr(verify, "is_signed", cache(verify.is_signed))


def test_the_pack_itself_is_right(pack: bytes, keys: Keys) -> None:
    """What is spoilt below was whole before."""
    assert verify.judge_zip(pack, keys).lines[-1] == "RIGHT"
    assert verify.judge_zip(pack).lines[-1].startswith("SELF-CONSISTENT")


@pytest.mark.parametrize("seed", range(4))
def test_a_flip_anywhere_in_the_zip_is_found(
    seed: int, pack: bytes, keys: Keys
) -> None:
    """Contents, names, sizes, checksums, index: the zip has no byte that is free."""
    for at, spoilt in flips(pack, 150, seed):
        assert not verify.judge_zip(spoilt, keys).is_right, at


def test_a_flip_in_the_zips_own_bytes_is_found(pack: bytes, keys: Keys) -> None:
    """Every byte of every header, one bit each: padding, times and flags too."""
    content = set[int]()
    for data in verify.unzipped(pack).values():
        begin = pack.index(data)
        content |= set(range(begin, begin + len(data)))
    frame = sorted(set(range(len(pack))) - content)
    assert len(frame) > 1000

    for at in frame:
        spoilt = flipped(pack, at, at % 8)
        assert not verify.judge_zip(spoilt, keys).is_right, at


@pytest.mark.parametrize("name", [*verify.SIGNED, *verify.NEEDED])
def test_a_flip_in_a_file_is_found(name: str, pack: bytes, keys: Keys) -> None:
    """Unpacked, or packed again by somebody who mends the zip: files are held too.

    Each byte of a small file; of a large one a seeded sample.
    """
    files = verify.unzipped(pack)
    size = len(files[name])
    count = size if size <= SMALL else 60
    for at, spoilt in flips(files[name], count, size):
        changed = {**files, name: spoilt}
        assert not verify.judge(changed, keys).is_right, at


def test_a_flip_is_found_by_the_packs_own_keys_too(pack: bytes) -> None:
    """Without lodged keys a fault of a disk is found all the same."""
    files = verify.unzipped(pack)
    for name, data in files.items():
        for at, spoilt in flips(data, 20, len(name)):
            assert not verify.judge({**files, name: spoilt}).is_right, (name, at)
