"""One round through the gateway: a tree for each command, with every service in it."""

import json
from collections import defaultdict
from pathlib import Path

from house import House, house
from opentelemetry.sdk.trace import ReadableSpan
from player import connected
from test_round import funded, seated

from runtime.trace_ids import span_of, span_of_command, trace_of
from tests import traced
from tests.traced import Spans, id_of, orphans, parent_of, service_of

SERVICES = {"gateway", "table-orchestrator", "shoe", "settlement", "wallet"}


async def played(the: House) -> str:
    async with the.served() as address:
        await the.open_table("t1")
        await funded(the)
        async with connected(address, await the.session()) as alice:
            await seated(alice, "t1")
            name = await alice.play_round("t1")
            await the.settled()
    return name


def by_trace(spans: list[ReadableSpan]) -> dict[str, list[ReadableSpan]]:
    found = defaultdict(list)
    for span in spans:
        found[traced.trace_of(span)].append(span)
    return found


async def test_a_round_is_a_tree_for_each_command(tmp_path: Path) -> None:
    """No span hangs in the air, none is a second root, every record has its own."""
    spans = Spans()
    async with house(tmp_path) as the:
        with spans.told():
            name = await played(the)
        records = the.casino.host.file.records_of_round(name)
        ids = {f"{record.stream}@{record.version}" for record in records}
    told = spans.all()
    assert {service_of(span) for span in told} == SERVICES
    commands = {traced.trace_of(span) for span in spans.named("command ")}
    opening = [s for s in told if traced.trace_of(s) not in commands]
    # The table was opened by the casino itself; the others by requests alone.
    assert set(orphans(told)) <= {"handle table.open_table.v1"}
    for trace in commands:
        roots = [s for s in by_trace(told)[trace] if not parent_of(s)]
        assert [service_of(s) for s in roots] == ["gateway"]
    appended = {id_of(span) for span in spans.named("append ")}
    assert {span_of(name) for name in ids} <= appended
    assert not [s for s in opening if s.name.startswith("command ")]


async def test_one_command_goes_through_all_services(tmp_path: Path) -> None:
    """The command that ends a round: dealt, settled and paid in one trace."""
    spans = Spans()
    async with house(tmp_path) as the:
        with spans.told():
            await played(the)
    whole = [
        trace
        for trace in by_trace(spans.all()).values()
        if {service_of(span) for span in trace} == SERVICES
    ]
    assert whole
    for trace in whole:
        names = {span.name.split()[0] for span in trace}
        assert names == {"command", "handle", "append", "hop"}
        [root] = [span for span in trace if not parent_of(span)]
        correlation = str(root.attributes["push22.correlation"])
        assert traced.trace_of(root) == trace_of(correlation)
        assert id_of(root) == span_of_command(correlation)
        assert root.attributes["push22.outcome"] == "accepted"


async def test_a_request_is_the_root_of_its_command(tmp_path: Path) -> None:
    """Named by its route, not by its path; what sends nothing is its own trace."""
    spans = Spans()
    async with house(tmp_path) as the:
        await the.open_table("t1")
        await funded(the)
        token = await the.session()
        with spans.told():
            seats = {"wagers_minor": [1000, 1000]}
            path = "/player/v1/rounds/round-t1-1/wagers/1"
            answer = await the.play("PUT", path, token, seats)
            assert answer.is_success, answer.text
            await the.settled()
            await the.play("GET", "/player/v1/me?x=secret", token)
            await the.play("GET", "/nothing/here", token)
    [put] = spans.named("PUT ")
    [command] = spans.named("command ")
    assert put.name == "PUT /player/v1/rounds/{round_id}/wagers/{box}"
    assert (parent_of(put), parent_of(command)) == ("", id_of(put))
    assert traced.trace_of(put) == traced.trace_of(command)
    assert put.attributes["http.response.status_code"] == 200
    assert not orphans(spans.all())
    [me, unknown] = spans.named("GET ")
    assert (me.name, unknown.name) == ("GET /player/v1/me", "GET unknown")
    assert "secret" not in json.dumps([s.to_json() for s in spans.all()])
