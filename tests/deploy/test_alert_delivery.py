"""What is wrong wakes somebody up: from a metric to the webhook, by our own files.

A real Prometheus and a real Alertmanager run on copies of deploy/prometheus and
deploy/alertmanager. Only addresses and how often they look and wait are others.
"""

import json
import re
import shutil
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

import pytest
import yaml
from prometheus_client import CollectorRegistry, Gauge

from tests.deploy.observers import alertmanager, eventually, prometheus, told

DEPLOY = Path(__file__).parents[2] / "deploy"
RUNBOOKS = "https://git.example/push22/docs/runbooks"
_SOONER = {"group_wait": "1s", "group_interval": "2s"}
"""Else a resolved alert is told five minutes later, and a ticket opened as late."""


class Webhook(ThreadingHTTPServer):
    """Who is called: it keeps what it was told, and by which path."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Called)
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return super().__enter__()

    def __exit__(self, *raised: object) -> None:
        self.shutdown()
        super().__exit__(*raised)

    def told(self, status: str, name: str) -> list[tuple[str, Any]]:
        """Return by which path an alert was told, and what was said of it."""
        return [
            (path, alert)
            for path, call in tuple(self.calls)
            for alert in call["alerts"]
            if (alert["status"], alert["labels"]["alertname"]) == (status, name)
        ]


class _Called(BaseHTTPRequestHandler):
    server: Webhook

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.calls.append((self.path, json.loads(body)))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Say nothing."""


class Archive:
    """What an archive tells of money, and how often it has missed records."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.broken = self._gauge("push22_ledger_invariant_violations")
        self.gaps = self._gauge("push22_gaps_total", "service", "source")

    def _gauge(self, name: str, *labels: str) -> Gauge:
        return Gauge(name, "As docs/metrics.md has it.", labels, registry=self.registry)


class Watched:
    """A casino's archive, and who hears of it."""

    def __init__(self, archive: Archive, webhook: Webhook) -> None:
        self.archive = archive
        self.webhook = webhook


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    """Start an archive, Prometheus, Alertmanager and who is called, in one line."""
    archive = Archive()
    with Webhook() as webhook, told(archive.registry) as target:
        _write_alertmanager(tmp_path, webhook.server_port)
        with alertmanager(tmp_path) as pager:
            _write_prometheus(tmp_path, target, pager.removeprefix("http://"))
            with prometheus(
                tmp_path,
                # 3 does so unasked, Debian's 2 does not.
                "--enable-feature=expand-external-labels",
                environment={"PUSH22_RUNBOOKS": RUNBOOKS},
            ):
                yield Watched(archive, webhook)


def _write_alertmanager(folder: Path, port: int) -> None:
    """Our routes; Debian's version (0.25) knows no `url_file`."""
    text = (DEPLOY / "alertmanager" / "alertmanager.yml").read_text()
    for name, value in _SOONER.items():
        text = re.sub(rf"{name}: \S+", f"{name}: {value}", text)
    text = re.sub(r"url_file: \S+/", f"url: http://127.0.0.1:{port}/", text)
    (folder / "alertmanager.yml").write_text(text)


def _write_prometheus(folder: Path, archive: str, pager: str) -> None:
    """Our configuration and our rules, of a casino that is nothing but its archive."""
    for name in ("alerts.yml", "recording.yml"):
        shutil.copy(DEPLOY / "prometheus" / name, folder)
    config = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text())
    config["global"] |= {"scrape_interval": "1s", "evaluation_interval": "1s"}
    (job,) = config["scrape_configs"]
    (own,) = (x for x in job["static_configs"] if x["labels"]["role"] == "archive")
    job["static_configs"] = [own | {"targets": [archive]}]
    (manager,) = config["alerting"]["alertmanagers"]
    manager["static_configs"] = [{"targets": [pager]}]
    (folder / "prometheus.yml").write_text(yaml.safe_dump(config))


def _first(webhook: Webhook, status: str, name: str) -> tuple[str, Any]:
    found = eventually(lambda: webhook.told(status, name))
    assert found, f"{name} was never told as {status}: {webhook.calls}"
    return found[0]


def _check(alert: Mapping[str, Any], severity: str, runbook: str) -> None:
    """Whoever is woken up knows how bad it is, where, and what to read."""
    labels = alert["labels"]
    assert labels["severity"] == severity
    assert (labels["job"], labels["role"]) == ("push22", "archive")
    assert "runbooks" not in labels
    assert alert["annotations"]["runbook_url"] == f"{RUNBOOKS}/{runbook}.md"


def test_broken_money_wakes_somebody_up_and_its_end_is_told(watched: Watched) -> None:
    """Once it is broken and not before; and that it is over, once it is."""
    watched.archive.gaps.labels("wallet", "settlement").set(21)
    _first(watched.webhook, "firing", "RecordsMissing")
    assert not watched.webhook.told("firing", "MoneyRuleBroken")

    watched.archive.broken.set(3)
    path, alert = _first(watched.webhook, "firing", "MoneyRuleBroken")
    assert path == "/page"
    _check(alert, "page", "MoneyRuleBroken")
    assert alert["annotations"]["summary"] == "A rule of money is broken (3 times)"
    assert not watched.webhook.told("resolved", "MoneyRuleBroken")

    watched.archive.broken.set(0)
    path, alert = _first(watched.webhook, "resolved", "MoneyRuleBroken")
    assert path == "/page"
    _check(alert, "page", "MoneyRuleBroken")


def test_what_can_wait_until_the_morning_wakes_nobody_up(watched: Watched) -> None:
    """A ticket and its end go to the other address, and to that alone."""
    watched.archive.gaps.labels("wallet", "settlement").set(21)
    path, alert = _first(watched.webhook, "firing", "RecordsMissing")
    assert path == "/ticket"
    _check(alert, "ticket", "RecordsMissing")

    watched.archive.gaps.clear()
    _first(watched.webhook, "resolved", "RecordsMissing")
    assert {path for path, _ in watched.webhook.calls} == {"/ticket"}
