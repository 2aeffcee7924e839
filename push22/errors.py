"""The one exception by which a command ends with a line instead of a traceback."""


class Failure(Exception):
    """Shown as `push22: <place>: <reason>`; `exit_code` becomes the process's."""

    def __init__(self, place: str, reason: str, exit_code: int = 1) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason
        self.exit_code = exit_code
