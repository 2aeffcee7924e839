"""The cases of the conformance kit; clauses are those of docs/operator-wallet.md."""

import asyncio
from typing import Any

import msgspec

from contracts import operator_wallet as ow
from contracts.operator_wallet import Status
from push22.operator.conformance import Answer, Case, Run, Talk, demand, expect

STAKE_MINOR = 1000


async def staked(talk: Talk, amount_minor: int = STAKE_MINOR) -> ow.WalletRequest:
    """Open a session and take a stake; return its request."""
    if not talk.session:
        await talk.open()
    request = talk.request(amount_minor=amount_minor, reason="bet", box=1)
    expect(await talk.send("debit", request), Status.OK)
    return request


def _own(answer: Answer, request: ow.WalletRequest) -> None:
    told = answer.told
    demand(
        told.transaction_id == request.transaction_id,
        f"transaction_id {told.transaction_id!r} is not the request's",
    )
    demand(told.currency == request.currency, f"currency {told.currency!r}")


async def authenticate(talk: Talk) -> None:
    answer = await talk.open()
    demand(bool(answer.told.session_id), "no session_id")
    demand(answer.told.currency == talk.wallet.currency, "another currency")
    demand(answer.balance >= 0, "a negative balance")


async def authenticate_false(talk: Talk) -> None:
    answer = await talk.call("authenticate", token=talk.new_id(), round_id="")
    expect(answer, Status.SESSION_EXPIRED, Status.UNKNOWN_PLAYER)


async def balance(talk: Talk) -> None:
    opened = await talk.open()
    demand(await talk.balance() == opened.balance, "another balance than a moment ago")


async def debit(talk: Talk) -> None:
    before = (await talk.open()).balance
    request = talk.request(amount_minor=STAKE_MINOR, reason="bet")
    answer = await talk.send("debit", request)
    expect(answer, Status.OK)
    _own(answer, request)
    demand(bool(answer.told.wallet_transaction_id), "no wallet_transaction_id")
    demand(answer.balance == before - STAKE_MINOR, f"{before} became {answer.balance}")
    demand(await talk.balance() == before - STAKE_MINOR, "the balance says otherwise")


async def debit_repeated(talk: Talk) -> None:
    before = (await talk.open()).balance
    request = talk.request(amount_minor=STAKE_MINOR, reason="bet")
    first = await talk.send("debit", request)
    await staked(talk, 1)
    again = await talk.send("debit", request)
    demand(first.body == again.body, "the repeat was answered with other bytes")
    demand(await talk.balance() == before - STAKE_MINOR - 1, "it was taken twice")


async def debit_other_amount(talk: Talk) -> None:
    request = await staked(talk)
    left = await talk.balance()
    other = msgspec.structs.replace(request, amount_minor=STAKE_MINOR + 1)
    expect(await talk.send("debit", other), Status.TRANSACTION_MISMATCH)
    demand(await talk.balance() == left, "the refused debit has moved money")


async def debit_concurrent(talk: Talk) -> None:
    before = (await talk.open()).balance
    request = talk.request(amount_minor=STAKE_MINOR, reason="bet")
    sent = (talk.send("debit", request) for _ in range(8))
    answers = await asyncio.gather(*sent)
    for answer in answers:
        expect(answer, Status.OK)
    demand(len({answer.body for answer in answers}) == 1, "answers differ")
    demand(await talk.balance() == before - STAKE_MINOR, "it was taken more than once")


async def refusal_repeated(talk: Talk) -> None:
    have = (await talk.open()).balance
    request = talk.request(amount_minor=have + 1, reason="bet")
    expect(await talk.send("debit", request), Status.INSUFFICIENT_FUNDS)
    stake = await staked(talk, 2)
    expect(await talk.call("credit", amount_minor=4, reason="payout"), Status.OK)
    demand(bool(stake.round_id), "no round")
    again = await talk.send("debit", request)
    expect(again, Status.INSUFFICIENT_FUNDS)
    demand(again.balance == have, "the refusal was made anew from today's balance")


async def rollback_known(talk: Talk) -> None:
    before = (await talk.open()).balance
    request = await staked(talk)
    answer = await _back(talk, request)
    expect(answer, Status.OK)
    demand(not answer.told.noted, "a known debit is no tombstone")
    demand(await talk.balance() == before, "the stake did not come back")


async def _back(talk: Talk, request: ow.WalletRequest, **more: Any) -> Answer:
    amount, name = request.amount_minor, request.transaction_id
    return await talk.call(
        "rollback", reference_id=name, amount_minor=amount, reason="cancelled", **more
    )


async def rollback_repeated(talk: Talk) -> None:
    before = (await talk.open()).balance
    request = await staked(talk)
    back = talk.request(
        reference_id=request.transaction_id,
        amount_minor=STAKE_MINOR,
        reason="cancelled",
    )
    first = await talk.send("rollback", back)
    expect(first, Status.OK)
    demand(first.body == (await talk.send("rollback", back)).body, "other bytes")
    expect(await _back(talk, request), Status.OK)
    demand(await talk.balance() == before, "the stake came back more than once")


async def rollback_before_debit(talk: Talk) -> None:
    before = (await talk.open()).balance
    late = talk.request(amount_minor=STAKE_MINOR, reason="bet")
    answer = await _back(talk, late)
    expect(answer, Status.OK)
    demand(answer.told.noted, "a rollback of an unknown debit has noted: true")
    expect(await talk.send("debit", late), Status.TRANSACTION_ROLLED_BACK)
    demand(await talk.balance() == before, "the late debit was taken")


async def debit_after_rollback(talk: Talk) -> None:
    before = (await talk.open()).balance
    request = await staked(talk)
    expect(await _back(talk, request), Status.OK)
    expect(await talk.send("debit", request), Status.TRANSACTION_ROLLED_BACK)
    demand(await talk.balance() == before, "the debit was taken again")


async def credit(talk: Talk) -> None:
    await staked(talk)
    before = await talk.balance()
    request = talk.request(amount_minor=2500, reason="payout")
    answer = await talk.send("credit", request)
    expect(answer, Status.OK)
    _own(answer, request)
    demand(answer.balance == before + 2500, f"{before} became {answer.balance}")


async def credit_repeated(talk: Talk) -> None:
    await staked(talk)
    before = await talk.balance()
    request = talk.request(amount_minor=2500, reason="payout")
    first = await talk.send("credit", request)
    again = await talk.send("credit", request)
    demand(first.body == again.body, "the repeat was answered with other bytes")
    demand(await talk.balance() == before + 2500, "it was paid twice")


async def credit_without_session(talk: Talk) -> None:
    await staked(talk)
    answer = await talk.call(
        "credit", amount_minor=STAKE_MINOR, session_id="ended", reason="payout"
    )
    expect(answer, Status.OK)


async def credit_after_rollback(talk: Talk) -> None:
    request = await staked(talk)
    expect(await _back(talk, request), Status.OK)
    before = await talk.balance()
    answer = await talk.call("credit", amount_minor=STAKE_MINOR, reason="payout")
    expect(answer, Status.DEBIT_UNKNOWN)
    demand(await talk.balance() == before, "a round without a stake was paid")


async def corrected(talk: Talk) -> None:
    """Long after its end, and where nothing was ever staked."""
    await staked(talk)
    expect(await talk.send("close", talk.request()), Status.OK)
    before, moved = await talk.balance(), {"amount_minor": 1, "reason": ow.CORRECTION}
    expect(await talk.call("debit", **moved), Status.OK)
    demand(await talk.balance() == before - 1, "a correction was not taken")
    elsewhere = f"{talk.request().round_id}9"
    expect(await talk.call("credit", round_id=elsewhere, **moved), Status.OK)
    demand(await talk.balance() == before, "a correction was not paid")


async def close(talk: Talk) -> None:
    await staked(talk)
    request = talk.request()
    expect(await talk.send("close", request), Status.OK)
    expect(await talk.send("close", request), Status.OK)
    late = await talk.call("debit", amount_minor=STAKE_MINOR, reason="bet")
    expect(late, Status.ROUND_CLOSED)


async def void_after_close(talk: Talk) -> None:
    """He had lost and was out of the round; then it was voided."""
    await staked(talk)
    before = await talk.balance()
    expect(await talk.send("close", talk.request()), Status.OK)
    refund = talk.request(amount_minor=STAKE_MINOR, reason="payout", session_id="ended")
    answer = await talk.send("credit", refund)
    expect(answer, Status.OK)
    _own(answer, refund)
    demand(await talk.balance() == before + STAKE_MINOR, "the stake did not come back")
    again = await talk.send("credit", refund)
    demand(again.body == answer.body, "the repeat was answered with other bytes")
    demand(await talk.balance() == before + STAKE_MINOR, "the stake came back twice")


async def session_expired(talk: Talk) -> None:
    await talk.open()
    answer = await talk.call("debit", amount_minor=1, session_id="no such session")
    expect(answer, Status.SESSION_EXPIRED)


async def wrong_currency(talk: Talk) -> None:
    await talk.open()
    other = "XTS" if talk.wallet.currency != "XTS" else "XBA"
    answer = await talk.call("debit", amount_minor=STAKE_MINOR, currency=other)
    expect(answer, Status.WRONG_CURRENCY)


async def unknown_player(talk: Talk) -> None:
    await talk.open()
    stranger = f"{talk.wallet.player}_{talk.run}"
    answer = await talk.call("debit", amount_minor=1, player_id=stranger)
    expect(answer, Status.UNKNOWN_PLAYER)


async def insufficient_funds(talk: Talk) -> None:
    have = (await talk.open()).balance
    answer = await talk.call("debit", amount_minor=have + 1, reason="bet")
    expect(answer, Status.INSUFFICIENT_FUNDS)
    demand(answer.balance == have, f"the refusal says {answer.balance}, he has {have}")
    demand(await talk.balance() == have, "the refused debit has moved money")


async def no_amount(talk: Talk) -> None:
    await talk.open()
    expect(await talk.call("debit", amount_minor=0), Status.INVALID_AMOUNT)


async def one_minor_unit(talk: Talk) -> None:
    before = (await talk.open()).balance
    await staked(talk, 1)
    demand(await talk.balance() == before - 1, "one minor unit was not taken exactly")


async def large_amount(talk: Talk) -> None:
    """More than 32 bits hold: paid, and taken again by the same amount."""
    large = 2**33 + 1
    await staked(talk)
    before = await talk.balance()
    paid = await talk.call("credit", amount_minor=large, reason="payout")
    expect(paid, Status.OK)
    demand(paid.balance == before + large, f"{before} became {paid.balance}")
    await staked(talk, large)
    demand(await talk.balance() == before, "the large amount was not taken exactly")


async def bad_signature(talk: Talk) -> None:
    body = msgspec.json.encode(talk.request(token=talk.wallet.token))
    expect(await talk.raw("authenticate", body, spoilt="0" * 64), Status.BAD_SIGNATURE)


async def stale_time(talk: Talk) -> None:
    body = msgspec.json.encode(talk.request(token=talk.wallet.token))
    for skew_ms in (-2 * ow.WINDOW_MS, 2 * ow.WINDOW_MS):
        answer = await talk.raw("authenticate", body, skew_ms=skew_ms)
        expect(answer, Status.STALE_TIME)


async def replayed_nonce(talk: Talk) -> None:
    await talk.open()
    body = msgspec.json.encode(talk.request())
    headers = talk.headers("balance", body)
    expect(await talk.post(ow.PATHS["balance"], body, headers), Status.OK)
    again = await talk.post(ow.PATHS["balance"], body, headers)
    expect(again, Status.REPLAYED_NONCE)


async def malformed(talk: Talk) -> None:
    await talk.open()
    request = msgspec.json.encode(talk.request(amount_minor=STAKE_MINOR))
    for spoilt in (
        request.replace(b":1000", b':"1000"'),
        request.replace(b":1000", b":1000.5"),
        request[:-1],
    ):
        expect(await talk.raw("debit", spoilt), Status.BAD_REQUEST)


async def listed(talk: Talk) -> None:
    request = await staked(talk)
    found = await talk.statement(request.transaction_id)
    demand(len(found) == 1, f"{len(found)} transactions listed under one id")
    demand(found[0].amount_minor == STAKE_MINOR, "another amount is listed")
    demand(not await talk.statement(talk.new_id()), "an unknown one is listed")


def _case(run: Run, clause: str, title: str) -> Case:
    return Case(run.__name__, clause, title, run)


CASES = (
    _case(bad_signature, "Signatures", "a bad signature is refused"),
    _case(stale_time, "Signatures", "a time outside the window is refused"),
    _case(replayed_nonce, "Signatures", "a nonce is good once"),
    _case(malformed, "Messages", "what is not strictly JSON of ours is refused"),
    _case(authenticate, "authenticate", "a token gives a session and a balance"),
    _case(authenticate_false, "authenticate", "a false token gives none"),
    _case(balance, "balance", "the balance is told"),
    _case(debit, "debit", "a debit takes its amount"),
    _case(debit_repeated, "Repeats", "the same debit again gets the same bytes"),
    _case(debit_other_amount, "Repeats", "the same id for another amount is refused"),
    _case(debit_concurrent, "Repeats", "eight at once under one id are one debit"),
    _case(refusal_repeated, "Repeats", "a refused debit stays refused"),
    _case(rollback_known, "rollback", "a known debit is given back"),
    _case(rollback_repeated, "rollback", "it is given back once"),
    _case(rollback_before_debit, "rollback", "an unknown debit leaves a tombstone"),
    _case(debit_after_rollback, "rollback", "a debit taken back is refused for good"),
    _case(credit, "credit", "a credit pays its amount"),
    _case(credit_repeated, "Repeats", "the same credit again pays nothing"),
    _case(credit_without_session, "credit", "a credit needs no session"),
    _case(credit_after_rollback, "credit", "a round without a stake is not paid"),
    _case(close, "round/close", "a closed round takes no debit"),
    _case(void_after_close, "round/close", "a closed round takes a void's credit"),
    _case(corrected, "Corrections", "a correction stands outside its round"),
    _case(session_expired, "debit", "a debit needs a session"),
    _case(wrong_currency, "Messages", "another currency is refused"),
    _case(unknown_player, "Messages", "an unknown player is refused"),
    _case(insufficient_funds, "debit", "more than the balance is refused"),
    _case(no_amount, "Messages", "a debit of nothing is refused"),
    _case(one_minor_unit, "Messages", "one minor unit is exact"),
    _case(large_amount, "Messages", "more than 32 bits of money are exact"),
    _case(listed, "transactions", "a transaction is listed under its id"),
)
