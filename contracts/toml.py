"""TOML that somebody outside has written: whatever is wrong with it is a ValueError."""

import tomllib
from typing import Any


def read_toml(data: bytes) -> dict[str, Any]:
    """Read a document. Raises ValueError.

    The parser calls itself at each level, so what nests too deep ends its stack; a
    number may have more digits than Python makes one of.
    """
    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        raise ValueError(f"no UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise ValueError("nested too deep") from error
