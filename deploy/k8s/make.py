"""Writes the Kubernetes manifests of all services: `python deploy/k8s/make.py`.

What is the same for all of them is said once. Passwords, keys and tokens are referred
to and never written: docs/deploy.md says how to make them.
"""

import sys
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent / "base"
PORT = 8022
IMAGE = "push22"
SERVICES = ("shoe", "table-orchestrator", "settlement", "wallet", "desk")
"""Those with a log: each has a database role, sealing keys and a Kafka account."""

REPLICAS = 2
REPLICAS_MAX = 8
"""More than there are partitions would have nothing to do."""

LAG_S = "2"
_DOOR = "door"
_PLACE = "/var/lib/push22"
_NONE = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True} | {
    "capabilities": {"drop": ["ALL"]}
}
_POD = {
    "runAsNonRoot": True,
    "runAsUser": 10022,
    "runAsGroup": 10022,
    "fsGroup": 10022,
    "seccompProfile": {"type": "RuntimeDefault"},
}

Manifest = dict[str, Any]


def _labels(name: str) -> dict[str, str]:
    return {
        "app.kubernetes.io/name": name,
        "app.kubernetes.io/part-of": "push22",
    }


def _made(kind: str, api: str, name: str, **body: Any) -> Manifest:
    meta = {"name": name, "labels": _labels(name)}
    return {"apiVersion": api, "kind": kind, "metadata": meta, **body}


def _secret(variable: str, name: str, key: str) -> Manifest:
    chosen = {"name": name, "key": key}
    return {"name": variable, "valueFrom": {"secretKeyRef": chosen}}


def _value(variable: str, text: str) -> Manifest:
    return {"name": variable, "value": text}


def _kafka(name: str) -> list[Manifest]:
    """Each service has an account of its own, whose rights are those of its topics."""
    return [
        {
            "name": "PUSH22_KAFKA",
            "valueFrom": {"configMapKeyRef": {"name": "push22", "key": "kafka"}},
        },
        _value("PUSH22_KAFKA_USERNAME", f"push22-{name}"),
        _secret("PUSH22_KAFKA_PASSWORD", "push22-kafka", name),
        _value("PUSH22_KAFKA_CA", "/etc/push22/kafka/ca.crt"),
    ]


def _shared(name: str) -> list[Manifest]:
    sources = ",".join(f"{item}=http://{item}:{PORT}" for item in SERVICES)
    token = _secret("PUSH22_TOKEN", "push22-token", "token")
    return [*_kafka(name), token, _value("PUSH22_SOURCES", sources)]


def _probe(path: str, **times: int) -> Manifest:
    return {"httpGet": {"path": path, "port": "http"}, "timeoutSeconds": 5, **times}


def _container(name: str, words: list[str], env: list[Manifest]) -> Manifest:
    return {
        "name": name,
        "image": IMAGE,
        "args": words,
        "env": env,
        "ports": [{"name": "http", "containerPort": PORT}],
        "securityContext": _NONE,
        "resources": {
            "requests": {"cpu": "250m", "memory": "192Mi"},
            "limits": {"memory": "512Mi"},
        },
        "startupProbe": _probe("/live", periodSeconds=2, failureThreshold=60),
        "livenessProbe": _probe("/live", periodSeconds=10, failureThreshold=3),
        "readinessProbe": _probe("/ready", periodSeconds=5, failureThreshold=2),
        "volumeMounts": [
            {"name": "tmp", "mountPath": "/tmp"},  # noqa: S108 - the pod's own
            {"name": "kafka-ca", "mountPath": "/etc/push22/kafka", "readOnly": True},
        ],
    }


def _pod(name: str, containers: list[Manifest]) -> Manifest:
    spread = {
        "maxSkew": 1,
        "topologyKey": "kubernetes.io/hostname",
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": _labels(name)},
    }
    annotations = {
        "prometheus.io/scrape": "true",
        "prometheus.io/port": str(PORT),
        "prometheus.io/path": "/metrics",
    }
    return {
        "metadata": {"labels": _labels(name), "annotations": annotations},
        "spec": {
            "automountServiceAccountToken": False,
            "enableServiceLinks": False,
            # A service stops within 15 s; killed earlier it loses nothing but time.
            "terminationGracePeriodSeconds": 25,
            "securityContext": _POD,
            "topologySpreadConstraints": [spread],
            "containers": containers,
            "volumes": [
                {"name": "tmp", "emptyDir": {}},
                {
                    "name": "kafka-ca",
                    "configMap": {
                        "name": "push22-kafka-ca",
                        "items": [{"key": "ca.crt", "path": "ca.crt"}],
                    },
                },
            ],
        },
    }


def _serving(name: str) -> list[str]:
    return ["serve", name, "--host", "0.0.0.0", "--port", str(PORT)]  # noqa: S104


def service(name: str) -> list[Manifest]:
    """Return what runs one service with a log, and keeps it running."""
    env = [
        *_shared(name),
        _secret("PUSH22_DSN", "push22-database", name),
        _secret("PUSH22_SEAL_KEYS", "push22-seal-keys", name),
    ]
    container = _container(name, _serving(name), env)
    deployment = _made(
        "Deployment",
        "apps/v1",
        name,
        spec={
            "replicas": REPLICAS,
            "revisionHistoryLimit": 3,
            # A new one is there before an old one goes.
            "strategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}},
            "selector": {"matchLabels": _labels(name)},
            "template": _pod(name, [container]),
        },
    )
    return [deployment, _front(name), _budget(name), _scaler(name)]


def _front(name: str, *, headless: bool = False) -> Manifest:
    ports = [{"name": "http", "port": PORT, "targetPort": "http"}]
    spec: Manifest = {"selector": _labels(name), "ports": ports}
    # A service that is still catching up can already give others its records (H5).
    spec["publishNotReadyAddresses"] = True
    if headless:
        spec["clusterIP"] = "None"
    return _made("Service", "v1", name, spec=spec)


def _budget(name: str) -> Manifest:
    spec = {"minAvailable": 1, "selector": {"matchLabels": _labels(name)}}
    return _made("PodDisruptionBudget", "policy/v1", name, spec=spec)


def _scaler(name: str) -> Manifest:
    """By lag in seconds, which an adapter for Prometheus must tell Kubernetes."""
    target = {"type": "AverageValue", "averageValue": LAG_S}
    metric = {"name": "push22_consumer_lag_seconds"}
    return _made(
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
    words += ["--metrics-port", "9122", "--operators", "/etc/push22/operators.toml"]
    made = _container("gateway", words, _shared("gateway"))
    made["ports"] = [{"name": "door", "containerPort": 8080}]
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        made[probe]["httpGet"]["port"] = "door"
    operators = {
        "name": "operators",
        "mountPath": "/etc/push22/operators.toml",
        "subPath": "operators.toml",
        "readOnly": True,
    }
    made["volumeMounts"].append(operators)
    return made


def _stateful(pod: Manifest) -> Manifest:
    size = {"requests": {"storage": "50Gi"}}
    claim = {
        "metadata": {"name": "archive"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": size},
    }
    spec = {
        "serviceName": "archive",
        "replicas": REPLICAS,
        "podManagementPolicy": "Parallel",
        "selector": {"matchLabels": _labels(_DOOR)},
        "template": pod,
        "volumeClaimTemplates": [claim],
    }
    return _made("StatefulSet", "apps/v1", _DOOR, spec=spec)


def door() -> list[Manifest]:
    """Return the gateway, each with an archive of its own that it reads rounds from."""
    archive = _container("archive", _serving("archive"), _shared("archive"))
    gateway = _gateway()
    for container in (archive, gateway):
        container["volumeMounts"].append({"name": "archive", "mountPath": _PLACE})
    pod = _pod(_DOOR, [archive, gateway])
    operators = {"name": "operators", "secret": {"secretName": "push22-operators"}}
    pod["spec"]["volumes"].append(operators)
    ports = [{"name": "door", "port": 80, "targetPort": "door"}]
    spec = {"selector": _labels(_DOOR), "ports": ports}
    archives = _front("archive", headless=True)
    archives["spec"]["selector"] = _labels(_DOOR)
    public = _made("Service", "v1", "gateway", spec=spec)
    return [_stateful(pod), public, archives, _budget(_DOOR)]


def once() -> list[Manifest]:
    """Return the jobs before a first start and before each new version."""
    database = [_secret("PUSH22_DSN", "push22-database", "administrator")]
    for name in SERVICES:
        variable = f"PUSH22_PASSWORD_{name.upper().replace('-', '_')}"
        database.append(_secret(variable, "push22-database", f"{name}-password"))
    return [
        _job("migrate", ["migrate"], database),
        _job("topics", ["topics", "--replicas", "3"], _kafka("administrator")),
    ]


def _job(name: str, words: list[str], env: list[Manifest]) -> Manifest:
    container = _container(name, words, env)
    for probe in ("startupProbe", "livenessProbe", "readinessProbe", "ports"):
        del container[probe]
    pod = _pod(name, [container])
    del pod["metadata"]["annotations"]
    del pod["spec"]["topologySpreadConstraints"]
    pod["spec"]["restartPolicy"] = "OnFailure"
    spec = {"backoffLimit": 6, "ttlSecondsAfterFinished": 3600, "template": pod}
    return _made("Job", "batch/v1", name, spec=spec)


def _ours() -> Manifest:
    return {"podSelector": {"matchLabels": {"app.kubernetes.io/part-of": "push22"}}}


def _wall(name: str, who: Manifest, **rules: Any) -> Manifest:
    kinds = [kind for kind in ("Ingress", "Egress") if kind.lower() in rules]
    spec = {"podSelector": who, "policyTypes": kinds or ["Ingress", "Egress"], **rules}
    return _made("NetworkPolicy", "networking.k8s.io/v1", name, spec=spec)


def _from(label: str) -> Manifest:
    return {"namespaceSelector": {"matchLabels": {f"push22.io/{label}": "true"}}}


def walls() -> list[Manifest]:
    """Return who may talk to whom: nobody, but for what is listed."""
    everyone = {"matchLabels": {"app.kubernetes.io/part-of": "push22"}}
    names = [{"port": 53, "protocol": "UDP"}, {"port": 53, "protocol": "TCP"}]
    reached = [
        {"ports": names},
        {"to": [_from("servers")], "ports": [{"port": 5432}, {"port": 9093}]},
        {"to": [_ours()], "ports": [{"port": PORT}]},
    ]
    asked = [
        {"from": [_ours()], "ports": [{"port": PORT}]},
        {"from": [_from("monitoring")], "ports": [{"port": PORT}, {"port": 9122}]},
    ]
    let_in = [{"from": [_from("ingress")], "ports": [{"port": 8080}]}]
    key = "app.kubernetes.io/name"
    serving = {"key": key, "operator": "In", "values": [*SERVICES, _DOOR]}
    return [
        _wall("nobody", everyone),
        _wall("services", everyone, egress=reached),
        _wall("records-and-metrics", {"matchExpressions": [serving]}, ingress=asked),
        _wall("entrance", {"matchLabels": _labels(_DOOR)}, ingress=let_in),
    ]


FILES = {
    **{f"{name}.yaml": service(name) for name in SERVICES},
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
