"""Writes Grafana's dashboards: `python -m deploy.grafana.make` in the root.

A dashboard is one question a person has, a row is a part of the answer. Queries are
PromQL over the metrics of docs/metrics.md and the rules of deploy/prometheus.
"""

import sys
from pathlib import Path

from deploy.grafana.causes import FAULTS, FLOW
from deploy.grafana.layout import made
from deploy.grafana.night import NIGHT

FOLDER = Path(__file__).parent / "dashboards"
DASHBOARDS = (NIGHT, FLOW, FAULTS)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for dashboard in DASHBOARDS:
        path = FOLDER / f"{dashboard.name}.json"
        path.write_text(made(dashboard))
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
