"""The second look: where does the time go, and what went wrong and was mended?"""

from deploy.grafana.layout import Dashboard, Panel
from deploy.grafana.queries import quantile, rate

_COMMANDS = "push22_command_duration_seconds"
_REQUESTS = "push22_gateway_request_duration_seconds"
_MESSAGES = "push22_gateway_message_total"

FLOW = Dashboard(
    "push22-flow",
    "Push22: where does the time go?",
    {
        "Commands": (
            Panel(
                "Commands",
                "ops",
                "Per second, by outcome.",
                {"{{outcome}}": f"sum by (outcome) ({rate(_COMMANDS + '_count')})"},
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
                {"{{command}}": f"topk(5, {quantile(0.99, _COMMANDS, 'command')})"},
            ),
        ),
        "Gateway": (
            Panel(
                "Requests",
                "ops",
                "Per second, by status.",
                {"{{status}}": f"sum by (status) ({rate(_REQUESTS + '_count')})"},
            ),
            Panel(
                "Slowest routes, p99",
                "s",
                "The five slowest.",
                {"{{route}}": f"topk(5, {quantile(0.99, _REQUESTS, 'route')})"},
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
                {"{{kind}}": f"sum by (kind) ({rate(_MESSAGES)})"},
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
                    "{{service}}": quantile(
                        0.99, "push22_log_append_duration_seconds", "service"
                    )
                },
            ),
            Panel(
                "Database not there",
                "ops",
                "Attempts that failed.",
                {
                    "{{service}}": rate("push22_log_failures_total"),
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

FAULTS = Dashboard(
    "push22-faults",
    "Push22: what went wrong and was mended?",
    {
        "Deliveries": (
            Panel(
                "Repeats dropped",
                "ops",
                "Normal after a restart; always, a relay sends twice.",
                {"{{service}} < {{source}}": rate("push22_repeats_dropped_total")},
            ),
            Panel(
                "Gaps asked for",
                "ops",
                "Records that did not come by Kafka.",
                {"{{service}} < {{source}}": rate("push22_gaps_total")},
            ),
            Panel(
                "Records got that way",
                "ops",
                "From the source's own log.",
                {"{{service}} < {{source}}": rate("push22_gap_records_pulled_total")},
            ),
            Panel(
                "No records",
                "ops",
                "Messages on a topic that are none of its log.",
                {"{{service}} < {{source}}": rate("push22_misfits_total")},
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
                {"{{instance}}": rate('process_cpu_seconds_total{job="push22"}')},
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
