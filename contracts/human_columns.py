"""What people read beside the exact columns of a report: UTC times, decimal amounts.

The exact columns stay where they are and as they are: these come after them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from contracts.utc_days import moment_of

_TIMES = {"at": "at_utc"}
_MINOR = "_minor"
_HEADER_TIMES = frozenset({"since", "until", "made_at"})
_USUAL_DIGITS = 2
_DIGITS = {
    **dict.fromkeys(("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW"), 0),
    **dict.fromkeys(("PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"), 0),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
}
"""Digits behind the point by ISO 4217, where they are not two."""


def amount(minor: int, currency: str) -> str:
    """Return `EUR -12.50`. The currency comes first: no spreadsheet runs that."""
    digits = _DIGITS.get(currency, _USUAL_DIGITS)
    whole, part = divmod(abs(minor), 10**digits)
    point = f".{part:0{digits}}" if digits else ""
    return f"{currency} {'-' if minor < 0 else ''}{whole}{point}"


def columns_beside(columns: Sequence[str]) -> list[str]:
    """Name the columns for people: `at_utc` for `at`, `staked` for `staked_minor`."""
    return [
        _TIMES.get(name, name.removesuffix(_MINOR))
        for name in columns
        if name in _TIMES or name.endswith(_MINOR)
    ]


def cells_beside(row: Mapping[str, Any], currency: str) -> Iterator[str]:
    """Return a row's cells for people, in the order of `columns_beside`."""
    for name, value in row.items():
        if name in _TIMES:
            yield moment_of(value)
        elif name.endswith(_MINOR):
            yield amount(value, currency)


def header_cell_beside(name: str, value: Any, currency: str) -> str:
    """Return what stands behind a header's exact value; nothing where that is clear."""
    if name in _HEADER_TIMES:
        return moment_of(value)
    return amount(value, currency) if name.endswith(_MINOR) else ""
