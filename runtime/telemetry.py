"""Structured log lines. Never a payload, a card or a key: see `redaction.py`.

Lines of libraries, which use the standard library's loggers, come out the same way.
"""

import logging
import os
import sys
from collections.abc import Iterator, Mapping
from typing import TextIO
from urllib.parse import urlsplit

import structlog
from structlog.typing import Processor

from runtime.at_hand import name_what_is_at_hand
from runtime.redaction import Redactor

LEVEL = "PUSH22_LOG_LEVEL"

_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")

LIBRARIES_LEAST = logging.INFO
"""At DEBUG, libraries write down frames and requests whole: never."""

_SECRETS = ("PUSH22_TOKEN", "PUSH22_KAFKA_PASSWORD", "PGPASSWORD")
_ADDRESSES = ("PUSH22_DSN",)


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    logger: structlog.stdlib.BoundLogger = structlog.get_logger(name)
    return logger


def level_of(text: str) -> int:
    """Return the level of that name; WARNING if there is none. Raises ValueError."""
    name = (text or "WARNING").upper()
    if name not in _LEVELS:
        raise ValueError(f"{LEVEL} is one of {', '.join(_LEVELS)}, not {text!r}")
    return int(getattr(logging, name))


def configure(*, json: bool = False, level: int = logging.WARNING) -> None:
    """Write log lines to standard error: for people, or as JSON for machines."""
    renderer: Processor = (
        structlog.processors.JSONRenderer()
        if json
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(),
            # Its usual one shows locals: the headers of a request, tokens and all.
            exception_formatter=structlog.dev.plain_traceback,
        )
    )
    processors: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        name_what_is_at_hand,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        Redactor(_known_secrets(os.environ)),
    ]
    structlog.configure(
        processors=[*processors, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        # Whatever standard error is when a line is written, not now.
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
    )
    _take_in_libraries(processors, renderer, level)


_NO_NEWS = (
    # Topics are made by `push22 topics`, and a client must not make any.
    "Auto create topics is disabled",
    # Asked again at once: partitions have no leader for a moment after they are made.
    "[Error 6] NotLeaderForPartitionError",
)


def _is_news(record: logging.LogRecord) -> bool:
    """Tell whether a library's line is for anybody."""
    is_library = record.name.startswith(("faststream", "aiokafka"))
    return not (is_library and any(text in record.getMessage() for text in _NO_NEWS))


class _StandardError(logging.StreamHandler[TextIO]):
    """Writes to whatever standard error is when a line is written."""

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)


def _take_in_libraries(
    processors: list[Processor], renderer: Processor, level: int
) -> None:
    """Have the standard library's loggers write as ours do."""
    handler = _StandardError()
    handler.addFilter(_is_news)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *processors],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                renderer,
            ],
        )
    )
    root = logging.getLogger()
    for older in [h for h in root.handlers if isinstance(h, _StandardError)]:
        root.removeHandler(older)
    root.addHandler(handler)
    _take_over_handlers()
    root.setLevel(max(level, LIBRARIES_LEAST))


def _take_over_handlers() -> None:
    """Some libraries write by themselves, as soon as they are imported."""
    for logger in list(logging.Logger.manager.loggerDict.values()):
        if not isinstance(logger, logging.Logger):
            continue
        own = [h for h in logger.handlers if type(h) is logging.StreamHandler]
        for handler in own:
            logger.removeHandler(handler)
        if own:
            logger.propagate = True
            logger.setLevel(logging.NOTSET)


def _known_secrets(environment: Mapping[str, str]) -> Iterator[str]:
    """Return the secrets that this process was given, word for word."""
    for name in _SECRETS:
        yield environment.get(name, "")
    for name in _ADDRESSES:
        try:
            yield urlsplit(environment.get(name, "")).password or ""
        except ValueError:
            continue
