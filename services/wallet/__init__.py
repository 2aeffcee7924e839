"""The wallet: players' balances, what they have in play, and each transfer."""

from contracts.base import tag_of
from contracts.wallet import Deposit, WalletCommandRefused, Withdraw
from runtime.service import Decider, Rejected, Service
from services.wallet.decide import decide
from services.wallet.evolve import evolve
from services.wallet.react import HEEDS, address, react
from services.wallet.state import Wallet, initial


def _refusal(command_id: str, command: str, rejected: Rejected) -> WalletCommandRefused:
    return WalletCommandRefused(command_id, command, str(rejected.reason))


WALLET = Decider(
    category="wallet",
    initial=initial,
    decide=decide,
    evolve=evolve,
    state_type=Wallet,
)

SERVICE = Service(
    name="wallet",
    deciders={"wallet": WALLET},
    sources=("table-orchestrator", "settlement"),
    heeds=HEEDS,
    react=react,
    commands=frozenset({tag_of(Deposit), tag_of(Withdraw)}),
    address=address,
    refusal=_refusal,
)
