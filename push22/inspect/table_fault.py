"""What is wrong with a table beside the records: they say otherwise."""

from typing import NamedTuple


class TableFault(NamedTuple):
    """`row` is the key of a row; empty if the table as a whole is meant."""

    table: str
    row: str
    text: str
