"""Kubernetes takes the manifests, and they give no service more than it needs."""

import re
from collections.abc import Iterator
from typing import Any

import kubernetes_validate
import pytest
import yaml
from k8s_manifests import (
    ALL,
    FILES,
    FOLDER,
    OVERLAYS,
    ROOT,
    built,
    containers,
    named,
    pods,
)

from contracts.topics import PARTITIONS
from deploy.k8s import make
from push22.casino import SERVICES
from push22.door.secrets import SECRET

VERSIONS = ("1.30", "1.34")
"""The oldest that we name, and a newer one."""


def variables() -> set[str]:
    """Return those that the program asks for, each by its whole name."""
    found = {f"PUSH22_PASSWORD_{s.name.upper().replace('-', '_')}" for s in SERVICES}
    for folder in ("push22", "runtime", "services"):
        for path in (ROOT / folder).rglob("*.py"):
            literal = r'"((?:PUSH22|OTEL)_[A-Z_]+[A-Z])"'
            found |= set(re.findall(literal, path.read_text()))
    return found


@pytest.mark.parametrize("name", FILES)
def test_the_committed_manifests_are_those_that_are_written(name: str) -> None:
    """Nobody edits them by hand."""
    assert (FOLDER / "base" / name).read_text() == make.written(FILES[name])


@pytest.mark.parametrize("version", VERSIONS)
def test_kubernetes_takes_every_manifest(version: str) -> None:
    """By its own schemas, and no field is misspelt."""
    for manifest in ALL:
        kubernetes_validate.validate(manifest, version, strict=True)


@pytest.mark.parametrize("overlay", OVERLAYS)
@pytest.mark.parametrize("version", VERSIONS)
def test_every_overlay_builds_what_kubernetes_takes(overlay: str, version: str) -> None:
    """Names of pictures, number of copies and sizes are what it changes."""
    made = built(overlay)
    for manifest in made:
        kubernetes_validate.validate(manifest, version, strict=True)
    kinds = {manifest["kind"] for manifest in made}
    assert {"Deployment", "StatefulSet", "Job", "NetworkPolicy"} <= kinds
    assert ("HorizontalPodAutoscaler" in kinds) == (overlay == "production")


def test_every_service_with_a_log_is_there() -> None:
    """Each with its database, its keys and its Kafka account."""
    assert set(make.SERVICES) == {service.name for service in SERVICES}
    kustomization = yaml.safe_load((FOLDER / "base" / "kustomization.yaml").read_text())
    assert sorted(kustomization["resources"]) == sorted(FILES)


def settled(overlay: str) -> Iterator[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    """Return kind, name, pod and each container of what is applied in the end."""
    for manifest in built(overlay):
        pod = manifest.get("spec", {}).get("template", {}).get("spec")
        if pod is None:
            continue
        for field in ("initContainers", "containers", "ephemeralContainers"):
            for container in pod.get(field, []):
                name = f"{manifest['metadata']['name']}/{container['name']}"
                yield manifest["kind"], name, pod, container


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_nobody_is_root_or_writes_where_the_image_is(overlay: str) -> None:
    """Of every container that is applied, jobs too; none takes anything back."""
    kinds = []
    for kind, name, pod, container in settled(overlay):
        own = container["securityContext"]
        both = {**pod["securityContext"], **own}
        assert both["runAsNonRoot"] is True, name
        assert both["runAsUser"] > 0, name
        assert both["seccompProfile"] == {"type": "RuntimeDefault"}, name
        assert own["readOnlyRootFilesystem"] is True, name
        assert own["allowPrivilegeEscalation"] is False, name
        assert own["capabilities"] == {"drop": ["ALL"]}, name
        assert not own.get("privileged"), name
        kinds.append(kind)
    # Five services; two jobs; the archive, and the door with one beside it.
    assert sorted(kinds) == ["Deployment"] * 5 + ["Job"] * 2 + ["StatefulSet"] * 3


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_no_pod_sees_its_node_or_the_cluster(overlay: str) -> None:
    """No token of the cluster, no namespace or directory of the machine."""
    for _, name, pod, _ in settled(overlay):
        assert pod["automountServiceAccountToken"] is False, name
        assert not {"hostNetwork", "hostPID", "hostIPC"} & pod.keys(), name
        for volume in pod["volumes"]:
            (kind,) = volume.keys() - {"name"}
            assert kind in ("emptyDir", "configMap", "secret"), name


def test_no_secret_is_written_down() -> None:
    """Passwords, keys and tokens are referred to."""
    assert not [m for m in ALL if m["kind"] == "Secret"]
    for name, container in containers():
        for item in container["env"]:
            is_secret = re.search("PASSWORD|TOKEN|DSN|KEYS|SECRET", item["name"])
            if is_secret:
                assert "secretKeyRef" in item.get("valueFrom", {}), (name, item["name"])


def test_all_doors_sign_players_tokens_alike() -> None:
    """Each would else make a secret of its own, and refuse the others' players."""
    (gateway,) = [c for name, c in containers() if name == "door/gateway"]
    (item,) = [e for e in gateway["env"] if e["name"] == SECRET]
    assert item["valueFrom"]["secretKeyRef"] == {
        "name": "push22-gateway",
        "key": "secret",
    }


def test_every_secret_is_in_the_list() -> None:
    """Whoever prepares a cluster reads it there, with its keys."""
    text = (ROOT / "docs" / "kubernetes.md").read_text()
    rows = dict(re.findall(r"^\| `(push22-[a-z-]+)` \| (.*) \|$", text, re.MULTILINE))
    for name, container in containers():
        for item in container["env"]:
            given = item.get("valueFrom", {}).get("secretKeyRef")
            assert given is None or given["name"] in rows, (name, item["name"])
    for name, pod in pods():
        for volume in pod["volumes"]:
            given = volume.get("secret")
            assert given is None or given["secretName"] in rows, name
    assert "`secret`" in rows["push22-gateway"]


def test_every_variable_means_something() -> None:
    """A misspelt one would be ignored by the service, or is in its arguments."""
    known = variables()
    for name, container in containers():
        arguments = " ".join(container["args"])
        for item in container["env"]:
            is_used = f"$({item['name']})" in arguments
            assert item["name"] in known or is_used, (name, item["name"])


def test_no_argument_names_a_variable_that_is_not_there() -> None:
    """Kubernetes would hand it on as it is written."""
    for name, container in containers():
        given = {item["name"] for item in container["env"]}
        named = re.findall(r"\$\((\w+)\)", " ".join(container["args"]))
        assert set(named) <= given, name


def test_the_probes_ask_what_is_served() -> None:
    """Alive is not ready: who catches up is not killed for it."""
    for name, container in containers():
        if "livenessProbe" not in container:
            continue
        assert container["livenessProbe"]["httpGet"]["path"] == "/live", name
        assert container["readinessProbe"]["httpGet"]["path"] == "/ready", name


def test_a_restart_comes_after_minutes_only() -> None:
    """A broker that is away stops no pod at once; a consumer that hangs ends."""
    text = (ROOT / "docs" / "kubernetes.md").read_text()
    (minutes,) = re.findall(r"for (\d+) minutes in a row", text)
    checked = 0
    for name, container in containers():
        for kind in {"startupProbe", "livenessProbe"} & container.keys():
            probe = container[kind]
            patience_s = probe["periodSeconds"] * probe["failureThreshold"]
            assert patience_s == int(minutes) * 60, name
            assert 180 <= patience_s <= 600, name
            checked += 1
    assert checked == 2 * (len(make.SERVICES) + 3)
    for name, container in containers():
        if "readinessProbe" in container:
            probe = container["readinessProbe"]
            assert probe["periodSeconds"] * probe["failureThreshold"] <= 30, name


def test_no_more_copies_than_there_is_work_for() -> None:
    """A partition is handled by one; whoever has none is idle."""
    assert make.REPLICAS_MAX == PARTITIONS


def test_the_wallet_knows_operators_by_reference() -> None:
    """Which of them keep their players' money, from a secret that it reads there."""
    (wallet,) = [c for name, c in containers() if name == "wallet/wallet"]
    (path,) = [e["value"] for e in wallet["env"] if e["name"] == "PUSH22_OPERATORS"]
    (mount,) = [m for m in wallet["volumeMounts"] if m["mountPath"] == path]
    volumes = {v["name"]: v for v in dict(pods())["wallet"]["volumes"]}
    assert volumes[mount["name"]]["secret"] == {"secretName": "push22-wallets"}


def test_one_archive_lodges_checkpoints() -> None:
    """Two series on one topic do not join; a Deployment might run two for a while."""
    lodging = {
        name
        for name, container in containers()
        if container["args"][:2] == ["serve", "archive"]
        and "--no-lodge" not in container["args"]
    }
    assert lodging == {"archive/archive"}
    assert named("StatefulSet", "archive")["spec"]["replicas"] == 1
    archives = {name for name, _ in containers() if name.endswith("/archive")}
    assert archives == {"archive/archive", "door/archive"}


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_each_version_has_jobs_of_its_own(overlay: str) -> None:
    """Kubernetes refuses another template for a job that is there."""
    made = built(overlay)
    images = {
        container["image"]
        for manifest in made
        if "template" in manifest.get("spec", {})
        for container in manifest["spec"]["template"]["spec"]["containers"]
    }
    (image,) = images
    tag = image.rpartition(":")[2]
    jobs = {m["metadata"]["name"] for m in made if m["kind"] == "Job"}
    assert jobs == {f"migrate-{tag}", f"topics-{tag}"}


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_everything_is_in_a_namespace_that_is_made(overlay: str) -> None:
    """It comes first, and takes no pod that asks for more than ours do."""
    first, *others = built(overlay)
    assert first["kind"] == "Namespace"
    mode = "pod-security.kubernetes.io/enforce"
    assert first["metadata"]["labels"][mode] == "restricted"
    assert {m["metadata"]["namespace"] for m in others} == {first["metadata"]["name"]}


@pytest.mark.parametrize(("overlay", "brokers"), [("small", 1), ("production", 3)])
def test_topics_are_kept_on_as_many_brokers_as_there_are(
    overlay: str, brokers: int
) -> None:
    """Kafka refuses to make a topic that has more copies than it has brokers."""
    made = built(overlay)
    (job,) = [m for m in made if m["metadata"]["name"].startswith("topics-")]
    (container,) = job["spec"]["template"]["spec"]["containers"]
    assert container["args"] == ["topics", "--replicas", str(brokers)]
    (settings,) = [m["data"] for m in made if m["kind"] == "ConfigMap"]
    assert len(settings["kafka"].split(",")) == brokers
