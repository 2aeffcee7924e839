"""What a load report comes to: its last words, its exit status, and what to doubt."""

from collections.abc import Mapping

from push22.load.environment import LOAD_BEFORE
from push22.load.report import Report, verdict_of

MET, FAILED, SLOW = 0, 1, 3
"""Exit statuses; 2 is a command line that can't be understood."""

_BUSY_SHARE = 0.5


def meets_objective(report: Report) -> bool:
    """Tell whether it was fast enough, whatever else was found."""
    return verdict_of(report.runs, report.settings)[0]


def status_of(report: Report) -> int:
    """Return the exit status: a slow casino is not taken for a wrong one."""
    if report.is_met:
        return MET
    return FAILED if _other_faults(report) else SLOW


def last_words(report: Report) -> str:
    """Say in one line what the status stands for."""
    if not report.books.is_sound:
        return "not sound, or not audited: no figure means anything"
    faults = _other_faults(report)
    if not meets_objective(report):
        faults.append("objective missed")
    return f"sound, but {' and '.join(faults)}" if faults else "sound, objective met"


def _other_faults(report: Report) -> list[str]:
    faults = []
    if not report.books.is_sound:
        faults.append("books not sound")
    if report.chaos and not report.chaos.is_made:
        faults.append("chaos not made")
    if report.soak and report.soak.findings:
        faults.append("soak not well")
    if report.soak and report.unmeasured:
        faults.append("soak not measured")
    return faults


def doubts(report: Report) -> list[str]:
    """Return what stands under the headline: why figures mean less."""
    return [x for x in (busy_before(report.environment), report.unmeasured) if x]


def busy_before(environment: Mapping[str, str]) -> str:
    """Return a warning where the machine had other work just before, else nothing.

    A report of an earlier version, or of a machine that doesn't tell, warns of nothing.
    """
    loads, cores = environment.get(LOAD_BEFORE, ""), environment.get("cores", "")
    if not loads or not cores:
        return ""
    load = float(loads.split()[0])
    if load <= _BUSY_SHARE * int(cores):
        return ""
    return (
        "the machine was busy before: times mean little"
        f" (load average {load:.2f} on {cores} cores)"
    )
