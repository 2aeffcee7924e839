"""The archive: finds rounds, rebuilds them, executes them again, audits the money."""

from services.archive.case_project import CASES
from services.archive.project import ROUNDS

PROJECTIONS = (ROUNDS, CASES)
