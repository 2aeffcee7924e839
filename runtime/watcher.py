"""Who looks at the logs after commits, and does not take part in them."""

from typing import Protocol


class Watcher(Protocol):
    """What it raises stops the host."""

    def start(self) -> None: ...

    def look(self) -> None:
        """Look at what is durable now."""
        ...

    def close(self) -> None:
        """Look for the last time, before the file is closed."""
        ...


class NoWatcher:
    """Nobody looks."""

    def start(self) -> None:
        pass

    def look(self) -> None:
        pass

    def close(self) -> None:
        pass


NO_WATCHER = NoWatcher()
