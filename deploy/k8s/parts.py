"""What manifests are made of: names, variables, containers and pods."""

from typing import Any

PORT = 8022
METRICS_PORT = 9122
IMAGE = "push22"
RESTART_AFTER_S = 300
"""So long /live must fail: longer than a broker takes to be replaced."""

SERVICES = ("shoe", "table-orchestrator", "settlement", "wallet", "desk")
"""Those with a log: each has a database role, sealing keys and a Kafka account."""

DOOR = "door"
ARCHIVE = "archive"
PROBES = ("startupProbe", "livenessProbe", "readinessProbe")
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


def labels(name: str) -> dict[str, str]:
    return {
        "app.kubernetes.io/name": name,
        "app.kubernetes.io/part-of": "push22",
    }


def made(kind: str, api: str, name: str, **body: Any) -> Manifest:
    meta = {"name": name, "labels": labels(name)}
    return {"apiVersion": api, "kind": kind, "metadata": meta, **body}


def secret(variable: str, name: str, key: str) -> Manifest:
    chosen = {"name": name, "key": key}
    return {"name": variable, "valueFrom": {"secretKeyRef": chosen}}


def value(variable: str, text: str) -> Manifest:
    return {"name": variable, "value": text}


def setting(variable: str, key: str, **more: bool) -> Manifest:
    """Return a variable from the overlay's ConfigMap."""
    chosen = {"name": "push22", "key": key, **more}
    return {"name": variable, "valueFrom": {"configMapKeyRef": chosen}}


def kafka(name: str) -> list[Manifest]:
    """Each service has an account of its own, whose rights are those of its topics."""
    return [
        setting("PUSH22_KAFKA", "kafka"),
        value("PUSH22_KAFKA_USERNAME", f"push22-{name}"),
        secret("PUSH22_KAFKA_PASSWORD", "push22-kafka", name),
        value("PUSH22_KAFKA_CA", "/etc/push22/kafka/ca.crt"),
    ]


def shared(name: str) -> list[Manifest]:
    sources = ",".join(f"{item}=http://{item}:{PORT}" for item in SERVICES)
    return [
        *kafka(name),
        secret("PUSH22_TOKEN", "push22-token", "token"),
        value("PUSH22_SOURCES", sources),
        setting("OTEL_EXPORTER_OTLP_ENDPOINT", "traces", optional=True),
    ]


def serving(name: str) -> list[str]:
    return ["serve", name, "--host", "0.0.0.0", "--port", str(PORT)]  # noqa: S104


def _probe(path: str, **times: int) -> Manifest:
    return {"httpGet": {"path": path, "port": "http"}, "timeoutSeconds": 5, **times}


def _alive(every_s: int) -> Manifest:
    # It also fails while Kafka or PostgreSQL are away, which no restart mends.
    many = RESTART_AFTER_S // every_s
    return _probe("/live", periodSeconds=every_s, failureThreshold=many)


def container_of(name: str, words: list[str], env: list[Manifest]) -> Manifest:
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
        "startupProbe": _alive(every_s=2),
        "livenessProbe": _alive(every_s=10),
        "readinessProbe": _probe("/ready", periodSeconds=5, failureThreshold=2),
        "volumeMounts": [
            {"name": "tmp", "mountPath": "/tmp"},  # noqa: S108 - the pod's own
            {"name": "kafka-ca", "mountPath": "/etc/push22/kafka", "readOnly": True},
        ],
    }


def pod_of(name: str, containers: list[Manifest]) -> Manifest:
    spread = {
        "maxSkew": 1,
        "topologyKey": "kubernetes.io/hostname",
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": labels(name)},
    }
    annotations = {
        "prometheus.io/scrape": "true",
        "prometheus.io/port": str(PORT),
        "prometheus.io/path": "/metrics",
    }
    authority = {
        "name": "push22-kafka-ca",
        "items": [{"key": "ca.crt", "path": "ca.crt"}],
    }
    return {
        "metadata": {"labels": labels(name), "annotations": annotations},
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
                {"name": "kafka-ca", "configMap": authority},
            ],
        },
    }


def mount_file(into: Manifest, where: Manifest, name: str, file: str) -> None:
    """Give a pod's container one file of the secret `push22-<name>`."""
    into["spec"]["volumes"].append(
        {"name": name, "secret": {"secretName": f"push22-{name}"}}
    )
    where["volumeMounts"].append(
        {
            "name": name,
            "mountPath": f"/etc/push22/{file}",
            "subPath": file,
            "readOnly": True,
        }
    )
