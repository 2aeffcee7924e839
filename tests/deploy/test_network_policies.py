"""Each pod reaches what its work needs, and nothing else: in both directions."""

from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from typing import Any

import pytest
from k8s_manifests import FILES, OVERLAYS, built, templates

WALLS = FILES["walls.yaml"]
LABELS = {name: pod["metadata"]["labels"] for name, pod in templates()}
SERVICES = {"shoe", "table-orchestrator", "settlement", "wallet", "desk"}
SERVING = set(LABELS) - {"migrate", "topics"}
NAMES = (
    {"kubernetes.io/metadata.name": "kube-system"},
    {"k8s-app": "kube-dns"},
)
OURS: dict[str, str] = {"kubernetes.io/metadata.name": "push22"}
Place = tuple[dict[str, str], dict[str, str]]
"""A pod elsewhere: its namespace's labels and its own."""


def chosen(selector: dict[str, Any], labels: dict[str, str]) -> bool:
    wanted = selector.get("matchLabels", {})
    if any(labels.get(key) != text for key, text in wanted.items()):
        return False
    return all(
        rule["operator"] == "In" and labels.get(rule["key"]) in rule["values"]
        for rule in selector.get("matchExpressions", [])
    )


def meets(peer: dict[str, Any], place: Place | str) -> bool:
    if isinstance(place, str):
        block = peer.get("ipBlock")
        if not block or ip_address(place) not in ip_network(block["cidr"]):
            return False
        return not any(
            ip_address(place) in ip_network(no) for no in block.get("except", [])
        )
    if "ipBlock" in peer:
        return False
    namespace, pod = place
    own = namespace == OURS if "namespaceSelector" not in peer else None
    there = own if own is not None else chosen(peer["namespaceSelector"], namespace)
    return there and chosen(peer.get("podSelector", {}), pod)


def rules(name: str, way: str) -> Iterator[dict[str, Any]]:
    for wall in WALLS:
        if chosen(wall["spec"]["podSelector"], LABELS[name]):
            yield from wall["spec"].get(way, [])


def may(name: str, way: str, place: Place | str, port: int) -> bool:
    """Tell what Kubernetes would: whether any rule lets it through."""
    side = "to" if way == "egress" else "from"
    return any(
        any(meets(peer, place) for peer in rule[side])
        and any(item["port"] == port for item in rule["ports"])
        for rule in rules(name, way)
    )


def who(way: str, place: Place | str, port: int) -> set[str]:
    return {name for name in LABELS if may(name, way, place, port)}


def labelled(label: str) -> Place:
    return {f"push22.io/{label}": "true"}, {}


@pytest.mark.parametrize("name", LABELS)
def test_everything_is_shut_before_it_is_opened(name: str) -> None:
    """A pod that no policy chose could talk to anybody."""
    shut: set[str] = set()
    for wall in WALLS:
        if chosen(wall["spec"]["podSelector"], LABELS[name]):
            shut |= set(wall["spec"]["policyTypes"])
    assert shut == {"Ingress", "Egress"}
    nobody = next(w["spec"] for w in WALLS if w["metadata"]["name"] == "nobody")
    assert set(nobody["policyTypes"]) == {"Ingress", "Egress"}
    assert not {"ingress", "egress"} & nobody.keys()


def test_no_rule_is_open_to_all() -> None:
    """A rule without peers or ports means everybody, or everything."""
    for wall in WALLS:
        spec = wall["spec"]
        for way, side in (("ingress", "from"), ("egress", "to")):
            assert (way in spec) <= (way.capitalize() in spec["policyTypes"])
            for rule in spec.get(way, []):
                assert rule[side], wall
                assert rule["ports"], wall


def test_names_are_asked_of_the_clusters_own_servers_alone() -> None:
    """A name server of somebody else's is a way out for any secret."""
    assert who("egress", NAMES, 53) == set(LABELS)
    assert not who("egress", ({"other": "one"}, {"k8s-app": "kube-dns"}), 53)
    assert not who("egress", (NAMES[0], {"k8s-app": "other"}), 53)
    assert not who("egress", "8.8.8.8", 53)


def test_each_reaches_the_servers_that_it_needs() -> None:
    """The door has no business with PostgreSQL, a migration none with Kafka."""
    servers = labelled("servers")
    assert who("egress", servers, 9093) == SERVING | {"topics"}
    assert who("egress", servers, 5432) == SERVICES | {"migrate"}
    assert not who("egress", ({}, {}), 9093)


def test_records_are_asked_of_services_by_those_that_serve() -> None:
    """What one asks for, the other lets in."""
    for name in SERVICES:
        place = (OURS, LABELS[name])
        assert who("egress", place, 8022) == SERVING
        asking = {n for n in LABELS if may(name, "ingress", (OURS, LABELS[n]), 8022)}
        assert asking == SERVING


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800::1"])
def test_operators_and_the_identity_provider_are_reached(address: str) -> None:
    """The wallet calls operators by HTTPS, the gateway fetches support's keys."""
    assert who("egress", address, 443) == {"wallet", "door"}
    assert not who("egress", address, 80)


@pytest.mark.parametrize(
    "address", ["10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254", "fd00::1"]
)
def test_nothing_private_is_reached_by_address(address: str) -> None:
    """An operator's address that names a machine of ours leads nowhere."""
    assert not who("egress", address, 443)


def test_traces_reach_the_collector() -> None:
    """It stands with monitoring, at OTLP's port over HTTP."""
    assert who("egress", labelled("monitoring"), 4318) == SERVING


def test_who_is_let_in() -> None:
    """Players by the entrance at the gateway; nobody else from elsewhere."""
    assert who("ingress", labelled("ingress"), 8080) == {"door"}
    assert not who("ingress", labelled("ingress"), 8022)
    assert not who("ingress", ({}, {}), 8080)


def test_monitoring_reaches_the_metrics_of_all_that_serve() -> None:
    """By the port of services; the gateway's own is for the door alone."""
    monitoring = labelled("monitoring")
    assert who("ingress", monitoring, 8022) == SERVING
    assert who("ingress", monitoring, 9122) == {"door"}
    assert not who("ingress", monitoring, 8080)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_overlays_take_no_wall_down(overlay: str) -> None:
    """What is applied is what was asked above, for every pod."""
    made = built(overlay)
    found = {
        m["metadata"]["name"]: m["spec"] for m in made if m["kind"] == "NetworkPolicy"
    }
    assert found == {wall["metadata"]["name"]: wall["spec"] for wall in WALLS}
    labels = {
        name["app.kubernetes.io/name"]: name
        for m in made
        if "template" in m.get("spec", {})
        for name in [m["spec"]["template"]["metadata"]["labels"]]
    }
    assert labels == LABELS
