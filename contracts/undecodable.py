"""The error of whoever reads bytes; by itself, so that naming it loads no message."""


class Undecodable(ValueError):
    """Bytes that are no message we know; the text says what and where."""
