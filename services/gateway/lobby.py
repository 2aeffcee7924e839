"""Everything the door knows of the casino, from what it hears.

It holds tables with their newest round, and what is a player's own for those who are
here; all of it is heard again after a restart.
"""

from contracts import identities
from contracts import round_events as e
from contracts import shoe as s
from contracts import table_events as te
from contracts.base import is_refusal
from runtime.bus_memory import Delivery
from services.gateway.felt import Felt, Heard
from services.gateway.purses import Own, Purse, Told


class Lobby:
    """Hears each record once, in its log's order. `prefix` names this life's feeds."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self.felts: dict[str, Felt] = {}
        self._purses: dict[str, tuple[Purse, Told]] = {}

    def hear(self, delivery: Delivery) -> None:
        record = delivery.record
        if is_refusal(record.type):
            self._hear_refusal(delivery)
            return
        match identities.category_of(record.stream):
            case "table":
                self._hear_table(delivery)
            case "round":
                self._hear_round(delivery)
            case "settlement":
                self._hear_beside(delivery)
            case "shoe" if record.type == _BURNED_SHOWN:
                self._hear_beside(delivery)
            case "wallet":
                self._hear_wallet(record.stream, delivery)

    def _hear_table(self, delivery: Delivery) -> None:
        event = delivery.event
        if isinstance(event, te.TableOpened):
            owner = delivery.envelope.actor.who
            self.felts[event.table] = Felt(event, owner, self._prefix)
            return
        felt = self.felts.get(delivery.record.stream.partition("-")[2])
        if felt is not None:
            felt.hear_table(_heard(delivery))

    def _hear_round(self, delivery: Delivery) -> None:
        round_id = delivery.record.stream
        felt = self.felts.get(identities.table_of_round(round_id))
        if felt is None:
            return
        heard = _heard(delivery, delivery.record.version)
        if isinstance(heard.event, e.RoundOpened):
            self._open_round(felt, heard)
            return
        felt.hear_round(heard)
        if isinstance(heard.event, Own):
            self._tell_own(heard.event, felt)

    def _hear_refusal(self, delivery: Delivery) -> None:
        """A refusal counts in its stream: a decision on the view before is outdated."""
        record = delivery.record
        if identities.category_of(record.stream) != "round":
            return
        felt = self.felts.get(identities.table_of_round(record.stream))
        if felt is not None:
            felt.hear_refusal(record.stream, _heard(delivery, record.version))

    def _open_round(self, felt: Felt, heard: Heard) -> None:
        """A new round begins: the seats of the one before are empty."""
        before, gone = felt.everybody.view, felt.seats()
        felt.open_round(heard)
        for player in gone if before is not None else ():
            found = self._purse_of(player, felt)
            if found is not None and before is not None:
                found[0].leave(before.round_id)
                found[1](found[0].message())

    def _tell_own(self, event: Own, felt: Felt) -> None:
        found = self._purse_of(event.player, felt)
        if found is not None:
            purse, told = found
            purse.hear_round(event, felt.seats().get(event.player, ""))
            told(purse.message())

    def _purse_of(self, player: str, felt: Felt) -> tuple[Purse, Told] | None:
        return self._purses.get(identities.wallet_stream(player, felt.currency))

    def _hear_beside(self, delivery: Delivery) -> None:
        """Another service's record of a round."""
        heard = _heard(delivery)
        felt = self.felts.get(identities.table_of_round(heard.event.round_id))
        if felt is not None:
            felt.hear_round(heard)

    def _hear_wallet(self, stream: str, delivery: Delivery) -> None:
        found = self._purses.get(stream)
        if found is None:
            return
        purse, told = found
        purse.hear_wallet(delivery.event)
        told(purse.message())

    def welcome(self, purse: Purse, told: Told) -> None:
        """Tell a player's own from now on; a seat taken before is found again."""
        stream = identities.wallet_stream(purse.player, purse.currency)
        self._purses[stream] = purse, told
        for felt in self.felts.values():
            view = felt.everybody.view
            if view is not None and purse.player in felt.seats():
                purse.seats[view.round_id] = felt.seats()[purse.player]

    def leave(self, purse: Purse) -> None:
        stream = identities.wallet_stream(purse.player, purse.currency)
        found = self._purses.get(stream)
        if found is not None and found[0] is purse:
            del self._purses[stream]

    def version(self, round_id: str) -> int:
        """Return a round's version where it is a table's newest, else 0."""
        felt = self.felts.get(identities.table_of_round(round_id))
        view = None if felt is None else felt.everybody.view
        return view.version if view is not None and view.round_id == round_id else 0


_BURNED_SHOWN = str(s.BurnedCardShown.__struct_config__.tag)


def _heard(delivery: Delivery, version: int = 0) -> Heard:
    envelope = delivery.envelope
    return Heard(
        delivery.event,
        envelope.type,
        envelope.recorded_at,
        envelope.actor.kind,
        version,
    )
