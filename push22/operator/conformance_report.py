"""The kit's report: for a terminal, as JSON, or as one whole HTML file."""

from html import escape

import msgspec

from push22.operator.conformance import Spoken, Verdict, Wallet

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem }
summary { cursor: pointer; padding: .2rem 0 } .passed { color: #176117 }
.failed { color: #a01010; font-weight: 600 } pre { background: #f3f3f3; padding: .6rem;
overflow-x: auto; white-space: pre-wrap; word-break: break-all }
"""


def summary(verdicts: list[Verdict]) -> str:
    failed = sum(not verdict.passed for verdict in verdicts)
    if failed:
        return f"{failed} of {len(verdicts)} cases failed"
    return f"all {len(verdicts)} cases passed"


def lines(verdicts: list[Verdict]) -> str:
    """One line a case; below a failed one why, and what was said last."""
    found = []
    for verdict in verdicts:
        word = "pass" if verdict.passed else "FAIL"
        found.append(f"{word}  {verdict.name:24} {verdict.clause}: {verdict.title}")
        if verdict.passed:
            continue
        found.append(f"      {verdict.reason}")
        for spoken in verdict.spoken[-1:]:
            found.append(f"      {spoken.method} {spoken.path} {spoken.request}")
            found.append(f"      {spoken.code} {spoken.answer}")
    return "\n".join([*found, "", summary(verdicts), ""])


def as_json(wallet: Wallet, verdicts: list[Verdict]) -> bytes:
    return msgspec.json.encode(
        {
            "url": wallet.url,
            "player": wallet.player,
            "passed": all(verdict.passed for verdict in verdicts),
            "cases": verdicts,
        }
    )


def as_html(wallet: Wallet, verdicts: list[Verdict]) -> str:
    cases = "\n".join(_case(verdict) for verdict in verdicts)
    return (
        "<!doctype html><html lang=en><meta charset=utf-8>"
        f"<title>Conformance of {escape(wallet.url)}</title><style>{_STYLE}</style>"
        f"<h1>Conformance of {escape(wallet.url)}</h1>"
        f"<p>Player {escape(wallet.player)}, {escape(wallet.currency)}: "
        f"<strong>{summary(verdicts)}</strong></p>{cases}</html>\n"
    )


def _case(verdict: Verdict) -> str:
    kind = "passed" if verdict.passed else "failed"
    reason = "" if verdict.passed else f"<p>{escape(verdict.reason)}</p>"
    talk = "".join(_talk(spoken) for spoken in verdict.spoken)
    return (
        f"<details{'' if verdict.passed else ' open'}><summary class={kind}>{kind}: "
        f"{escape(verdict.name)} ({escape(verdict.clause)}): {escape(verdict.title)}"
        f"</summary>{reason}{talk}</details>"
    )


def _talk(spoken: Spoken) -> str:
    return (
        f"<pre>{spoken.method} {escape(spoken.path)}\n{escape(spoken.request)}\n\n"
        f"{spoken.code}\n{escape(spoken.answer)}</pre>"
    )
