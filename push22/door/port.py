"""What both ports of the gateway have: they make commands as their casino does."""

import msgspec

from contracts.envelope import Actor, Micros
from push22.casino import CasinoDoor


class CommandMaker:
    """Makes commands at the casino's time, under its ids."""

    def __init__(self, door: CasinoDoor) -> None:
        self._door = door

    def now(self) -> Micros:
        return self._door.now()

    def new_id(self) -> str:
        return self._door.new_id()

    def envelope(
        self, command: msgspec.Struct, actor: Actor, command_id: str = ""
    ) -> bytes:
        return self._door.envelope(command, actor, command_id)
