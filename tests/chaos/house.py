"""The casino that cases share, one after another, as long as it is sound.

Each case is judged over everything that was ever played there, so what one case spoils
unseen the next one finds. After a case that failed, the next begins at a new casino.
"""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tests.e2e import images
from tests.e2e.conftest import local_kafka, local_postgres, running
from tests.e2e.distributed import Casino

CASES_MAX = 5
"""After so many cases all is checked from the start again in too long a time."""


class House:
    """Servers and services of one casino at a time."""

    def __init__(self, new_folder: Callable[[], Path]) -> None:
        self._new_folder = new_folder
        self._opened = ExitStack()
        self._casino: Casino | None = None
        self._cases = 0

    def open(self) -> Casino:
        """Return the casino that runs, or start another one."""
        if self._casino is not None and self._cases < CASES_MAX:
            self._cases += 1
            return self._casino
        self.close()
        kafka = self._opened.enter_context(running(local_kafka, images.Kafka))
        postgres = self._opened.enter_context(running(local_postgres, images.Postgres))
        casino = Casino(self._new_folder(), kafka, postgres)
        self._opened.callback(casino.stop_all)
        casino.prepare()
        casino.start_all()
        self._casino = casino
        self._cases = 1
        return casino

    def close(self) -> None:
        """Throw it away with its servers."""
        self._casino = None
        self._opened.close()
