// What each wager came to and by which clause, and what moved for it.

import { html } from "../vendor/htm-preact.js";
import { money, signed } from "../js/money.js";
import { resultOf, titleOf, tone } from "../js/results.js";
import { utc } from "./words.js";

/** @typedef {import("./types").Replay} Replay */
/** @typedef {import("./types").Purse} Purse */

/** @param {{ clause: string, text: string }} props */
function Clause({ clause, text }) {
  return html`<details class="clause"><summary>${clause}</summary><p>${text || "No words for it here."}</p></details>`;
}

/** @param {{ replay: Replay, go: (at: number) => void }} props */
export function Settlement({ replay, go }) {
  const { currency } = replay.header;
  if (!replay.lines.length) return html`<p>Nothing is settled.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Settlement"><table>
    <thead><tr><th scope="col">Wager</th><th scope="col">Player</th><th scope="col">Result</th>
      <th scope="col" class="number">Stake</th><th scope="col" class="number">Payout</th>
      <th scope="col" class="number">Net</th><th scope="col">Clauses</th><th scope="col">Event</th></tr></thead>
    <tbody>${replay.lines.map((line) => html`<tr>
      <th scope="row">${titleOf(line.label)} <span class="small">${line.label}</span></th>
      <td>${line.player}</td>
      <td>${resultOf({ ...line, seat: "" })}</td>
      <td class="number">${money(line.stake_minor, currency)}</td>
      <td class="number">${money(line.payout_minor, currency)}</td>
      <td class=${`number ${tone(line.net_minor)}`}>${signed(line.net_minor, currency)}</td>
      <td>${line.clauses.map((x) => html`<${Clause} clause=${x} text=${replay.clauses[x] ?? ""} />`)}</td>
      <td><button type="button" class="link" onClick=${() => go(line.sequence)}
        aria-label=${`Go to event ${line.sequence}`}>${line.sequence}</button></td></tr>`)}</tbody>
  </table></div>`;
}

/** @param {{ purse: Purse, currency: string, go: (at: number) => void }} props */
function PurseTable({ purse, currency, go }) {
  return html`<section class="purse" aria-label=${`Money of ${purse.player}`}>
    <h3>${purse.player}</h3>
    <p class="balances">Before <b>${told(purse.before_minor, currency)}</b>, net
      <b class=${tone(purse.net_minor)}> ${signed(purse.net_minor, currency)}</b>, after
      <b> ${told(purse.after_minor, currency)}</b>${purse.is_operators && ", at the operator, who keeps the money"}</p>
    ${purse.other_minor !== 0 && html`<p class="small">Between the round's first and last movement the balance
      moved by <b>${signed(purse.other_minor, currency)}</b> for something else, such as a deposit or another round.</p>`}
    ${purse.owed_minor !== 0 && html`<p class="small"><b>${signed(purse.owed_minor, currency)}</b> of the net
      was not yet with the operator.</p>`}
    <div class="scroll" tabindex="0" role="region" aria-label=${`Movements of ${purse.player}`}><table>
      <thead><tr><th scope="col">Event</th><th scope="col">Movement</th><th scope="col">From</th><th scope="col">To</th>
        <th scope="col" class="number">Amount</th><th scope="col" class="number">Balance after</th><th scope="col">Our transaction</th></tr></thead>
      <tbody>${purse.movements.map((move) => html`<tr>
        <td><button type="button" class="link" onClick=${() => go(move.sequence)}
          aria-label=${`Go to event ${move.sequence}`}>${move.sequence}</button></td>
        <td>${move.what.replaceAll("_", " ")}</td><td class="mono">${move.debit}</td><td class="mono">${move.credit}</td>
        <td class="number">${money(move.amount_minor, currency)}</td>
        <td class="number">${money(move.balance_minor, currency)}</td><td class="mono">${move.id}</td></tr>`)}</tbody>
    </table></div>
    ${purse.calls.map((call) => html`<${CallBlock} key=${call.id} call=${call} currency=${currency} />`)}
  </section>`;
}

/** @param {{ call: import("./types").Call, currency: string }} props */
function CallBlock({ call, currency }) {
  return html`<details class="call"><summary>Operator: ${call.kind}
      ${call.amount_minor ? ` ${money(call.amount_minor, currency)}` : ""}, <b>${call.outcome}</b>
      after ${call.attempts.length} ${call.attempts.length === 1 ? "attempt" : "attempts"}</summary>
    <p>Ours <span class="mono">${call.id}</span>${call.operator_transaction && html`, theirs <span class="mono">${call.operator_transaction}</span>`}</p>
    <ol>${call.attempts.map((x) => html`<li>${utc(x.at)}: <b>${x.outcome}</b> ${x.reason}
      <pre tabindex="0" aria-label=${`What came of attempt ${x.number}`}>${JSON.stringify(x.record, null, 2)}</pre></li>`)}</ol>
  </details>`;
}

/** @param {{ item: import("./types").PutRight, currency: string, go: (at: number) => void }} props */
function Correction({ item, currency, go }) {
  return html`<section class="purse" aria-label=${`Correction for ${item.player}`}>
    <h3>Correction for ${item.player}</h3>
    <p class="balances"><b class=${tone(item.amount_minor)}>${signed(item.amount_minor, currency)}</b>,
      ${" "}${item.outcome}; case <a href=${`/desk/cases/${item.case}`}>${item.case}</a>, proposed by ${item.proposed_by},
      approved by ${item.approved_by}${item.after_minor !== null && html`; balance ${told(item.before_minor, currency)},
      then ${money(item.after_minor, currency)}`}. It is no part of the round's net.
      ${" "}<button type="button" class="link" onClick=${() => go(item.sequence)}
        aria-label=${`Go to event ${item.sequence}`}>${item.sequence}</button></p>
    ${item.calls.map((call) => html`<${CallBlock} key=${call.id} call=${call} currency=${currency} />`)}
  </section>`;
}

/** @param {number | null} minor @param {string} currency */
function told(minor, currency) {
  return minor === null ? "not told" : money(minor, currency);
}

/** @param {{ replay: Replay, go: (at: number) => void }} props */
export function Purses({ replay, go }) {
  const { currency } = replay.header;
  if (!replay.purses.length && !replay.put_right.length) return html`<p>No money moved.</p>`;
  return html`${replay.purses.map((purse) => html`<${PurseTable} key=${purse.player} purse=${purse} currency=${currency} go=${go} />`)}
    ${replay.put_right.map((item) => html`<${Correction} key=${`${item.case}:${item.proposal}`} item=${item} currency=${currency} go=${go} />`)}`;
}
