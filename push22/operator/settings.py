"""Which operators keep their players' money themselves, and how they are reached."""

import base64
import os
from pathlib import Path

import msgspec

from contracts.toml import read_toml
from push22.errors import Failure

VARIABLE = "PUSH22_OPERATORS"


class OperatorSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One operator's wallet. `secret` is the key `key_id`, in base64.

    The secret may stand in the environment instead: `secret_variable` names where.
    """

    url: str
    key_id: str
    secret: str = ""
    secret_variable: str = ""
    timeout_ms: int = 2000
    answers_signed: bool = True

    def key(self) -> bytes:
        text = self.secret or os.environ.get(self.secret_variable, "")
        found = base64.b64decode(text, validate=True)
        if not found:
            raise ValueError("no secret")
        return found


Operators = dict[str, OperatorSettings]


def load(path: Path | None) -> Operators:
    """Read a file of `[operators.<name>]` tables; none where none is named."""
    named = path or (Path(os.environ[VARIABLE]) if VARIABLE in os.environ else None)
    if named is None:
        return {}
    try:
        document = read_toml(named.read_bytes())
        found = msgspec.convert(document["operators"], Operators)
        for settings in found.values():
            settings.key()
    except (OSError, ValueError, KeyError, msgspec.ValidationError) as error:
        raise Failure(str(named), f"no operators: {error}", exit_code=2) from error
    return found
