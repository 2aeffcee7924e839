"""A player's rounds in any order the world allows: no cent is made or lost.

A small model of the table plays bets, doubles, time-outs, settlements and voids. Its
two logs reach the wallet late, interleaved and again; an auditor that shares no code
with the wallet adds up the transfers after every step.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace

from contracts.settlement import Refund
from contracts.wallet import (
    Deposit,
    FundsRefused,
    FundsReserved,
    PayoutsPosted,
    ReservationCancelled,
    Transfer,
    Withdraw,
)
from runtime.service import Context, Rejected
from services.wallet import SERVICE, WALLET
from tests.builders import (
    ALICE,
    ALICES_MONEY,
    ALICES_WALLET,
    EUR,
    bet_placed,
    bet_refused,
    bet_withdrawn,
    funds_declined,
    funds_requested,
    line,
    settled,
    void_settled,
)
from tests.spec import PLATFORM, reactions

TABLES = ("t1", "t2")
AMOUNTS = st.integers(1, 60)


@dataclass
class Stake:
    """A reservation as the table knows it."""

    round_id: str
    name: str
    amount_minor: int
    replaces: str = ""
    fate: str = "pending"


@dataclass
class Auditor:
    """Adds up transfers; knows nothing of decisions."""

    accounts: Counter[str] = field(default_factory=Counter)
    transfers: set[str] = field(default_factory=set)
    ends: Counter[str] = field(default_factory=Counter)
    made: set[str] = field(default_factory=set)

    def see(self, event: Any) -> None:
        for transfer in _transfers(event):
            assert transfer.id not in self.transfers, f"{transfer.id} comes twice"
            assert transfer.amount_minor > 0
            self.transfers.add(transfer.id)
            self.accounts[transfer.debit] -= transfer.amount_minor
            self.accounts[transfer.credit] += transfer.amount_minor
        if hasattr(event, "balance_minor"):
            assert event.balance_minor == self.accounts[ALICES_MONEY]
        self._follow(event)

    def _follow(self, event: Any) -> None:
        match event:
            case FundsReserved():
                assert event.reservation not in self.made
                assert not self.ends[event.reservation]
                self.made.add(event.reservation)
                if event.returned:
                    self.ends[event.returned.id.removesuffix(":release")] += 1
            case FundsRefused():
                self.ends[event.reservation] += 1
            case ReservationCancelled() if event.transfer:
                self.ends[event.reservation] += 1


def _transfers(event: Any) -> tuple[Transfer, ...]:
    found = [getattr(event, "transfer", None), getattr(event, "returned", None)]
    if isinstance(event, PayoutsPosted):
        found.extend(event.transfers)
    return tuple(transfer for transfer in found if transfer)


class LedgerMachine(RuleBasedStateMachine):
    """Alice, a table with two rounds, and the two logs on their way to her wallet."""

    def __init__(self) -> None:
        super().__init__()
        self.wallet = WALLET.initial(ALICES_WALLET)
        self.auditor = Auditor()
        self.stakes: list[Stake] = []
        self.parts: Counter[str] = Counter()
        self.played = dict.fromkeys(TABLES, 1)
        self.table_log: list[Any] = []
        self.settlement_log: list[Any] = []
        self.delivered: list[Any] = []
        self.commands = 0
        self.expected_minor = 0
        self.stakes_lost: dict[str, tuple[int, int]] = {}

    # The wallet

    def _decide(self, message: Any, cause_id: str = "") -> tuple[Any, ...]:
        context = Context(0, cause_id, PLATFORM)
        events = WALLET.decide(message, self.wallet, context)
        if not isinstance(events, tuple):
            return ()
        for event in events:
            self.auditor.see(event)
            self.wallet = WALLET.evolve(self.wallet, event)
            self._hear(event)
        again = WALLET.decide(message, self.wallet, context)
        quiet = Rejected("already_done") if cause_id else ()
        assert again == quiet, "deciding twice moves nothing"
        return events

    def _deliver(self, message: Any) -> None:
        for to in reactions(SERVICE, message):
            assert to.stream == ALICES_WALLET
            self._decide(to.message)
        self.delivered.append(message)

    # The table

    def _hear(self, event: Any) -> None:
        if not isinstance(event, FundsReserved | FundsRefused):
            return
        stake = next(s for s in self.stakes if s.name == event.reservation)
        if stake.fate != "pending":
            return
        if isinstance(event, FundsReserved):
            stake.fate = "accepted"
            self._fate(stake.replaces, "replaced")
        else:
            self._say_no(stake)

    def _fate(self, name: str, fate: str) -> None:
        for stake in self.stakes:
            if stake.name == name:
                stake.fate = fate

    def _say_no(self, stake: Stake) -> None:
        stake.fate = "refused"
        refusal = funds_declined if ":stake:" in stake.name else bet_refused
        self.table_log.append(refusal(stake.name, round_id=stake.round_id))

    def _of(self, round_id: str, fate: str) -> list[Stake]:
        return [s for s in self.stakes if (s.round_id, s.fate) == (round_id, fate)]

    def _time_out(self, stake: Stake) -> None:
        """The wallet was silent: a bet that was to be replaced falls with the new."""
        self._say_no(stake)
        if stake.replaces:
            self._withdraw(next(s for s in self.stakes if s.name == stake.replaces))

    def _withdraw(self, stake: Stake) -> None:
        stake.fate = "withdrawn"
        self.table_log.append(bet_withdrawn(stake.name, round_id=stake.round_id))

    def _ask(self, stake: Stake) -> None:
        self.stakes.append(stake)
        if ":stake:" in stake.name:
            message: Any = funds_requested(
                stake.amount_minor, stake.name, round_id=stake.round_id
            )
        else:
            message = bet_placed(
                stake.amount_minor,
                stake.name,
                replaces=stake.replaces,
                round_id=stake.round_id,
            )
        self.table_log.append(message)

    def _round(self, table: str) -> str:
        return f"round-{table}-{self.played[table]}"

    @initialize()
    def start(self) -> None:
        self.cash(150, Deposit)

    @rule(table=st.sampled_from(TABLES), amount=AMOUNTS, now=st.booleans())
    def stake(self, table: str, amount: int, *, now: bool) -> None:
        """Bet before the first settled wager, double or split after it."""
        round_id = self._round(table)
        word = "stake" if self.parts[round_id] else "bet"
        name = f"{round_id}:{word}:{len(self.stakes)}"
        self._ask(Stake(round_id, name, amount))
        if now:
            self.the_table_is_read(all_of_it=True)

    @rule(data=st.data(), amount=AMOUNTS, now=st.booleans())
    def replace_bet(self, data: st.DataObject, amount: int, *, now: bool) -> None:
        waited_for = {s.replaces for s in self.stakes if s.fate == "pending"}
        bets = [
            s
            for s in self.stakes
            if s.fate == "accepted"
            and ":bet:" in s.name
            and s.name not in waited_for
            and not self.parts[s.round_id]
        ]
        if bets:
            old = data.draw(st.sampled_from(bets))
            name = f"{old.round_id}:bet:{len(self.stakes)}"
            self._ask(Stake(old.round_id, name, amount, old.name))
            if now:
                self.the_table_is_read(all_of_it=True)

    @rule(data=st.data())
    def withdraw_bet(self, data: st.DataObject) -> None:
        waited_for = {s.replaces for s in self.stakes if s.fate == "pending"}
        bets = [
            s
            for s in self.stakes
            if s.fate == "accepted"
            and s.name not in waited_for
            and not self.parts[s.round_id]
        ]
        if bets:
            self._withdraw(data.draw(st.sampled_from(bets)))

    @rule(data=st.data())
    def time_out(self, data: st.DataObject) -> None:
        pending = [s for s in self.stakes if s.fate == "pending"]
        if pending:
            self._time_out(data.draw(st.sampled_from(pending)))

    # Settlement

    def _settle(self, stakes: list[Stake], payouts: list[int], *, final: bool) -> None:
        round_id = stakes[0].round_id
        self.parts[round_id] += 1
        lines = []
        for stake, payout_minor in zip(stakes, payouts, strict=True):
            stake.fate = "settled"
            self.auditor.ends[stake.name] += 1
            self.stakes_lost[stake.name] = (stake.amount_minor, payout_minor)
            self.expected_minor += payout_minor - stake.amount_minor
            lines.append(line(stake.name, stake.amount_minor, payout_minor))
        self.settlement_log.append(
            settled(*lines, part=self.parts[round_id], final=final, round_id=round_id)
        )

    @rule(data=st.data(), table=st.sampled_from(TABLES), final=st.booleans())
    def settle(self, data: st.DataObject, table: str, *, final: bool) -> None:
        round_id = self._round(table)
        if not self._of(round_id, "accepted"):
            return
        bets_wait = any(":bet:" in s.name for s in self._of(round_id, "pending"))
        if final or bets_wait:
            for stake in self._of(round_id, "pending"):
                self._time_out(stake)
        stakes = self._of(round_id, "accepted")
        if not final:
            stakes = stakes[:1]
        if stakes:
            payout = st.integers(0, 150)
            size = len(stakes)
            payouts = data.draw(st.lists(payout, min_size=size, max_size=size))
            self._settle(stakes, payouts, final=final)
        if final:
            self.played[table] += 1

    @rule(table=st.sampled_from(TABLES))
    def void(self, table: str) -> None:
        round_id = self._round(table)
        self.played[table] += 1
        for stake in self._of(round_id, "pending"):
            self._time_out(stake)
        refunds = []
        for stake in self._of(round_id, "settled"):
            lost = stake.amount_minor - self.stakes_lost[stake.name][1]
            if lost > 0:
                self.expected_minor += lost
                refunds.append(Refund(ALICE, stake.name, lost, lost))
        for stake in self._of(round_id, "accepted"):
            stake.fate = "voided"
            self.auditor.ends[stake.name] += 1
            refunds.append(Refund(ALICE, stake.name, stake.amount_minor))
        if refunds:
            part = self.parts[round_id] + 1
            event = replace(void_settled(*refunds, part=part), round_id=round_id)
            self.settlement_log.append(event)

    # The world

    @rule(amount=st.integers(1, 80), kind=st.sampled_from([Deposit, Withdraw]))
    def cash(self, amount: int, kind: type[Deposit | Withdraw]) -> None:
        self.commands += 1
        if self._decide(kind(ALICE, EUR, amount), f"c-{self.commands}"):
            self.expected_minor += amount if kind is Deposit else -amount

    @precondition(lambda self: self.table_log)
    @rule(all_of_it=st.booleans())
    def the_table_is_read(self, *, all_of_it: bool) -> None:
        self._deliver(self.table_log.pop(0))
        while all_of_it and self.table_log:
            self._deliver(self.table_log.pop(0))

    @precondition(lambda self: self.settlement_log)
    @rule()
    def settlement_is_read(self) -> None:
        self._deliver(self.settlement_log.pop(0))

    @precondition(lambda self: self.table_log[1:])
    @rule()
    def a_cancellation_overtakes(self) -> None:
        first, second = self.table_log[:2]
        if getattr(first, "replaces", "") or not hasattr(first, "amount_minor"):
            return
        if second.reservation == first.reservation:
            self.table_log[:2] = [second, first]

    @precondition(lambda self: self.delivered)
    @rule(data=st.data())
    def something_comes_again(self, data: st.DataObject) -> None:
        before = self.wallet
        message = data.draw(st.sampled_from(self.delivered))
        for to in reactions(SERVICE, message):
            assert self._decide(to.message) == ()
        assert self.wallet == before

    @invariant()
    def no_cent_is_made_or_lost(self) -> None:
        accounts = self.auditor.accounts
        assert sum(accounts.values()) == 0
        assert accounts[ALICES_MONEY] == self.wallet.balance_minor >= 0
        assert all(v >= 0 for k, v in accounts.items() if k.startswith("in_play:"))
        for funds in self.wallet.rounds:
            in_play = accounts[f"in_play:{funds.round_id}:local:EUR"]
            assert in_play == funds.in_play_minor

    def teardown(self) -> None:
        """End every round, deliver everything: all stakes ended once, to the cent."""
        for table in TABLES:
            self.void(table)
        while self.settlement_log or self.table_log:
            log = self.settlement_log or self.table_log
            self._deliver(log.pop(0))
        self.no_cent_is_made_or_lost()
        accounts = self.auditor.accounts
        assert not any(v for k, v in accounts.items() if k.startswith("in_play:"))
        assert accounts[ALICES_MONEY] == self.expected_minor
        for stake in self.stakes:
            ends = self.auditor.ends[stake.name]
            assert ends == 1, f"{stake} ended {ends} times"


def test_h2_every_reservation_ends_once_whatever_comes_late_or_again() -> None:
    """The laws hold in every world that the machine finds."""
    run_state_machine_as_test(
        LedgerMachine,
        settings=settings(max_examples=200, stateful_step_count=50, deadline=None),
    )
