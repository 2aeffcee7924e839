"""Transcripts of a page: what a command printed, replaced by what it prints now."""

import re
from collections.abc import Callable

_BLOCK = re.compile(r"```console\n\$ (push22 capacity[^\n]*)\n.*?```", re.DOTALL)


def regenerated(page: str, printed: Callable[[str], str]) -> str:
    """Run the command of each transcript again; all else on the page stays."""

    def again(block: re.Match[str]) -> str:
        command = block[1]
        return f"```console\n$ {command}\n{printed(command).rstrip()}\n```"

    return _BLOCK.sub(again, page)
