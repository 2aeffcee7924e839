"""`push22 topics`: make the topics of the casino in Kafka."""

import asyncio
import sys

from aiokafka.errors import KafkaError

from push22.errors import Failure
from runtime.kafka_settings import KafkaSettings
from runtime.log import LogError
from runtime.topics_admin import make_topics


def topics(*, replicas: int = 1) -> int:
    """Make the topics that are missing in Kafka; check those that are there.

    Kafka is found by $PUSH22_KAFKA, host:port[,host:port...], and the variables
    _USERNAME, _PASSWORD and _CA of the same name.

    Parameters
    ----------
    replicas
        On how many brokers each new topic is kept.

    """
    try:
        settings = KafkaSettings.from_environment()
        lines = asyncio.run(make_topics(settings, replicas=replicas))
    except (ValueError, LogError, KafkaError, OSError) as error:
        raise Failure("topics", str(error)) from error
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return 0
