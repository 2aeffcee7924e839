"""Rounds to make packs of: scripts played in a casino whose logs lie on disk."""

from pathlib import Path

from blackjack.script import RoundScript, read_script
from contracts import table as t
from contracts.envelope import Actor
from push22.casino import KEYS_NAME, LOG_NAME, Casino
from push22.checkpoints.keys import SigningKeys
from push22.evidence import verify
from push22.evidence.pack import Asked, Made, make_pack
from push22.inspect.reader import Reader
from push22.script_runner import ScriptTable
from push22.stacked import StackedEntropy, stacked_order
from runtime.ambient import Ambient, KeyRing, ManualClock
from runtime.sqlite_file import SqliteFile

SCRIPTS = Path(__file__).parents[1] / "scripts"
ROUND = "round-script-1"
SUPPORT = Actor("support", "carol")
MADE_AT = 1_800_000_000


def script_of(path: Path) -> RoundScript:
    return read_script(path.read_text("utf-8"))


async def play(script: RoundScript, data: Path) -> None:
    """Play a script; a round that it leaves in play is voided by support."""
    data.mkdir(parents=True, exist_ok=True)
    clock = ManualClock()
    keys = KeyRing.load(data / KEYS_NAME)
    ambient = Ambient(clock, StackedEntropy(stacked_order(script)), keys)
    casino = Casino(SqliteFile.open(data / LOG_NAME), ambient)
    await casino.host.start()
    table = ScriptTable(script, casino, clock)
    await table.play()
    if ROUND in table.follower.rounds.open_rounds():
        await table.follower.send(t.VoidRound(ROUND, "the script ends here"), SUPPORT)
        await casino.host.settle()
    await casino.close()


def pack_of(data: Path, round_id: str = ROUND, **asked: str) -> Made:
    """Make a pack at a time that never changes."""
    clock = ManualClock()
    clock.advance(seconds=MADE_AT)
    reader = Reader.open(data)
    try:
        request = Asked(round_id, asked.pop("by", "carol"), **asked)
        return make_pack(reader, request, SigningKeys(data), clock)
    finally:
        reader.close()


def keys_of(data: Path) -> dict[str, object]:
    """Return the casino's public keys, as they are lodged elsewhere."""
    path = data / "checkpoint-keys-public.json"
    return verify.read_keys(path.read_bytes(), path.name)
