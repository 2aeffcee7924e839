"""What `push22 capacity` is told, and where its costs come from."""

from dataclasses import dataclass
from pathlib import Path

from push22.capacity.costs import Costs, Malformed, read_costs
from push22.capacity.demand import Demand, wrong
from push22.capacity.measure import Unusable, costs_from
from push22.errors import Failure
from push22.given import given_bytes, unreadable
from push22.load.whole import read

COMMITTED = Path(__file__).with_name("costs.json")
SIZES = (1_000, 10_000, 100_000)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the casino is to carry.

    Parameters
    ----------
    players
        Players at the busiest hour; 0: 1,000, 10,000 and 100,000 beside each other.
    rounds_per_minute
        Rounds that each plays in a minute.
    seats
        Players at one table, each of whom sees all that happens there.
    peak
        The busiest seconds, as a multiple of the busiest hour.
    day_share
        The mean of a day, as a share of the busiest hour: for disks.
    utilisation
        How busy a core may be.
    replication
        Copies of each topic in Kafka.

    """

    players: int = 0
    rounds_per_minute: float = 2.0
    seats: float = 1.0
    peak: float = 1.25
    day_share: float = 0.5
    utilisation: float = 0.6
    replication: int = 3

    def demands(self) -> tuple[Demand, ...]:
        """Check what was asked. Raises Failure."""
        sizes = (self.players,) if self.players else SIZES
        found = tuple(
            Demand(
                players=players,
                rounds_per_minute=self.rounds_per_minute,
                seats=self.seats,
                peak=self.peak,
                day_share=self.day_share,
                utilisation=self.utilisation,
                replication=self.replication,
            )
            for players in sizes
        )
        for demand in found:
            refused = wrong(demand)
            if refused is not None:
                raise Failure(refused.place, refused.reason, exit_code=2)
        return found


@dataclass(frozen=True, slots=True)
class Source:
    """Where costs are taken from.

    Parameters
    ----------
    costs
        A costs file; else the one that comes with this version.
    from_load
        Instead: reports of `push22 load --broker` with `PUSH22_LOAD_HEARER=1`, one for
        each rate. What watchers and idle players cost is taken from the costs file.
    save
        Write the costs there that were used.
    noisy
        Other work ran meanwhile: the costs are marked as preliminary.

    """

    costs: Path = COMMITTED
    from_load: tuple[Path, ...] = ()
    save: Path | None = None
    noisy: bool = False

    def found(self) -> Costs:
        """Read or derive the costs. Raises Failure."""
        costs = costs_in(self.costs)
        if not self.from_load:
            return costs
        try:
            reports = [read(path) for path in self.from_load]
        except OSError as error:
            place = Path(error.filename or "--from-load")
            raise unreadable(place, error) from error
        except ValueError as error:
            reason = f"is no load report: {error}"
            raise Failure("--from-load", reason, exit_code=2) from error
        sections = costs.measured.sections
        derived = costs_from(reports, costs.door, sections, noisy=self.noisy)
        if isinstance(derived, Unusable):
            raise Failure("--from-load", derived.reason, exit_code=2)
        return derived


def costs_in(path: Path) -> Costs:
    """Read a costs file. Raises Failure with the place of what is wrong."""
    found = read_costs(given_bytes(path))
    if isinstance(found, Malformed):
        raise Failure(f"{path}: {found.place}", found.reason, exit_code=2)
    return found
