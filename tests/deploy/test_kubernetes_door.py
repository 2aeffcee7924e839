"""The gateway on Kubernetes is told who finds it where, and whom it believes."""

import re
from pathlib import Path
from typing import Any

import pytest
from k8s_manifests import ALL, OVERLAYS, ROOT, built, containers, named, templates

from push22.__main__ import build_app
from push22.door.options import DoorOptions


def words_of(overlay: str) -> list[str]:
    """Return the gateway's arguments as Kubernetes would expand them."""
    made = built(overlay)
    (door,) = [
        m for m in made if (m["kind"], m["metadata"]["name"]) == ("StatefulSet", "door")
    ]
    maps = {m["metadata"]["name"]: m["data"] for m in made if m["kind"] == "ConfigMap"}
    (gateway,) = [
        c
        for c in door["spec"]["template"]["spec"]["containers"]
        if c["name"] == "gateway"
    ]
    known = {}
    for item in gateway["env"]:
        chosen = item.get("valueFrom", {}).get("configMapKeyRef")
        if chosen and not chosen.get("optional"):
            known[item["name"]] = maps[chosen["name"]][chosen["key"]]
    expand = re.compile(r"\$\((\w+)\)")
    return [expand.sub(lambda m: known[m[1]], word) for word in gateway["args"]]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    found: list[Any] = []
    serve = "push22.commands.serve"
    monkeypatch.setattr(f"{serve}.serve_remote", lambda *seen: found.extend(seen))
    monkeypatch.setattr(f"{serve}._run", lambda *_: 0)
    monkeypatch.setattr(f"{serve}._tell_metrics", found.append)
    monkeypatch.setattr("push22.component_watch.begin", lambda _: None)
    return found


def options_of(overlay: str, told: list[Any]) -> DoorOptions:
    assert build_app("serve")(words_of(overlay)) == 0
    _, _, place, options = told
    assert place == ("0.0.0.0", 8080)
    return options


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_launch_links_lead_to_an_address_that_browsers_reach(
    overlay: str, told: list[Any]
) -> None:
    """Else they say http://0.0.0.0:8080."""
    options = options_of(overlay, told)
    assert re.fullmatch(r"https?://[a-z.]+(:\d+)?", options.address)
    assert options.frame_ancestors == "'none'"
    assert options.operators == Path("/etc/push22/operators.toml")
    assert options.thresholds() == {}
    assert not options.dev


def test_in_production_proxies_and_the_identity_provider_are_named(
    told: list[Any],
) -> None:
    """Players' addresses are seen behind the entrance, and support gets in."""
    options = options_of("production", told)
    assert options.address.startswith("https://")
    assert options.proxies
    assert options.oidc_issuer.startswith("https://")
    assert options.oidc_jwks.startswith("https://")
    assert options.oidc_audience == "push22"


def test_without_an_identity_provider_nobody_is_of_support(told: list[Any]) -> None:
    """Empty values are as if nothing was said."""
    options = options_of("small", told)
    assert (options.proxies, options.oidc_issuer, options.oidc_jwks) == ("", "", "")


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_value_of_the_config_map_is_described(overlay: str) -> None:
    """Whoever fills it in reads what it means."""
    (settings,) = [m["data"] for m in built(overlay) if m["kind"] == "ConfigMap"]
    text = (ROOT / "docs" / "kubernetes.md").read_text()
    rows = set(re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE))
    assert settings.keys() <= rows


def ports_of(pod: dict[str, Any]) -> dict[str, int]:
    """Return a pod's ports by name; a name that is there twice leads nowhere sure."""
    listed = [p for c in pod["spec"]["containers"] for p in c.get("ports", [])]
    found = {port["name"]: port["containerPort"] for port in listed}
    assert len(found) == len(listed)
    return found


def test_prometheus_is_led_to_metrics() -> None:
    """The gateway's are apart from the door, at a port of their own."""
    for name, pod in templates():
        annotations = pod["metadata"].get("annotations")
        if annotations is None:
            assert not ports_of(pod), name
            continue
        by_name = ports_of(pod)
        port = by_name.get("metrics", by_name["http"])
        assert annotations["prometheus.io/port"] == str(port), name
        assert annotations["prometheus.io/scrape"] == "true", name
    _, gateway = named("StatefulSet", "door")["spec"]["template"]["spec"]["containers"]
    told = gateway["args"][gateway["args"].index("--metrics-port") + 1]
    assert {"name": "metrics", "containerPort": int(told)} in gateway["ports"]


def test_every_service_and_probe_leads_to_a_port_that_is_there() -> None:
    """The entrance comes to players' port, and a probe to its own container's."""
    by_name = {name: ports_of(pod) for name, pod in templates()}
    assert by_name["door"] == {"http": 8080, "metrics": 9122, "archive": 8022}
    for manifest in ALL:
        if manifest["kind"] == "Service":
            chosen = manifest["spec"]["selector"]["app.kubernetes.io/name"]
            for port in manifest["spec"]["ports"]:
                assert port["targetPort"] in by_name[chosen], manifest
    for name, container in containers():
        own = {port["name"] for port in container.get("ports", [])}
        for kind in ("startupProbe", "livenessProbe", "readinessProbe"):
            if kind in container:
                assert container[kind]["httpGet"]["port"] in own, name
    (public,) = named("Service", "gateway")["spec"]["ports"]
    assert by_name["door"][public["targetPort"]] == 8080
