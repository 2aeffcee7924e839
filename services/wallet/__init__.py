"""The wallet: players' balances, what they have in play, and each transfer."""

from contracts.base import tag_of
from contracts.wallet import Deposit, WalletCommandRefused, Withdraw
from contracts.wallet_calls import OpenSession, RecordCall, RefreshBalance, RetryCall
from runtime.service import Decider, Rejected, Service
from services.wallet.calls import resume
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
    resume=resume,
    state_type=Wallet,
)

SERVICE = Service(
    name="wallet",
    deciders={"wallet": WALLET},
    sources=("table-orchestrator", "settlement", "desk"),
    heeds=HEEDS,
    react=react,
    commands=frozenset(
        tag_of(kind)
        for kind in (
            Deposit,
            Withdraw,
            OpenSession,
            RefreshBalance,
            RetryCall,
            RecordCall,
        )
    ),
    own_commands=frozenset({tag_of(RecordCall)}),
    address=address,
    refusal=_refusal,
)
