"""How an archive signs checkpoints, and whether it lodges them.

Each archive signs for its own file: an evidence pack needs a checkpoint near its
records. To the topic, which is lodged elsewhere, goes one archive's series alone: two
signers there would leave stretches that do not join.
"""

from functools import partial
from pathlib import Path

from push22.checkpoints.keys import SigningKeys
from push22.checkpoints.maker import Maker
from runtime.ambient import SystemClock
from runtime.archive_host import ArchiveHost
from runtime.checkpoint_relay import CheckpointRelay, tail_of
from runtime.kafka_settings import KafkaSettings


def sign_beside(
    host: ArchiveHost, directory: Path, kafka: KafkaSettings, *, lodges: bool
) -> None:
    """Let an archive sign what it stores. Raises ChainBroken if it was changed."""
    file = host.mirror.file
    host.watcher = Maker(file, directory, SigningKeys(directory), SystemClock())
    host.watcher.start()
    if lodges:
        host.relay = CheckpointRelay(file, kafka.producer, partial(tail_of, kafka))
