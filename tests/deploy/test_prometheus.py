"""Alerts say what they should, name metrics that exist, and lead to a page of help."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from push22.casino import SERVICES
from push22.service_needs import PORTS

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "prometheus"
UNIT_TESTS = sorted((FOLDER / "tests").glob("*.yml"))
_RECORDED = re.compile(r"\b(push22:\w+:\w+)")
_METRIC = re.compile(r"\b(push22_\w+?)(?:_bucket|_count|_sum)?\b(?!:)")

_GREW = re.compile(r"\bincrease\((\w+)\[(\w+)\]\)")
_NEVER_FEW = {"push22_stakes_minor_total"}
"""A sum over 30 days, of which the first sample is no part worth naming."""

TRIED = [
    test for file in UNIT_TESTS for test in yaml.safe_load(file.read_text())["tests"]
]


def read(name: str) -> list[dict[str, Any]]:
    groups = yaml.safe_load((FOLDER / name).read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


ALERTS = read("alerts.yml")
RECORDINGS = read("recording.yml")


def promtool(*words: str) -> str:
    """Run promtool; without it the tests fail, unless that was asked for."""
    found = shutil.which("promtool")
    if found is None and os.environ.get("PUSH22_SKIP_PROMETHEUS") == "1":
        pytest.skip("PUSH22_SKIP_PROMETHEUS=1")
    assert found, "install Debian's prometheus, or set PUSH22_SKIP_PROMETHEUS=1"
    done = subprocess.run([found, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_rules_and_configuration_are_valid() -> None:
    """As Prometheus itself reads them."""
    promtool("check", "rules", "--lint=all", "--lint-fatal", str(FOLDER / "alerts.yml"))
    promtool("check", "config", str(FOLDER / "prometheus.yml"))


@pytest.mark.parametrize("file", UNIT_TESTS, ids=lambda file: file.stem)
def test_alerts_fire_when_they_should_and_not_before(file: Path) -> None:
    """Series of numbers go in; which alerts are up at which minute comes out."""
    promtool("test", "rules", str(file))


def test_every_alert_is_tried_and_seen_both_ways() -> None:
    """Each fires in some test, and stays quiet in some test."""
    tried = [item for test in TRIED for item in test["alert_rule_test"]]
    fires = {item["alertname"] for item in tried if item["exp_alerts"]}
    quiet = {item["alertname"] for item in tried if not item["exp_alerts"]}
    names = {alert["alert"] for alert in ALERTS}
    assert fires == names
    assert names - quiet <= {"ReturnOutOfRange", "CommandsSlowSteadily"}


@pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: alert["alert"])
def test_an_alert_leads_to_its_page(alert: dict[str, Any]) -> None:
    """What it means, what to look at, what to do."""
    page = (ROOT / _page(alert)).read_text()
    assert "## Look at" in page
    assert "## Do" in page
    assert alert["labels"]["severity"] in ("page", "ticket")


def test_every_page_of_help_belongs_to_an_alert() -> None:
    """None is left over when an alert goes."""
    pages = {f"docs/runbooks/{p.name}" for p in (ROOT / "docs/runbooks").glob("*.md")}
    assert pages == {_page(alert) for alert in ALERTS}


def _page(alert: dict[str, Any]) -> str:
    """Return the page that an alert links to, as a file of the repository."""
    base, _, name = alert["annotations"]["runbook_url"].rpartition("/")
    assert base == "{{ $externalLabels.runbooks }}"
    return f"docs/runbooks/{name}"


@pytest.mark.parametrize(
    "rule", [*ALERTS, *RECORDINGS], ids=lambda r: r.get("alert") or r["record"]
)
def test_a_rule_asks_for_metrics_that_exist(rule: dict[str, Any]) -> None:
    """A misspelt name is an alert that never fires."""
    page = (ROOT / "docs" / "metrics.md").read_text()
    recorded = {made["record"] for made in RECORDINGS}
    asked = rule["expr"]
    assert set(_RECORDED.findall(asked)) <= recorded
    plain = _RECORDED.sub("", asked)
    for name in _METRIC.findall(plain):
        assert f"`{name}" in page, name


@pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: alert["alert"])
def test_a_counter_that_begins_with_its_first_event_counts(alert: Any) -> None:
    """`increase` of a series that is born at 1 is 0: the alert adds such series."""
    asked = " ".join(alert["expr"].split())
    for name, window in _GREW.findall(asked):
        if name in _NEVER_FEW:
            continue
        assert f"({name} unless {name} offset {window})" in asked
        assert _is_tried_from_birth(name, alert["alert"])


def _is_tried_from_birth(name: str, alert: str) -> bool:
    return any(
        series["series"].startswith(name) and series["values"].startswith("_")
        for test in TRIED
        for series in test["input_series"]
        if any(x["alertname"] == alert for x in test["alert_rule_test"])
    )


def test_prometheus_asks_every_service() -> None:
    """Of the composed casino, where all of them serve; the door tells it apart."""
    asked = {found["labels"]["role"]: found["targets"] for found in _targets()}
    assert asked.pop("gateway") == ["gateway:9122"]
    assert asked == {name: [f"{name}:8022"] for name in PORTS}


def _targets() -> list[dict[str, Any]]:
    config = yaml.safe_load((FOLDER / "prometheus.yml").read_text())
    found: list[dict[str, Any]] = config["scrape_configs"][0]["static_configs"]
    return found


def _expression(name: str) -> str:
    found: str = next(x["expr"] for x in ALERTS if x["alert"] == name)
    return found


def test_every_role_is_missed_when_it_is_no_longer_found() -> None:
    """Nobody is asked of whom nobody would notice that he is gone."""
    missed = re.findall(
        r'absent\(up\{job="push22",role="([\w-]+)"\}\)', _expression("ServiceMissing")
    )
    assert sorted(missed) == sorted(found["labels"]["role"] for found in _targets())


def test_every_reader_is_missed() -> None:
    """Each service of the casino, for each source that it reads."""
    missed = re.findall(
        r'absent\(push22_consumer_lag_records\{service="([\w-]+)",source="([\w-]+)"\}',
        _expression("ConsumerVanished"),
    )
    assert sorted(missed) == sorted(
        (service.name, source) for service in SERVICES for source in service.sources
    )
