"""Times in HdrHistograms: from when a step was due, and from when it was sent.

The first is what a player feels (response), the second what the casino took (service).
They part where something could not be sent when it was due.
"""

from collections.abc import Iterator
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from push22.errors import Failure

if TYPE_CHECKING:
    from hdrh.histogram import HdrHistogram

STEPS = {
    "launch": "from the operator's launch to the table on the socket",
    "bet": "from a bet to its answer",
    "funds": "from a bet to the wallet's reservation on the socket",
    "action": "from an action to its event on the socket",
    "settled": "from the last action to the closed round on the socket",
    "round": "from the arrival to the closed round, the player's pace included",
}
PERCENTS = (50.0, 95.0, 99.0, 99.9)
_LONGEST_US = 3_600_000_000
_DIGITS = 3
_STEPS_A_NINE = 8
_MICROS_TO_MS = 1000.0


class Quantiles(msgspec.Struct, frozen=True):
    """Milliseconds."""

    count: int
    p50: float
    p95: float
    p99: float
    p999: float
    max: float


class Times(msgspec.Struct, frozen=True):
    response: Quantiles
    service: Quantiles


def new_histogram() -> "HdrHistogram":
    """Microseconds up to an hour, to three digits. Raises Failure without the extra."""
    try:
        from hdrh.histogram import HdrHistogram  # noqa: PLC0415 - an extra
    except ImportError as error:
        reason = "hdrhistogram is not installed: pip install 'push22[load]'"
        raise Failure("load", reason) from error
    return HdrHistogram(1, _LONGEST_US, _DIGITS)


class Step:
    """Both histograms of one step."""

    def __init__(self) -> None:
        self.response = new_histogram()
        self.service = new_histogram()

    def note(self, due: float, sent: float, done: float) -> None:
        """Take in a step by the times that it was due, sent and done, seconds."""
        record(self.response, done - due)
        record(self.service, done - sent)

    def times(self) -> Times:
        return Times(quantiles(self.response), quantiles(self.service))


def record(into: "HdrHistogram", seconds: float) -> None:
    into.record_value(min(max(1, round(seconds * 1e6)), _LONGEST_US))


def quantiles(histogram: "HdrHistogram") -> Quantiles:
    """Return the figures of a report; all 0 where there was nothing."""
    count = int(histogram.get_total_count())
    if not count:
        return Quantiles(0, 0.0, 0.0, 0.0, 0.0, 0.0)
    found = (histogram.get_value_at_percentile(percent) / 1000 for percent in PERCENTS)
    p50, p95, p99, p999 = found
    return Quantiles(count, p50, p95, p99, p999, histogram.get_max_value() / 1000)


def curve(histogram: "HdrHistogram") -> list[tuple[float, float]]:
    """Return nines (0.9 is 1, 0.99 is 2) and milliseconds, as far as values go."""
    count = int(histogram.get_total_count())
    steps = round(_STEPS_A_NINE * log10(count)) if count else -1
    nines = [step / _STEPS_A_NINE for step in range(steps + 1)]
    percents = [100 * (1 - 10**-each) for each in nines]
    found = [histogram.get_value_at_percentile(percent) for percent in percents]
    return [(each, value / 1000) for each, value in zip(nines, found, strict=True)]


def write_log(path: Path, steps: dict[str, Step], span: tuple[float, float]) -> None:
    """Write the histograms as a log that HdrHistogram's own tools read, tagged."""
    from hdrh.log import HistogramLogWriter  # noqa: PLC0415 - an extra

    with path.open("w") as file:
        writer: Any = HistogramLogWriter(file)
        writer.output_log_format_version()
        writer.output_legend()
        for tag, histogram in _tagged(steps):
            file.write(f"Tag={tag},")
            writer.output_interval_histogram(histogram, *span, _MICROS_TO_MS)


def _tagged(steps: dict[str, Step]) -> Iterator[tuple[str, "HdrHistogram"]]:
    """Return what was measured at all, by the tag it gets."""
    for name, step in steps.items():
        both = {"response": step.response, "service": step.service}
        for kind, histogram in both.items():
            if histogram.get_total_count():
                yield f"{name}-{kind}", histogram
