"""Puts a round together for the viewer, out of the records of one file."""

from typing import NamedTuple

from blackjack.rule_sets import digest, rule_set
from contracts import ENGINE_VERSION
from contracts import round_events as e
from contracts import settlement as st
from contracts import shoe as s
from contracts.base import tag_of
from contracts.table_events import RoundTerms
from push22.desk.eyes import Eyes
from push22.desk.purses import purses_of, put_right_of
from push22.desk.sight import Sight, sight_of
from push22.desk.timeline import Timeline
from push22.inspect.reader import Reader
from runtime.bus_memory import Delivery
from services import table_orchestrator
from services.archive.as_script import as_script
from services.archive.gaps import oddities
from services.archive.rebuild import NotRebuildable, Step, steps_of
from services.gateway.desk.clause_texts import clause_texts
from services.gateway.desk.replay import Gap, Header, Line, Replay, Seat
from services.gateway.told_rules import told_rules
from services.gateway.views import LimitsView

_RETIRED = tag_of(s.ShoeRetired)


class _Found(NamedTuple):
    """A round's steps, and what it was opened with."""

    steps: tuple[Step, ...]
    opened: Step
    is_retired: bool

    @property
    def terms(self) -> RoundTerms:
        terms: RoundTerms = self.opened.event.terms
        return terms


def replayed(reader: Reader, round_id: str) -> Replay | None:
    """Return a round for the viewer; `None` where no log knows it.

    Raises NotRebuildable for one too damaged to be shown.
    """
    deliveries = [Delivery(x) for x in reader.file.records_of_round(round_id)]
    if not deliveries:
        return None
    found = _found(reader, round_id, deliveries)
    events = [step.event for step in found.steps]
    sight = sight_of(events, found.terms, is_retired=found.is_retired)
    by_id = {item.envelope.id: item for item in deliveries}
    eyes = Eyes(sight, found.steps, by_id)
    steps = Timeline(sight, eyes, found.opened.record.recorded_at).told(found.steps)
    terms = found.terms
    limits = LimitsView(
        terms.limits.min_minor, terms.limits.max_minor, terms.limits.side_min_minor
    )
    lines = tuple(line for step in found.steps for line in _lines(step, sight))
    view = eyes.view
    boxes = view.boxes if view is not None else ()
    return Replay(
        is_whole=sight.is_whole,
        header=_header(found, limits),
        rules=told_rules(terms.rule_set, terms.options, limits),
        seats=tuple(
            Seat(seat, player, tuple(x.box for x in boxes if x.seat == seat))
            for player, seat in eyes.seats.items()
        ),
        perspectives=eyes.perspectives,
        steps=steps,
        lines=lines,
        clauses=_clauses(terms, lines),
        purses=purses_of(found.steps),
        put_right=put_right_of(found.steps),
        gaps=_gaps(reader, found.steps),
        script=as_script(found.steps) if sight.is_whole else "",
    )


def _found(reader: Reader, round_id: str, deliveries: list[Delivery]) -> _Found:
    decider = table_orchestrator.SERVICE.deciders["round"]
    steps = steps_of(round_id, (item.envelope for item in deliveries), decider)
    opened = next((x for x in steps if isinstance(x.event, e.RoundOpened)), None)
    if opened is None:
        raise NotRebuildable("the round's opening is missing")
    shoe = reader.file.records_of_stream("shoe", opened.event.terms.shoe, 0)
    is_retired = bool(shoe) and shoe[-1].type == _RETIRED
    return _Found(steps, opened, is_retired)


def _header(found: _Found, limits: LimitsView) -> Header:
    terms, events = found.terms, [step.event for step in found.steps]
    closed = next((x for x in found.steps if isinstance(x.event, e.RoundClosed)), None)
    received = [x for x in events if isinstance(x, e.CardsReceived)]
    burned = [x.index for x in events if isinstance(x, s.CardBurned)]
    positions = burned + [card.index for x in received for card in x.cards]
    cards_out = received[-1].cards_out if received else 0
    return Header(
        round_id=found.opened.event.round_id,
        table=terms.table,
        number=terms.number,
        status=closed.event.status if closed else "open",
        currency=terms.currency,
        opened_at=found.opened.record.recorded_at,
        closed_at=closed.record.recorded_at if closed else 0,
        rule_set=terms.rule_set,
        rule_set_digest=terms.rule_set_digest,
        is_same_rules=digest(rule_set(terms.rule_set, terms.options))
        == terms.rule_set_digest,
        options=terms.options,
        limits=limits,
        engine=terms.engine,
        running_engine=ENGINE_VERSION,
        shoe=terms.shoe,
        shoe_root=terms.shoe_root,
        is_shoe_retired=found.is_retired,
        cards_out_before=cards_out - len(positions),
        cards_out_after=cards_out,
        positions=tuple(positions),
    )


def _lines(step: Step, sight: Sight) -> list[Line]:
    match sight.event(step):
        case st.WagersSettled() as event:
            return [
                Line(
                    step.sequence,
                    item.player,
                    item.line.label,
                    item.line.kind,
                    item.line.stake_minor,
                    item.line.result,
                    item.line.payout_minor,
                    item.line.payout_minor - item.line.stake_minor,
                    item.line.clauses,
                )
                for item in event.lines
            ]
        case st.RoundVoidSettled() as event:
            return [
                Line(
                    step.sequence,
                    item.player,
                    item.label,
                    "refund",
                    item.stake_minor,
                    "void",
                    item.stake_minor,
                    0,
                    (),
                )
                for item in event.refunds
            ]
    return []


def _clauses(terms: RoundTerms, lines: tuple[Line, ...]) -> dict[str, str]:
    texts = clause_texts(rule_set(terms.rule_set, terms.options))
    cited = dict.fromkeys(clause for line in lines for clause in line.clauses)
    return {clause: texts[clause] for clause in cited if clause in texts}


def _gaps(reader: Reader, steps: tuple[Step, ...]) -> tuple[Gap, ...]:
    found = oddities(steps, lambda name: reader.place_of(name) is not None)
    return tuple(Gap(*item) for item in found)
