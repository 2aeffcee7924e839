"""Documents of keys that nest too deep are refused like any that is none."""

from pathlib import Path

import pytest

from push22.checkpoints.keys import KEYS_NAME, PUBLIC_NAME, SigningKeys, read_public
from runtime.ambient import KeyMissing, KeyRing, ManualClock

DEEP = "[" * 100_000
WITHIN = '{"active":"k1","keys":{},"x":' + DEEP + "]" * 100_000 + "}"


@pytest.mark.parametrize("text", [DEEP, WITHIN])
def test_sealing_keys(text: str, tmp_path: Path) -> None:
    """The file is named; no stack ends."""
    path = tmp_path / "seal-keys.json"
    path.write_text(text)
    with pytest.raises(KeyMissing, match="nested deeper"):
        KeyRing.load(path)


def test_sealing_keys_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable is named."""
    monkeypatch.setenv("PUSH22_SEAL_KEYS", DEEP)
    with pytest.raises(KeyMissing, match="PUSH22_SEAL_KEYS"):
        KeyRing.from_environment()


def test_signing_keys(tmp_path: Path) -> None:
    """Those that sign, and those that are believed."""
    (tmp_path / KEYS_NAME).write_text(WITHIN)
    with pytest.raises(KeyMissing, match="nested deeper"):
        SigningKeys(tmp_path).public(ManualClock())
    (tmp_path / PUBLIC_NAME).write_text(WITHIN)
    with pytest.raises(KeyMissing, match="nested deeper"):
        read_public(tmp_path / PUBLIC_NAME)
