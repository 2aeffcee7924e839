"""A round's verdict: executed again, its chains, its cards, what is odd about it."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from msgspec.structs import astuple, replace

from contracts import ENGINE_VERSION, catalog
from contracts import round_events as e
from contracts import shoe as s
from contracts.base import tag_of
from contracts.envelope import Envelope
from push22.desk.chains import chains_around
from push22.desk.checkpoints import HOLDS, NOT_CHECKED
from push22.desk.sight import sight_of
from push22.inspect.again import Again, judged_again
from push22.inspect.reader import Reader
from push22.inspect.verify import decisions_of_round
from services import table_orchestrator
from services.archive.card_verdicts import card_verdicts
from services.archive.gaps import oddities
from services.archive.rebuild import NotRebuildable, Step, steps_of
from services.gateway.desk.replay import Gap
from services.gateway.desk.verdict import (
    CardProof,
    Chain,
    CheckpointTold,
    Difference,
    RoundVerdict,
)

_COMMITTED = tag_of(s.ShoeCommitted)
_RETIRED = tag_of(s.ShoeRetired)


class _Round(NamedTuple):
    """What could be read of a round; `is_whole`: nothing of it is hidden.

    A round that can't be rebuilt has no steps; its events are there all the same.
    """

    steps: tuple[Step, ...]
    events: list[Any]
    engine: str
    shoe: str
    is_whole: bool


def judged(reader: Reader, round_id: str) -> RoundVerdict | None:
    """Return a round's verdict; `None` where no log knows it."""
    records = reader.of_round(round_id)
    if not records:
        return None
    found = _read(reader, round_id, records)
    decisions = decisions_of_round(reader, round_id)
    again = judged_again(reader, round_id, decisions)
    chains, checkpoints = chains_around(reader, records)
    cards = tuple(_cards(reader, found))
    shoe_faults = tuple(x.text for x in decisions.proof_faults)
    gaps = _gaps(reader, found.steps)
    kind, text = _first_wrong(
        _of_logs(chains, checkpoints), again, (cards, shoe_faults), gaps
    )
    return RoundVerdict(
        round_id=round_id,
        verdict="DIFFERS" if kind else "MATCH",
        kind=kind,
        text=text,
        decisions=decisions.checked,
        engine=found.engine,
        running_engine=ENGINE_VERSION,
        difference=None if again.is_match else _difference(again, found),
        chains=chains,
        cards=cards,
        shoe_faults=shoe_faults,
        gaps=gaps,
        checkpoints=checkpoints,
        checked=tuple(_checked(chains, decisions.by_proof_only)),
        command=f"push22 verify {round_id}",
    )


def _read(reader: Reader, round_id: str, records: list[Envelope]) -> _Round:
    """Read what can be read: a damaged round has a verdict as well."""
    decider = table_orchestrator.SERVICE.deciders["round"]
    events = list(_readable(records))
    try:
        steps = steps_of(round_id, records, decider)
    except NotRebuildable:
        steps = ()
    terms = next((x.terms for x in events if isinstance(x, e.RoundOpened)), None)
    if terms is None:
        return _Round(steps, events, "", "", is_whole=False)
    shoe = reader.file.records_of_stream("shoe", terms.shoe, 0)
    is_retired = bool(shoe) and shoe[-1].type == _RETIRED
    sight = sight_of(events, terms, is_retired=is_retired)
    return _Round(steps, events, terms.engine, terms.shoe, sight.is_whole)


def _readable(records: Iterable[Envelope]) -> Iterator[Any]:
    """Decode what can be; the verdict names the others."""
    for record in records:
        try:
            yield catalog.decode_event(record)
        except catalog.Undecodable:
            continue


def _of_logs(
    chains: Iterable[Chain], checkpoints: Iterable[CheckpointTold]
) -> Iterator[tuple[str, str]]:
    """Name what was done to the logs: by their chains, then by what was signed."""
    for chain in chains:
        for fault in chain.faults:
            place = f"{chain.service}, partition {chain.partition}, {fault.offset}"
            yield fault.kind, f"{place}: {fault.text}"
    for told in checkpoints:
        if told.verdict not in (HOLDS, NOT_CHECKED):
            place = f"{told.service}, partition {told.partition}"
            yield told.verdict, f"{place}: {told.text}"


def _first_wrong(
    of_logs: Iterator[tuple[str, str]],
    again: Again,
    cards: tuple[tuple[CardProof, ...], tuple[str, ...]],
    gaps: tuple[Gap, ...],
) -> tuple[str, str]:
    """Name what is wrong: what was done to the bytes first, then what follows."""
    if found := next(of_logs, None):
        return found
    proofs, shoe_faults = cards
    refuted = [
        f"{x.card} at {x.index}: {x.text}" for x in proofs if x.verdict == "refuted"
    ]
    if wrong := [*refuted, *shoe_faults]:
        return "card_proof", wrong[0]
    if not again.is_match:
        return "decision", f"{again.record}: {again.text}"
    missing = [gap for gap in gaps if gap.kind == "missing"]
    if missing:
        return "gap", f"{missing[0].record}: {missing[0].text}"
    return "", "every decision of the round follows from its recorded input"


def _difference(again: Again, found: _Round) -> Difference:
    expected = again.expected if found.is_whole else None
    recorded = again.recorded if found.is_whole else None
    return Difference(
        again.record,
        again.text if found.is_whole else "it differs; cards lie face down still",
        expected[1] if expected else None,
        recorded[1] if recorded else None,
        expected[0] if expected else "",
        recorded[0] if recorded else "",
    )


def _cards(reader: Reader, found: _Round) -> Iterator[CardProof]:
    committed = next(
        (x for x in reader.of_stream(found.shoe) if x.type == _COMMITTED), None
    )
    if committed is None:
        return
    for item in card_verdicts(catalog.decode_event(committed), found.events):
        proof = CardProof(*astuple(item))
        yield proof if found.is_whole else replace(proof, card="")


def _gaps(reader: Reader, steps: tuple[Step, ...]) -> tuple[Gap, ...]:
    found = oddities(steps, lambda name: reader.place_of(name) is not None)
    return tuple(Gap(*item) for item in found)


def _checked(chains: tuple[Chain, ...], by_proof_only: int) -> Iterator[str]:
    yield "the round's own decisions, its settlement's and its shoe's, made again"
    if by_proof_only:
        yield f"{by_proof_only} of the shoe's only by proof: it is in use still"
    for chain in chains:
        end = "its head" if chain.anchor == "head" else "there, and not to its head"
        yield (
            f"the chain of {chain.service}/{chain.partition} from {chain.first}"
            f" to {chain.last}, {end}"
        )
    yield from map(_covered, chains)
    yield "not here: wallets and tables made again, and whole logs"


def _covered(chain: Chain) -> str:
    place = f"{chain.service}/{chain.partition}"
    signed = chain.own - chain.uncovered
    text = f"{signed} of the round's {chain.own} records in {place} by checkpoints"
    if chain.uncovered:
        text += f"; {chain.uncovered} not yet covered by a checkpoint"
    return text
