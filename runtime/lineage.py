"""The names of a log's incarnations: who follows whom (docs/decisions/0011).

The first one is named by chance, `9f86d081884c7d65`; each that an operator begins after
lost records is named after it, `9f86d081884c7d65~2`, and goes on in the same chain.
"""


def root(incarnation: str) -> str:
    """Return the name of the log's first incarnation."""
    return incarnation.partition("~")[0]


def number(incarnation: str) -> int:
    """Return which incarnation of its log this is; 0 for a name that is none."""
    _, mark, text = incarnation.partition("~")
    if not mark:
        return 1
    return int(text) if text.isdecimal() and text.isascii() else 0


def following(incarnation: str) -> str:
    return f"{root(incarnation)}~{number(incarnation) + 1}"


def is_earlier(incarnation: str, known: str) -> bool:
    """Tell whether records of one incarnation stand in the log that is now `known`."""
    is_related = root(incarnation) == root(known)
    return is_related and 0 < number(incarnation) <= number(known)
