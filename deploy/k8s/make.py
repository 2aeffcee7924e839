"""Writes the manifests of all services: `python -m deploy.k8s.make` in the root.

What is the same for all of them is said once. Passwords, keys and tokens are referred
to and never written: docs/deploy.md says how to make them.
"""

import sys
from pathlib import Path
from typing import Any

import yaml

from deploy.k8s.parts import (
    ARCHIVE,
    DOOR,
    METRICS_PORT,
    PORT,
    PROBES,
    SERVICES,
    Manifest,
    container_of,
    kafka,
    labels,
    made,
    mount_file,
    pod_of,
    secret,
    serving,
    setting,
    shared,
    value,
)
from deploy.k8s.walls import walls

FOLDER = Path(__file__).parent / "base"
REPLICAS = 2
REPLICAS_MAX = 8
"""More than there are partitions would have nothing to do."""

NAMESPACE = "push22"
LAG_S = "2"
GATEWAY_OPTIONS = (
    "address",
    "proxies",
    "frame-ancestors",
    "alone",
    "oidc-issuer",
    "oidc-audience",
    "oidc-jwks",
)
"""What the overlay says, by the option's name (push22/door/options.py)."""

_PLACE = "/var/lib/push22"
_WALLET = "wallet"


def service(name: str) -> list[Manifest]:
    """Return what runs one service with a log, and keeps it running."""
    env = [
        *shared(name),
        secret("PUSH22_DSN", "push22-database", name),
        secret("PUSH22_SEAL_KEYS", "push22-seal-keys", name),
    ]
    container = container_of(name, serving(name), env)
    pod = pod_of(name, [container])
    if name == _WALLET:
        container["env"].append(value("PUSH22_OPERATORS", "/etc/push22/wallets.toml"))
        mount_file(pod, container, "wallets", "wallets.toml")
    deployment = made(
        "Deployment",
        "apps/v1",
        name,
        spec={
            "replicas": REPLICAS,
            "revisionHistoryLimit": 3,
            # A new one is there before an old one goes.
            "strategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}},
            "selector": {"matchLabels": labels(name)},
            "template": pod,
        },
    )
    return [deployment, _front(name), _budget(name), _scaler(name)]


def _front(name: str, *, headless: bool = False) -> Manifest:
    ports = [{"name": "http", "port": PORT, "targetPort": "http"}]
    spec: Manifest = {"selector": labels(name), "ports": ports}
    # A service that is still catching up can already give others its records (H5).
    spec["publishNotReadyAddresses"] = True
    if headless:
        spec["clusterIP"] = "None"
    return made("Service", "v1", name, spec=spec)


def _budget(name: str) -> Manifest:
    spec = {"minAvailable": 1, "selector": {"matchLabels": labels(name)}}
    return made("PodDisruptionBudget", "policy/v1", name, spec=spec)


def _scaler(name: str) -> Manifest:
    """By lag in seconds, which an adapter for Prometheus must tell Kubernetes."""
    target = {"type": "AverageValue", "averageValue": LAG_S}
    metric = {"name": "push22_consumer_lag_seconds"}
    return made(
        "HorizontalPodAutoscaler",
        "autoscaling/v2",
        name,
        spec={
            "scaleTargetRef": {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "name": name,
            },
            "minReplicas": REPLICAS,
            "maxReplicas": REPLICAS_MAX,
            "metrics": [{"type": "Pods", "pods": {"metric": metric, "target": target}}],
            # Each change moves partitions: rarely, and down only when it is long quiet.
            "behavior": {
                "scaleUp": {
                    "policies": [{"type": "Pods", "value": 1, "periodSeconds": 60}]
                },
                "scaleDown": {"stabilizationWindowSeconds": 1800},
            },
        },
    )


def _gateway() -> Manifest:
    words = ["serve", "gateway", "--host", "0.0.0.0", "--port", "8080"]  # noqa: S104
    words += [
        "--metrics-port",
        str(METRICS_PORT),
        "--operators",
        "/etc/push22/operators.toml",
    ]
    # All doors sign players' tokens alike: a session is good at each.
    env = [
        *shared("gateway"),
        secret("PUSH22_GATEWAY_SECRET", "push22-gateway", "secret"),
    ]
    for key in GATEWAY_OPTIONS:
        variable = key.upper().replace("-", "_")
        env.append(setting(variable, key))
        words.append(f"--{key}=$({variable})")
    found = container_of("gateway", words, env)
    found["ports"] = [
        {"name": "http", "containerPort": 8080},
        {"name": "metrics", "containerPort": METRICS_PORT},
    ]
    return found


def _stateful(name: str, replicas: int, pod: Manifest) -> Manifest:
    size = {"requests": {"storage": "50Gi"}}
    claim = {
        "metadata": {"name": "archive"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": size},
    }
    for container in pod["spec"]["containers"]:
        container["volumeMounts"].append({"name": "archive", "mountPath": _PLACE})
    spec = {
        "serviceName": name,
        "replicas": replicas,
        "podManagementPolicy": "Parallel",
        "selector": {"matchLabels": labels(name)},
        "template": pod,
        "volumeClaimTemplates": [claim],
    }
    return made("StatefulSet", "apps/v1", name, spec=spec)


def archive() -> list[Manifest]:
    """Return the one archive that lodges checkpoints: never two at a time.

    A StatefulSet starts its successor when it is gone for sure, a Deployment before.
    """
    container = container_of(ARCHIVE, serving(ARCHIVE), shared(ARCHIVE))
    pod = pod_of(ARCHIVE, [container])
    return [_stateful(ARCHIVE, 1, pod), _front(ARCHIVE, headless=True)]


def door() -> list[Manifest]:
    """Return the gateway, each with an archive of its own that it reads rounds from."""
    words = [*serving(ARCHIVE), "--no-lodge"]
    beside = container_of(ARCHIVE, words, shared(ARCHIVE))
    # In one pod a name is one port's; `http` is what players come to.
    beside["ports"][0]["name"] = ARCHIVE
    for probe in PROBES:
        beside[probe]["httpGet"]["port"] = ARCHIVE
    gateway = _gateway()
    pod = pod_of(DOOR, [beside, gateway])
    pod["metadata"]["annotations"]["prometheus.io/port"] = str(METRICS_PORT)
    mount_file(pod, gateway, "operators", "operators.toml")
    ports = [{"name": "http", "port": 80, "targetPort": "http"}]
    spec = {"selector": labels(DOOR), "ports": ports}
    public = made("Service", "v1", "gateway", spec=spec)
    doors = _front(DOOR, headless=True)
    doors["spec"]["ports"] = ports
    return [_stateful(DOOR, REPLICAS, pod), public, doors, _budget(DOOR)]


def once() -> list[Manifest]:
    """Return the jobs before a first start and before each new version."""
    database = [secret("PUSH22_DSN", "push22-database", "administrator")]
    for name in SERVICES:
        variable = f"PUSH22_PASSWORD_{name.upper().replace('-', '_')}"
        database.append(secret(variable, "push22-database", f"{name}-password"))
    return [
        _job("migrate", ["migrate"], database),
        _job("topics", ["topics", "--replicas", "3"], kafka("administrator")),
    ]


def namespace() -> Manifest:
    """Return the place of all: Kubernetes itself refuses a pod with privileges."""
    found = made("Namespace", "v1", NAMESPACE)
    for mode in ("enforce", "warn", "audit"):
        found["metadata"]["labels"][f"pod-security.kubernetes.io/{mode}"] = "restricted"
    return found


def _job(name: str, words: list[str], env: list[Manifest]) -> Manifest:
    container = container_of(name, words, env)
    for field in (*PROBES, "ports"):
        del container[field]
    pod = pod_of(name, [container])
    del pod["metadata"]["annotations"]
    del pod["spec"]["topologySpreadConstraints"]
    pod["spec"]["restartPolicy"] = "OnFailure"
    spec = {"backoffLimit": 6, "ttlSecondsAfterFinished": 3600, "template": pod}
    # A job cannot be changed: overlays put the image's tag in the place of `version`.
    found = made("Job", "batch/v1", f"{name}-version", spec=spec)
    found["metadata"]["labels"] = labels(name)
    return found


FILES = {
    "namespace.yaml": [namespace()],
    **{f"{name}.yaml": service(name) for name in SERVICES},
    "archive.yaml": archive(),
    "door.yaml": door(),
    "once.yaml": once(),
    "walls.yaml": walls(),
}


class _Plain(yaml.SafeDumper):
    """Writes a value again where it is used again, without anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        del data
        return True


def written(manifests: list[Manifest]) -> str:
    """Return manifests as YAML; the same each time."""
    text = yaml.dump_all(
        manifests, Dumper=_Plain, sort_keys=False, width=1000, explicit_start=True
    )
    return f"# Written by deploy/k8s/make.py.\n{text}"


def main() -> None:
    for name, manifests in FILES.items():
        path = FOLDER / name
        path.write_text(written(manifests))
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
