"""Fixtures of the runtime's tests."""

from toys import toy_language

__all__ = ["toy_language"]
