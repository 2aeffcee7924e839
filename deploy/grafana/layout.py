"""What a dashboard is made of, and how Grafana has it: the same bytes each time."""

import json
from typing import Any, NamedTuple

_WIDTH = 24
_HEIGHT = 8


class Panel(NamedTuple):
    """`queries` maps a legend to PromQL. `says` is read by whoever wonders."""

    title: str
    unit: str
    says: str
    queries: dict[str, str]
    kind: str = "timeseries"
    limit: float | None = None
    """Where it turns red."""
    floor: float | None = None
    """Below it, it is red: of a share of nearly all, told to a thousandth of 1 %."""


class Dashboard(NamedTuple):
    name: str
    title: str
    rows: dict[str, tuple[Panel, ...]]


def made(dashboard: Dashboard) -> str:
    """Return a dashboard as Grafana's JSON; the same each time."""
    body = {
        "uid": dashboard.name,
        "title": dashboard.title,
        "tags": ["push22"],
        "timezone": "utc",
        "schemaVersion": 39,
        "version": 1,
        "refresh": "15s",
        "editable": False,
        "time": {"from": "now-3h", "to": "now"},
        "templating": {"list": []},
        "annotations": {"list": []},
        "panels": _panels(dashboard),
    }
    return json.dumps(body, indent=1) + "\n"


def _panel(number: int, panel: Panel, place: dict[str, int]) -> dict[str, Any]:
    source = {"type": "prometheus", "uid": "push22"}
    return {
        "id": number,
        "type": panel.kind,
        "title": panel.title,
        "description": panel.says,
        "datasource": source,
        "gridPos": place,
        "fieldConfig": {
            "defaults": _defaults(panel),
            "overrides": [],
        },
        "targets": [
            {
                "refId": chr(ord("A") + index),
                "datasource": source,
                "expr": query,
                "legendFormat": legend,
            }
            for index, (legend, query) in enumerate(panel.queries.items())
        ],
    }


def _panels(dashboard: Dashboard) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    top = 0
    for title, row in dashboard.rows.items():
        place = {"h": 1, "w": _WIDTH, "x": 0, "y": top}
        found.append(
            {"id": len(found) + 1, "type": "row", "title": title, "gridPos": place}
        )
        width = _WIDTH // len(row)
        for index, panel in enumerate(row):
            place = {"h": _HEIGHT, "w": width, "x": index * width, "y": top + 1}
            found.append(_panel(len(found) + 1, panel, place))
        top += 1 + _HEIGHT
    return found


def _defaults(panel: Panel) -> dict[str, Any]:
    steps: list[dict[str, Any]] = [{"color": "green", "value": None}]
    defaults = {"unit": panel.unit, "min": 0}
    if panel.limit is not None:
        steps.append({"color": "red", "value": panel.limit})
    if panel.floor is not None:
        steps = [
            {"color": "red", "value": None},
            {"color": "green", "value": panel.floor},
        ]
        defaults["decimals"] = 3
    return {**defaults, "thresholds": {"mode": "absolute", "steps": steps}}
