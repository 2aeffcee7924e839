"""What is told when a source is read no further; and what breaks a chain of hashes."""

import re

from runtime.log import ChainBroken
from runtime.metrics import CHAIN_BREAKS, HALTED
from runtime.telemetry import get_logger

_log = get_logger("runtime.halts")

_BREAK = re.compile(r"(^|: )(fork|chain): ")
"""Reasons that say of records that they do not follow on one another."""


def note_halt(service: str, source: str, reason: str) -> None:
    """Count that `service` reads `source` no further, and say so."""
    HALTED.labels(service, source).inc()
    if _BREAK.search(reason):
        CHAIN_BREAKS.labels(service, source).inc()
    _log.error("source halted", service=service, source=source, reason=reason)


def chain_broken(service: str, source: str, text: str) -> ChainBroken:
    """Return the error to raise where `service` found the log of `source` broken.

    It is counted here and told by whoever hears of the error: once.
    """
    CHAIN_BREAKS.labels(service, source).inc()
    return ChainBroken(text)
