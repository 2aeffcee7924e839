"""Structured log lines. Never a payload, a card or a key."""

import logging
import sys

import structlog


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    logger: structlog.stdlib.BoundLogger = structlog.get_logger(name)
    return logger


def configure(*, json: bool = False, level: int = logging.WARNING) -> None:
    """Write log lines to standard error: for people, or as JSON for machines."""
    renderer = (
        structlog.processors.JSONRenderer()
        if json
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(),
            # Its usual one shows locals: the headers of a request, tokens and all.
            exception_formatter=structlog.dev.plain_traceback,
        )
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        # Whatever standard error is when a line is written, not now.
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
    )
