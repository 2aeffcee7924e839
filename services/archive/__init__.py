"""The archive: finds rounds, rebuilds them, executes them again, audits the money."""

from services.archive.project import ROUNDS

PROJECTIONS = (ROUNDS,)
