"""Who may talk to whom: nobody, but for what is listed here, by need.

What is outside of the cluster has names, and policies know addresses only: whoever
needs it may reach every public address by HTTPS, and no private one.
"""

from typing import Any

from deploy.k8s.parts import (
    ARCHIVE,
    DOOR,
    METRICS_PORT,
    PORT,
    SERVICES,
    Manifest,
    labels,
    made,
)

_NAME = "app.kubernetes.io/name"
_PART = {"app.kubernetes.io/part-of": "push22"}
_SERVING = (*SERVICES, ARCHIVE, DOOR)
_PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10")
_OWN = ("127.0.0.0/8", "169.254.0.0/16")
"""Of a machine itself, and of what tells it its credentials in a cloud."""

_PRIVATE_V6 = ("fc00::/7", "fe80::/10")


def _wall(name: str, who: Manifest, **rules: Any) -> Manifest:
    kinds = [kind for kind in ("Ingress", "Egress") if kind.lower() in rules]
    spec = {"podSelector": who, "policyTypes": kinds or ["Ingress", "Egress"], **rules}
    return made("NetworkPolicy", "networking.k8s.io/v1", name, spec=spec)


def _those(*names: str) -> Manifest:
    chosen = {"key": _NAME, "operator": "In", "values": list(names)}
    return {"matchLabels": _PART, "matchExpressions": [chosen]}


def _namespace(label: str) -> Manifest:
    return {"namespaceSelector": {"matchLabels": {f"push22.io/{label}": "true"}}}


def _ports(*numbers: int) -> list[Manifest]:
    return [{"port": number, "protocol": "TCP"} for number in numbers]


def _egress(name: str, who: tuple[str, ...], to: Manifest, port: int) -> Manifest:
    rule = {"to": [to], "ports": _ports(port)}
    return _wall(name, _those(*who), egress=[rule])


def _names() -> Manifest:
    """Let all ask the cluster's own servers of names, and no other ones."""
    servers = {
        "namespaceSelector": {
            "matchLabels": {"kubernetes.io/metadata.name": "kube-system"}
        },
        "podSelector": {"matchLabels": {"k8s-app": "kube-dns"}},
    }
    ports = [{"port": 53, "protocol": "UDP"}, *_ports(53)]
    rule = {"to": [servers], "ports": ports}
    return _wall("to-names", {"matchLabels": _PART}, egress=[rule])


def _outside() -> Manifest:
    """Operators' wallets, and the keys of support's identity provider."""
    public = [
        {"ipBlock": {"cidr": "0.0.0.0/0", "except": [*_PRIVATE, *_OWN]}},
        {"ipBlock": {"cidr": "::/0", "except": list(_PRIVATE_V6)}},
    ]
    rule = {"to": public, "ports": _ports(443)}
    return _wall("to-outside", _those("wallet", DOOR), egress=[rule])


def walls() -> list[Manifest]:
    """Return the policies: everything is shut, then opened by need."""
    servers, monitoring = _namespace("servers"), _namespace("monitoring")
    services = {"podSelector": _those(*SERVICES)}
    serving = {"podSelector": _those(*_SERVING)}
    asked = [{"from": [serving], "ports": _ports(PORT)}]
    scraped = [{"from": [monitoring], "ports": _ports(PORT)}]
    door = [{"from": [monitoring], "ports": _ports(PORT, METRICS_PORT)}]
    let_in = [{"from": [_namespace("ingress")], "ports": _ports(8080)}]
    return [
        _wall("nobody", {"matchLabels": _PART}),
        _names(),
        _egress("to-kafka", (*_SERVING, "topics"), servers, 9093),
        _egress("to-database", (*SERVICES, "migrate"), servers, 5432),
        _egress("to-records", _SERVING, services, PORT),
        _outside(),
        _egress("to-traces", _SERVING, monitoring, 4318),
        _wall("from-services", _those(*SERVICES), ingress=asked),
        _wall("from-monitoring", _those(*SERVICES, ARCHIVE), ingress=scraped),
        _wall("from-monitoring-door", {"matchLabels": labels(DOOR)}, ingress=door),
        _wall("entrance", {"matchLabels": labels(DOOR)}, ingress=let_in),
    ]
