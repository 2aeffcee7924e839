"""What docker-compose.yml says of the door, as far as it shows without an engine."""

import base64
import os
import re
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
SERVICES: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())[
    "services"
]
GATEWAY = SERVICES["gateway"]
_VARIABLE = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")


def _by_default(word: str) -> str:
    """Fill in what compose does where nothing is set."""
    return _VARIABLE.sub(lambda found: found[2] or "", word)


OVERLAY: dict[str, Any] = yaml.safe_load(
    (ROOT / "deploy/compose.observe.yml").read_text()
)["services"]
_WRITABLE = {"kafka"}
_ADDED = {"postgres": {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"}}


@pytest.mark.parametrize("name", [*SERVICES, *OVERLAY])
def test_a_container_has_no_more_rights_than_its_image_needs(name: str) -> None:
    """None gets more by executing a file; what is left open is told with its reason."""
    container = (SERVICES | OVERLAY)[name]
    page = " ".join((ROOT / "docs/deploy.md").read_text().split())
    assert container["cap_drop"] == ["ALL"]
    assert container["security_opt"] == ["no-new-privileges:true"]
    assert set(container.get("cap_add", [])) == _ADDED.get(name, set())
    assert container.get("read_only", False) is (name not in _WRITABLE)
    if name in _WRITABLE | set(_ADDED):
        assert f"`{name}` keeps" in page


def test_prometheus_reaches_all_that_it_asks() -> None:
    """Each target is a container of the file, at a port where it tells metrics."""
    config = yaml.safe_load((ROOT / "deploy/prometheus/prometheus.yml").read_text())
    for found in config["scrape_configs"][0]["static_configs"]:
        ((name, port),) = (target.split(":") for target in found["targets"])
        words = " ".join(SERVICES[name]["command"]).replace("=", " ")
        option = "--metrics-port" if name == "gateway" else "--port"
        assert f"{option} {port}" in words
        assert words.startswith(f"serve {name} ")


def test_only_the_door_itself_is_published() -> None:
    """Its metrics stay within, and only this machine reaches it."""
    (port,) = GATEWAY["ports"]
    assert re.fullmatch(r"127\.0\.0\.1:\$\{PUSH22_GATEWAY_PORT:-8080\}:8022", port)


def test_the_door_starts_with_the_archive_s_file() -> None:
    """Without it there would be no history; where the archive writes, it reads."""
    assert GATEWAY["depends_on"]["archive"] == {"condition": "service_healthy"}
    assert SERVICES["archive"]["volumes"][0] == GATEWAY["volumes"][0]


def test_the_door_has_no_rights() -> None:
    """As the services have none, and none of their secrets."""
    for key in ("read_only", "tmpfs", "cap_drop", "security_opt", "healthcheck"):
        assert GATEWAY[key] == SERVICES["shoe"][key]
    assert set(GATEWAY["environment"]) == {
        "PUSH22_KAFKA",
        "PUSH22_TOKEN",
        "PUSH22_SOURCES",
        "PUSH22_GATEWAY_SECRET",
    }


def test_the_door_takes_its_options_and_its_operators(tmp_path: Path) -> None:
    """As they are by default: it ends at a broker that is not there, and no sooner."""
    words = [_by_default(word) for word in GATEWAY["command"]]
    given, _, within = _by_default(GATEWAY["volumes"][1]).partition(":")
    place = words.index(f"--operators={within.removesuffix(':ro')}")
    words[place] = f"--operators={ROOT / given}"
    words = [re.sub(r"^(--(metrics-)?port)=\d+", r"\1=0", word) for word in words]
    words.append(f"--data={tmp_path}")
    done = subprocess.run(
        [sys.executable, "-m", "push22", *words],
        env={
            **os.environ,
            "PUSH22_KAFKA": "127.0.0.1:1",
            "PUSH22_TOKEN": "token",
            "PUSH22_GATEWAY_SECRET": base64.b64encode(secrets.token_bytes(32)).decode(),
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "Unable to bootstrap" in done.stderr


def test_a_secret_of_the_door_is_made(tmp_path: Path) -> None:
    """Long enough for tokens, and kept when others are added."""
    file = tmp_path / "secrets.env"
    texts = []
    for _ in range(2):
        subprocess.run([ROOT / "deploy/secrets.sh", file], check=True, timeout=60)
        texts.append(file.read_text())
    assert texts[0] == texts[1]
    (secret,) = re.findall(r"(?m)^PUSH22_GATEWAY_SECRET='(.+)'$", texts[0])
    assert len(base64.b64decode(secret, validate=True)) == 32
