"""Writes Grafana's dashboards: `python deploy/grafana/make.py`.

A dashboard is one question a person has, a row is a part of the answer. Queries are
PromQL over the metrics of docs/metrics.md and the rules of deploy/prometheus.
"""

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent / "dashboards"
_COMMANDS = "push22_command_duration_seconds"
_REQUESTS = "push22_gateway_request_duration_seconds"
_MESSAGES = "push22_gateway_message_total"
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


class Dashboard(NamedTuple):
    name: str
    title: str
    rows: dict[str, tuple[Panel, ...]]


def _quantile(share: float, metric: str, by: str) -> str:
    return (
        f"histogram_quantile({share}, sum by (le, {by}) ({_rate(metric + '_bucket')}))"
    )


def _rate(metric: str) -> str:
    return f"rate({metric}[$__rate_interval])"


_NIGHT = Dashboard(
    "push22-night",
    "Push22: is everything all right?",
    {
        "Players": (
            Panel(
                "Rounds ended",
                "ops",
                "Per second, by how they ended. Void ones are rare.",
                {"{{outcome}}": "push22:rounds:rate5m"},
            ),
            Panel(
                "Rounds open",
                "short",
                "Tables with a round under way.",
                {"open": "push22_rounds_open"},
                "stat",
            ),
            Panel(
                "Oldest open round",
                "s",
                "Beyond 15 minutes somebody is woken up.",
                {"age": "push22_round_age_seconds_max"},
                "stat",
                900,
            ),
            Panel(
                "Slow commands",
                "percentunit",
                "Share that took more than a quarter of a second; the budget is 0.1 %.",
                {
                    "5 minutes": "push22:commands_slow:ratio_rate5m",
                    "1 hour": "push22:commands_slow:ratio_rate1h",
                    "6 hours": "push22:commands_slow:ratio_rate6h",
                },
                limit=0.001,
            ),
        ),
        "Money": (
            Panel(
                "Rules of money broken",
                "short",
                "Must be 0.",
                {"broken": "push22_ledger_invariant_violations"},
                "stat",
                1,
            ),
            Panel(
                "Actual return, 30 days",
                "percentunit",
                "What came back of what was staked, by game.",
                {"{{rule_set}} {{currency}}": "push22:return_actual:ratio30d"},
            ),
            Panel(
                "Calls to operators' wallets, p99",
                "s",
                "By call and result.",
                {
                    "{{op}} {{result}}": _quantile(
                        0.99, "push22_wallet_call_duration_seconds", "op, result"
                    )
                },
            ),
            Panel(
                "Calls owed to operators",
                "short",
                "Made and recorded within seconds; what grows, an operator refuses.",
                {"owed": "sum(push22_wallet_pending)"},
            ),
        ),
        "Machinery": (
            Panel(
                "Processes that answer",
                "short",
                "1 is up.",
                {"{{instance}}": 'up{job="push22"}'},
            ),
            Panel(
                "Behind their sources",
                "s",
                "Age of the newest record handled while more wait; 0 is caught up.",
                {"{{service}} < {{source}}": "push22_consumer_lag_seconds"},
                limit=15,
            ),
            Panel(
                "Set aside, 1 hour",
                "short",
                "Streams that wait for somebody to look: push22 parked.",
                {"{{service}}": "increase(push22_parked_total[1h])"},
                "stat",
                1,
            ),
            Panel(
                "Chains broken",
                "short",
                "Records that do not follow on one another: must be 0.",
                {"{{service}} < {{source}}": "push22_chain_breaks_total"},
                "stat",
                1,
            ),
        ),
    },
)

_FLOW = Dashboard(
    "push22-flow",
    "Push22: where does the time go?",
    {
        "Commands": (
            Panel(
                "Commands",
                "ops",
                "Per second, by outcome.",
                {"{{outcome}}": f"sum by (outcome) ({_rate(_COMMANDS + '_count')})"},
            ),
            Panel(
                "Arrival to answer, p99",
                "s",
                "By service.",
                {"{{service}}": "push22:command_duration_seconds:p99_5m"},
                limit=0.25,
            ),
            Panel(
                "Slowest commands, p99",
                "s",
                "The five slowest types.",
                {"{{command}}": f"topk(5, {_quantile(0.99, _COMMANDS, 'command')})"},
            ),
        ),
        "Gateway": (
            Panel(
                "Requests",
                "ops",
                "Per second, by status.",
                {"{{status}}": f"sum by (status) ({_rate(_REQUESTS + '_count')})"},
            ),
            Panel(
                "Slowest routes, p99",
                "s",
                "The five slowest.",
                {"{{route}}": f"topk(5, {_quantile(0.99, _REQUESTS, 'route')})"},
            ),
            Panel(
                "Sockets",
                "short",
                "Players who are connected.",
                {"sockets": "sum(push22_gateway_sockets)"},
            ),
            Panel(
                "What sockets say",
                "ops",
                "Messages per second, by kind.",
                {"{{kind}}": f"sum by (kind) ({_rate(_MESSAGES)})"},
            ),
        ),
        "Between services": (
            Panel(
                "Record to handling, p99",
                "s",
                "From the commit in one service to its handling in the next.",
                {"{{service}} < {{source}}": "push22:hop_duration_seconds:p99_5m"},
            ),
            Panel(
                "Records that wait",
                "short",
                "Known and not handled yet.",
                {"{{service}} < {{source}}": "push22_consumer_lag_records"},
            ),
            Panel(
                "Not sent to Kafka yet",
                "short",
                "In the log, not acknowledged by the broker.",
                {"{{service}}": "push22_relay_unpublished_events"},
            ),
            Panel(
                "Oldest of them",
                "s",
                "For how long it has been known.",
                {"{{service}}": "push22_relay_lag_seconds"},
                limit=10,
            ),
        ),
        "Database": (
            Panel(
                "An append, p99",
                "s",
                "Records, positions and answers in one transaction.",
                {
                    "{{service}}": _quantile(
                        0.99, "push22_log_append_duration_seconds", "service"
                    )
                },
            ),
            Panel(
                "Database not there",
                "ops",
                "Attempts that failed.",
                {
                    "{{service}}": _rate("push22_log_failures_total"),
                },
            ),
            Panel(
                "Indexes behind the logs",
                "s",
                "Since when the oldest record is known that is not in them.",
                {"{{projection}}": "push22_projection_lag_seconds"},
                limit=30,
            ),
        ),
    },
)

_FAULTS = Dashboard(
    "push22-faults",
    "Push22: what went wrong and was mended?",
    {
        "Deliveries": (
            Panel(
                "Repeats dropped",
                "ops",
                "Normal after a restart; always, a relay sends twice.",
                {"{{service}} < {{source}}": _rate("push22_repeats_dropped_total")},
            ),
            Panel(
                "Gaps asked for",
                "ops",
                "Records that did not come by Kafka.",
                {"{{service}} < {{source}}": _rate("push22_gaps_total")},
            ),
            Panel(
                "Records got that way",
                "ops",
                "From the source's own log.",
                {"{{service}} < {{source}}": _rate("push22_gap_records_pulled_total")},
            ),
            Panel(
                "No records",
                "ops",
                "Messages on a topic that are none of its log.",
                {"{{service}} < {{source}}": _rate("push22_misfits_total")},
            ),
        ),
        "Processes": (
            Panel(
                "Memory",
                "bytes",
                "Flat, however many rounds are played.",
                {"{{instance}}": 'process_resident_memory_bytes{job="push22"}'},
            ),
            Panel(
                "Processor",
                "percentunit",
                "1 is a whole core: then the process is full.",
                {"{{instance}}": _rate('process_cpu_seconds_total{job="push22"}')},
                limit=0.9,
            ),
            Panel(
                "Builds",
                "short",
                "How many instances run each.",
                {"{{version}}": "count by (version) (push22_build_info)"},
                "stat",
            ),
        ),
    },
)

DASHBOARDS = (_NIGHT, _FLOW, _FAULTS)


def _panel(number: int, panel: Panel, place: dict[str, int]) -> dict[str, Any]:
    steps: list[dict[str, Any]] = [{"color": "green", "value": None}]
    if panel.limit is not None:
        steps.append({"color": "red", "value": panel.limit})
    source = {"type": "prometheus", "uid": "push22"}
    return {
        "id": number,
        "type": panel.kind,
        "title": panel.title,
        "description": panel.says,
        "datasource": source,
        "gridPos": place,
        "fieldConfig": {
            "defaults": {
                "unit": panel.unit,
                "min": 0,
                "thresholds": {"mode": "absolute", "steps": steps},
            },
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


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for dashboard in DASHBOARDS:
        path = FOLDER / f"{dashboard.name}.json"
        path.write_text(made(dashboard))
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
