"""What the page says of upgrades names what there is, in an order that works."""

import re
from typing import Any

import yaml
from k8s_manifests import ROOT

BASE = ROOT / "deploy" / "k8s" / "base"
SECTION = (
    (ROOT / "docs" / "kubernetes.md")
    .read_text()
    .partition("## A new version\n")[2]
    .partition("\n## ")[0]
)
COMMANDS = re.findall(r"^kubectl .*", SECTION, re.MULTILINE)


def first_of(name: str) -> dict[str, Any]:
    """Return the first manifest of a file: what runs there."""
    found = next(yaml.safe_load_all((BASE / f"{name}.yaml").read_text()))
    assert isinstance(found, dict)
    return found


def place_of(part: str) -> int:
    (place,) = [i for i, line in enumerate(COMMANDS) if part in line]
    return place


def test_the_desk_is_updated_and_waited_for_before_the_gateways() -> None:
    """It refuses a field that it does not know."""
    desk = first_of("desk")
    label = f"name={desk['metadata']['labels']['app.kubernetes.io/name']}"
    kind = f"{desk['kind'].lower()}/{desk['metadata']['name']}"

    assert place_of(label) + 1 == place_of(kind)
    assert "**The desk before the gateways.**" in SECTION


def test_a_set_that_cannot_be_changed_is_taken_away_first() -> None:
    """Its `serviceName` once was `archive`; the pods stay at work meanwhile."""
    door = first_of("door")
    what = f"delete {door['kind'].lower()} {door['metadata']['name']}"

    assert door["spec"]["serviceName"] != "archive"
    assert "--cascade=orphan" in COMMANDS[place_of(what)]
