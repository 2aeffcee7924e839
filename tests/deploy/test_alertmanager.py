"""An alert reaches a person: from Prometheus over Alertmanager to a webhook."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

DEPLOY = Path(__file__).parents[2] / "deploy"
FILE = DEPLOY / "alertmanager" / "alertmanager.yml"
CONFIG = yaml.safe_load(FILE.read_text())
PROMETHEUS = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text())
OVERLAY = yaml.safe_load((DEPLOY / "compose.observe.yml").read_text())
ALERTS = [
    rule
    for group in yaml.safe_load((DEPLOY / "prometheus/alerts.yml").read_text())[
        "groups"
    ]
    for rule in group["rules"]
]


def amtool(tmp_path: Path, *words: str) -> str:
    """Run amtool on the configuration; it is skipped where there is none.

    Debian's (0.25) reads all of it but `url_file`, so that it is given addresses.
    """
    found = shutil.which("amtool")
    if found is None:
        pytest.skip("amtool is in Debian's prometheus-alertmanager")
    text = re.sub(r"url_file: \S+", "url: http://127.0.0.1:1/", FILE.read_text())
    config = tmp_path / "alertmanager.yml"
    config.write_text(text)
    done = subprocess.run(
        [found, *(word.format(config=config) for word in words)],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_alertmanager_takes_the_configuration(tmp_path: Path) -> None:
    """As it reads it itself."""
    assert "2 receivers" in amtool(tmp_path, "check-config", "{config}")


@pytest.mark.parametrize(
    ("label", "receiver"),
    [("severity=page", "page"), ("severity=ticket", "ticket"), ("job=push22", "page")],
)
def test_a_severity_reaches_its_receiver(
    tmp_path: Path, label: str, receiver: str
) -> None:
    """And what has none wakes somebody up."""
    words = ("config", "routes", "test", "--config.file={config}", label)
    assert amtool(tmp_path, *words).split() == [receiver]


def test_every_severity_has_a_route_to_a_receiver_with_a_way_out() -> None:
    """Also where amtool is not installed."""
    receivers = {found["name"]: found for found in CONFIG["receivers"]}
    routes = {
        matcher: route["receiver"]
        for route in CONFIG["route"]["routes"]
        for matcher in route["matchers"]
    }
    severities = {alert["labels"]["severity"] for alert in ALERTS}
    assert set(routes) == {f'severity="{severity}"' for severity in severities}
    assert {*routes.values(), CONFIG["route"]["receiver"]} == set(receivers)
    for name, receiver in receivers.items():
        assert [hook["url_file"] for hook in receiver["webhook_configs"]] == [
            f"/etc/alertmanager/urls/{name}"
        ]


def test_what_is_kept_quiet_is_an_alert_of_ours() -> None:
    """A misspelt name would keep nothing quiet, or the wrong one."""
    names = {alert["alert"] for alert in ALERTS}
    for rule in CONFIG["inhibit_rules"]:
        for matcher in (*rule["source_matchers"], *rule["target_matchers"]):
            assert set(re.findall(r"[A-Z]\w+", matcher)) <= names


def test_prometheus_sends_to_the_alertmanager_of_the_overlay() -> None:
    """By its name, at its port; and the folder of addresses is one's own to give."""
    (found,) = PROMETHEUS["alerting"]["alertmanagers"][0]["static_configs"]
    assert found["targets"] == ["alertmanager:9093"]
    service = OVERLAY["services"]["alertmanager"]
    config, urls, _ = service["volumes"]
    assert (
        config
        == "./deploy/alertmanager/alertmanager.yml:/etc/alertmanager/config.yml:ro"
    )
    assert urls.startswith("${PUSH22_ALERT_URLS:?")
    assert urls.endswith("}:/etc/alertmanager/urls:ro")
    assert "--config.file=/etc/alertmanager/config.yml" in service["command"]
    assert "alertmanager" in OVERLAY["services"]["prometheus"]["depends_on"]


def test_a_link_to_the_page_of_help_is_absolute() -> None:
    """The overlay gives its beginning to Prometheus, who puts it into every link."""
    given: Any = OVERLAY["services"]["prometheus"]["environment"]["PUSH22_RUNBOOKS"]
    name = PROMETHEUS["global"]["external_labels"]["runbooks"]
    assert name == "${PUSH22_RUNBOOKS}"
    assert given.startswith("${PUSH22_RUNBOOKS:?")
