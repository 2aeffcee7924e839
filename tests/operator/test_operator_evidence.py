"""The evidence pack of a round whose money an operator keeps."""

from pathlib import Path

from push22.checkpoints.keys import PUBLIC_NAME, SigningKeys
from push22.evidence import verify
from push22.evidence.pack import Asked, make_pack
from push22.inspect.reader import Reader
from runtime.ambient import SystemClock
from tests.operator.conftest import an_operator, settings_for
from tests.operator.evening import Evening


async def test_the_calls_to_an_operator_are_in_the_pack(folder: Path) -> None:
    """Owed and ended calls are records of the round, and the books still agree."""
    with an_operator(folder) as (_, url):
        evening = Evening(folder / "casino", settings_for(url, 5000))
        await evening.open()
        await evening.begin()
        await evening.play(1)
        await evening.quiet()
        await evening.close()
    data = folder / "casino"
    reader = Reader.open(data)
    query = "SELECT round_id FROM archive_rounds WHERE status = 'settled'"
    (round_id,) = reader.sql.execute(query).fetchone()
    made = make_pack(reader, Asked(round_id, "carol"), SigningKeys(data), SystemClock())
    reader.close()
    files = verify.unzipped(made.zip)
    keys = verify.read_keys((data / PUBLIC_NAME).read_bytes(), "keys")
    verdict = verify.judge(files, keys)

    assert verdict.lines[-1] == "RIGHT", verdict.lines
    for kind in (b"wallet.call_owed.v1", b"wallet.call_ended.v1"):
        assert kind in files["records.jsonl"]
    assert b"token:" not in b"".join(files.values())
    assert made.is_match
