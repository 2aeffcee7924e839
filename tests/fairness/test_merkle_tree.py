"""The hash tree is that of RFC 6962, for every number of leaves."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blackjack.commitment import is_included, proof_of, root_of, tree_of
from push22 import verify_cards

DATA = (
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
)
"""The entries of the certificate-transparency test vectors, in hexadecimal."""

ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)

PROOF_OF_5_IN_8 = (
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
)
"""The inclusion proof of entry 5 (counted from 0) among the eight."""


def leaves(count: int) -> list[bytes]:
    return [
        hashlib.sha256(b"\x00" + bytes.fromhex(data)).digest() for data in DATA[:count]
    ]


@pytest.mark.parametrize("count", range(1, 9))
def test_f3_roots_are_those_of_the_published_vectors(count: int) -> None:
    """One to eight leaves, powers of two or not."""
    expected = bytes.fromhex(ROOTS[count - 1])
    assert root_of(tree_of(leaves(count))) == expected
    assert verify_cards.root_of(leaves(count)) == expected


def test_f3_the_proof_is_that_of_the_published_vectors() -> None:
    """Siblings from leaf to root."""
    expected = tuple(bytes.fromhex(text) for text in PROOF_OF_5_IN_8)
    assert proof_of(tree_of(leaves(8)), 5) == expected


def test_f3_a_tree_without_leaves_is_a_bug() -> None:
    """A shoe has cards."""
    with pytest.raises(AssertionError):
        tree_of([])


@pytest.mark.parametrize("size", [1, 2, 3, 5, 52, 104, 208, 312, 416])
def test_f5_every_leaf_is_proved_and_at_no_other_place(size: int) -> None:
    """Two verifiers, one of them the stranger's, agree."""
    entries = [
        hashlib.sha256(number.to_bytes(2, "big")).digest() for number in range(size)
    ]
    tree = tree_of(entries)
    root = root_of(tree)
    assert root == verify_cards.root_of(entries)
    for index, leaf in enumerate(entries):
        proof = proof_of(tree, index)
        assert is_included(leaf, (index, size), proof, root)
        assert verify_cards.proved_root(leaf, index, size, list(proof)) == root
        for other in {0, index ^ 1, index + 1, size - 1, size, -1} - {index}:
            assert not is_included(leaf, (other, size), proof, root)


@given(st.integers(1, 90), st.data())
def test_f5_an_altered_proof_is_refused(size: int, data: st.DataObject) -> None:
    """Too short, too long, or one bit off."""
    entries = [hashlib.sha256(bytes([number])).digest() for number in range(size)]
    index = data.draw(st.integers(0, size - 1))
    tree = tree_of(entries)
    root, proof = root_of(tree), proof_of(tree, index)
    at = (index, size)
    assert not is_included(entries[index], at, (*proof, bytes(32)), root)
    if proof:
        assert not is_included(entries[index], at, proof[:-1], root)
        step = data.draw(st.integers(0, len(proof) - 1))
        bit = data.draw(st.integers(0, 255))
        changed = (int.from_bytes(proof[step], "big") ^ 1 << bit).to_bytes(32, "big")
        altered = (*proof[:step], changed, *proof[step + 1 :])
        assert not is_included(entries[index], at, altered, root)
