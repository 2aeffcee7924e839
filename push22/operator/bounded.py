"""Reads an answer up to a limit: an endless one must not fill the memory.

As it came: a few packed bytes may be gigabytes, and nobody knows yet whose.
"""

import httpx

_DIGITS_MAX = 18

AS_IT_IS = {"accept-encoding": "identity"}
"""What is asked with every request: packed answers are not read."""


class Misunderstood(ValueError):
    """Bytes that answer nothing: the text says why, in one word."""


async def bounded(response: httpx.Response, bytes_max: int) -> bytes:
    """Return the body of a response that is being streamed. Raises Misunderstood."""
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise Misunderstood("malformed")
    length = response.headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        raise Misunderstood("malformed")
    if len(length) > _DIGITS_MAX or int(length) > bytes_max:
        raise Misunderstood("too_long")
    body = bytearray()
    async for part in response.aiter_raw():
        body += part
        if len(body) > bytes_max:
            raise Misunderstood("too_long")
    return bytes(body)
