"""A player whose money the operator keeps comes in by the door and plays."""

import asyncio
import base64
from pathlib import Path

import pytest

from push22.client import Key, OperatorClient, PlayerClient, Refused
from push22.door_bot import DoorBot, Stakes
from tests.crash.serving import Served
from tests.crash.test_door_restart import push22
from tests.operator.conftest import (
    KEY_ID,
    OPENING_MINOR,
    PLAYER,
    SECRET_TEXT,
    an_operator,
)

DOOR_KEY = b"d" * 32
ROUNDS = 2

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


def casino_of(folder: Path, url: str, patch: pytest.MonkeyPatch) -> Served:
    """Describe a casino in one process that knows the operator's wallet and keys."""
    wallets, keys = folder / "wallets.toml", folder / "operators.toml"
    wallets.write_text(
        f'[operators.acme]\nurl = "{url}"\nkey_id = "{KEY_ID}"\n'
        f'secret = "{SECRET_TEXT}"\n'
    )
    secret = base64.b64encode(DOOR_KEY).decode()
    keys.write_text(f'[acme]\ncurrencies = ["EUR"]\nkeys = {{ k1 = "{secret}" }}\n')
    patch.setenv("PUSH22_OPERATORS", str(wallets))
    return Served(folder / "data", "--operators", str(keys))


async def played(address: str) -> int:
    """Come in with a token of the operator's, play, and return the last balance."""
    async with OperatorClient(address, Key("acme.k1", DOOR_KEY)) as operator:
        await operator.open_table("t1", "ny-switch-6d", "EUR")
        token = f"token:{PLAYER}"
        launch = await operator.launch("alice", "EUR", "t1", wallet_token=token)
        with pytest.raises(Refused) as refused:
            await operator.deposit("alice", "EUR", 100)
        assert refused.value.problem.reason == "operator_wallet"
        player = await PlayerClient.launched(address, launch.launch_token)
        async with player, player.live() as live:
            await live.until(lambda: live.you.balance_minor == OPENING_MINOR, 30)
            bot = DoorBot(live, "t1", Stakes())
            for _ in range(ROUNDS):
                await bot.play()
            await asyncio.sleep(1)
            return live.you.balance_minor


def test_a_launch_opens_the_operators_wallet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the player sees is what the operator's own books hold, to the cent."""
    with an_operator(tmp_path) as (mock, url):
        served = casino_of(tmp_path, url, monkeypatch)
        served.start()
        try:
            seen = asyncio.run(played(served.address))
        finally:
            served.stop()
        his = mock.books.balances()[f"player:{PLAYER}:EUR"]

    assert seen == his
    data = str(served.data)
    assert "every cent is accounted for" in push22("audit", "--data", data)
    assert "MATCH: all" in push22("verify", "--all", "--data", data)
