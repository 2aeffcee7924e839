"""The first look of whoever is woken up: is everything all right?"""

from deploy.grafana.layout import Dashboard, Panel
from deploy.grafana.queries import quantile

NIGHT = Dashboard(
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
        ),
        "Promises": (
            Panel(
                "Availability",
                "percentunit",
                "Share of what the door is asked that gets an answer: 99.9 % at least.",
                {
                    "1 hour": "1 - push22:requests_failed:ratio_rate1h",
                    "6 hours": "1 - push22:requests_failed:ratio_rate6h",
                    "3 days": "1 - push22:requests_failed:ratio_rate3d",
                },
                "stat",
                floor=0.999,
            ),
            Panel(
                "Failed requests",
                "percentunit",
                "Share that ended in a failure of ours; the budget is 0.1 %.",
                {
                    "5 minutes": "push22:requests_failed:ratio_rate5m",
                    "1 hour": "push22:requests_failed:ratio_rate1h",
                    "6 hours": "push22:requests_failed:ratio_rate6h",
                },
                limit=0.001,
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
                    "{{op}} {{result}}": quantile(
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
