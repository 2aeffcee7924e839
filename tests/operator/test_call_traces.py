"""A call to an operator's wallet is in the trace of what it leads to."""

from pathlib import Path

from tests import traced
from tests.operator.conftest import SECRET_TEXT, an_operator, settings_for
from tests.operator.evening import Evening
from tests.traced import Spans, id_of, parent_of, service_of


async def test_a_call_is_traced_with_what_owed_it(folder: Path) -> None:
    """Its span is the parent of the command that records it, and has a link back."""
    spans = Spans()
    with an_operator(folder) as (_, url):
        evening = Evening(folder / "casino", settings_for(url, 5000))
        with spans.told():
            await evening.open()
            await evening.begin()
            await evening.play(1)
            await evening.quiet()
            await evening.close()
    calls = spans.named("call ")
    assert {span.name for span in calls} >= {"call authenticate", "call debit"}
    assert {service_of(span) for span in calls} == {"wallet"}
    owing = {(traced.trace_of(s), id_of(s)): s for s in spans.named("handle ")}
    recorded = {parent_of(s) for s in spans.named("handle wallet.record_call")}
    for call in calls:
        [link] = call.links
        place = f"{link.context.trace_id:032x}", f"{link.context.span_id:016x}"
        assert (
            owing[place].attributes["push22.stream"]
            == (call.attributes["push22.stream"])
        )
        assert call.attributes["push22.outcome"] == "done"
        assert id_of(call) in recorded
    text = "".join(span.to_json() for span in spans.all())
    assert SECRET_TEXT not in text
    assert "token:acme" not in text
