"""The secret of an operator's key, as the operator's engineers give it."""

import base64
import binascii
import os

from push22.errors import Failure

SECRET = "PUSH22_OPERATOR_SECRET"  # noqa: S105 - the name of a variable
_HOW = f"export {SECRET}=$(openssl rand -base64 32)"


def operator_secret() -> bytes:
    """Read it from the environment. Raises Failure with how to make one."""
    try:
        found = base64.b64decode(os.environ.get(SECRET, ""), validate=True)
    except binascii.Error as error:
        raise Failure(SECRET, f"no base64: {error}; {_HOW}", exit_code=2) from error
    if not found:
        raise Failure(SECRET, f"is not set; {_HOW}", exit_code=2)
    return found
