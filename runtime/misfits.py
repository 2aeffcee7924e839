"""Reads messages for whoever hears them; what is no record is counted and logged."""

from runtime.kafka_records import Arrived, Beacon, KafkaMessage, Misfit, read
from runtime.metrics import MISFITS
from runtime.telemetry import get_logger

_log = get_logger("runtime.misfits")


def fitting(
    hearer: str, message: KafkaMessage, service: str
) -> Arrived | Beacon | None:
    """Read a message of a service's log; none: it has no place there.

    The next record shows whether one is missing (CO5).
    """
    found = read(message, service)
    if isinstance(found, Misfit):
        MISFITS.labels(hearer, service).inc()
        _log.error("no record", topic=message.topic, reason=found.reason)
        return None
    return found
