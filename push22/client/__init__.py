"""The client library: operators, players and support at the door of a casino."""

from push22.client.answers import (
    Accepted,
    Balance,
    Launch,
    Me,
    Record,
    Report,
    ReportRow,
    RoundLine,
    RoundTold,
    Rules,
    Session,
    TableLine,
    TableState,
)
from push22.client.folding import Seen
from push22.client.line import Patience
from push22.client.live import Live
from push22.client.messages import Refusal, You
from push22.client.operator import Key, OperatorClient
from push22.client.orders import (
    Act,
    AnyOrder,
    Bet,
    OpenSeed,
    Ready,
    ShowBurnedCard,
    Withdraw,
)
from push22.client.player import PlayerClient
from push22.client.problems import Ended, Garbled, Problem, Refused, Unreachable
from push22.client.retries import Retries
from push22.client.support import SupportClient
from push22.client.views import Limits, Round, Table, Timings

__all__ = [
    "Accepted",
    "Act",
    "AnyOrder",
    "Balance",
    "Bet",
    "Ended",
    "Garbled",
    "Key",
    "Launch",
    "Limits",
    "Live",
    "Me",
    "OpenSeed",
    "OperatorClient",
    "Patience",
    "PlayerClient",
    "Problem",
    "Ready",
    "Record",
    "Refusal",
    "Refused",
    "Report",
    "ReportRow",
    "Retries",
    "Round",
    "RoundLine",
    "RoundTold",
    "Rules",
    "Seen",
    "Session",
    "ShowBurnedCard",
    "SupportClient",
    "Table",
    "TableLine",
    "TableState",
    "Timings",
    "Unreachable",
    "Withdraw",
    "You",
]
