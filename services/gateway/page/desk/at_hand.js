// The record at hand: all that is known of it, what was seen, what was decided.

import { html } from "../vendor/htm-preact.js";
import { nameOf } from "../js/cards.js";
import { money } from "../js/money.js";
import { balanceAt, seenBy } from "./frames.js";
import { offerInWords, since, totalInWords, utc, whoDid } from "./words.js";

/** @typedef {import("./types").Replay} Replay */
/** @typedef {import("./types").Frame} Frame */
/** @typedef {import("./types").Step} Step */
/** @typedef {{ label: string, cards: string[], total: string, note: string }} Row */

/** @param {string} title @param {unknown} value */
function fact(title, value) {
  if (value === "" || (Array.isArray(value) && !value.length)) return null;
  return html`<dt>${title}</dt><dd>${Array.isArray(value) ? value.map((x) => html`<span class="mono item">${x}</span> `) : value}</dd>`;
}

/** @param {{ step: Step, currency: string }} props */
export function Record({ step, currency }) {
  const cards = step.cards.map((x) => `${x.place}: ${nameOf(x.card)}${x.index >= 0 ? `, position ${x.index}` : ""}`);
  const hands = step.hands.map((x) => `${x.label}: ${totalInWords(x)}`);
  const isDecision = step.offered.length > 0 && step.action !== "decision_opened";
  return html`<section aria-labelledby="record-title">
    <h3 id="record-title">${step.is_foreign ? `With event ${step.sequence}` : `Event ${step.sequence}`}: ${step.words}</h3>
    <dl class="facts-list">
      ${fact("Time", html`<span><span class="mono">${utc(step.at)}</span>, ${since(step.offset_ms)} s</span>`)}
      ${fact("By", whoDid(step))}
      ${fact("Action", step.action.replaceAll("_", " "))}
      ${fact("Target", step.target)}
      ${fact("Cards", cards)}
      ${fact("Totals", hands)}
      ${fact(isDecision ? "Was offered" : "Offers", step.offered.map((x) => offerInWords(x, currency)))}
      ${fact("Took", step.took_ms ? `${(step.took_ms / 1000).toFixed(3)} s` : "")}
      ${fact("Our transactions", step.transactions)}
      ${fact("Operator's", step.operator_transactions)}
      ${fact("Record", html`<span class="mono">${step.id}</span>`)}
      ${fact("Caused by", html`<span class="mono">${step.caused_by}</span>`)}
      ${fact("In the log", html`<span class="mono">${step.service}, partition ${step.partition}, offset ${step.offset}</span>`)}
    </dl>
    <details class="raw"><summary>The record as it is stored</summary>
      ${step.record
        ? html`<pre tabindex="0" aria-label="JSON">${JSON.stringify(step.record, null, 2)}</pre>`
        : html`<p>Not shown: cards lie face down, or the round is open.</p>`}
    </details>
  </section>`;
}

/** @param {Frame} frame @param {string} name @returns {Row[]} */
function seenRows(frame, name) {
  const round = seenBy(frame, name);
  if (!round) return [];
  const hands = round.boxes.flatMap((box) => box.hands.map((hand) => ({
    label: hand.label,
    cards: hand.cards,
    total: totalInWords(hand),
    note: [hand.status === "playing" ? "" : hand.status, hand.switched ? "switched" : ""].filter(Boolean).join(", "),
  })));
  const { cards } = round.dealer;
  return [...hands, { label: "dealer", cards, total: totalInWords(round.dealer), note: "" }];
}

/** @param {Frame} frame @returns {Row[]} */
function decidedRows(frame) {
  const decided = frame.decided;
  if (!decided) return [];
  const hands = decided.boxes.flatMap((box) => box.hands.map((hand) => ({
    label: hand.label,
    cards: hand.cards,
    total: totalInWords(hand),
    note: [hand.status === "playing" ? "" : hand.status, hand.natural ? "natural" : ""].filter(Boolean).join(", "),
  })));
  const { dealer } = decided;
  const cards = [...dealer.cards, ...(dealer.face_down ? [""] : [])];
  return [...hands, { label: "dealer", cards, total: totalInWords(dealer), note: "" }];
}

/** Cards by their code; one that lies face down shows its back. @param {string[]} cards */
const codes = (cards) => cards.map((card) => card || "??").join(" ");

/** @param {{ rows: Row[], others: Row[], title: string }} props */
function Hands({ rows, others, title }) {
  /** @param {Row} row */
  const differs = (row) => {
    const other = others.find((x) => x.label === row.label);
    return Boolean(other) && (other?.total !== row.total || codes(other.cards) !== codes(row.cards));
  };
  return html`<div class="scroll"><table><caption class="unseen">${title}</caption>
    <thead><tr><th scope="col">Hand</th><th scope="col">Cards</th><th scope="col">Total</th><th scope="col">Mark</th></tr></thead>
    <tbody>${rows.map((row) => html`<tr class=${differs(row) ? "differs" : ""}>
      <th scope="row">${row.label}</th><td class="mono">${codes(row.cards)}</td>
      <td>${row.total}</td><td>${row.note}${differs(row) ? " differs" : ""}</td></tr>`)}</tbody></table></div>`;
}

/** @param {{ offers: import("../js/types").Offer[], currency: string }} props */
function Offers({ offers, currency }) {
  if (!offers.length) return html`<p class="small">Nothing is to be decided.</p>`;
  return html`<ul class="offers">${offers.map((x) => html`<li>${offerInWords(x, currency)}</li>`)}</ul>`;
}

/** @param {{ replay: Replay, frame: Frame, name: string }} props */
export function SideBySide({ replay, frame, name }) {
  const { currency } = replay.header;
  const seat = replay.seats.find((x) => x.seat === name);
  const purse = replay.purses.find((x) => x.player === seat?.player);
  const whose = seat ? `What ${seat.player} saw` : name === "record" ? "What there was to see" : "What the table saw";
  const [seen, decided] = [seenRows(frame, name), decidedRows(frame)];
  const round = seenBy(frame, name);
  return html`<section class="side-by-side" aria-label="Seen and decided">
    <div class="saw"><h3>${whose}</h3>
      <p>Phase <b>${round?.phase ?? "not open yet"}</b>${purse ? html`, balance <b>${money(balanceAt(purse, frame.sequence), currency)}</b>` : ""}</p>
      <${Hands} rows=${seen} others=${decided} title="Seen" />
      <${Offers} offers=${round?.decision?.offers ?? []} currency=${currency} />
    </div>
    <div class="decided"><h3>What the server decided</h3>
      ${frame.decided
        ? html`<p>Phase <b>${frame.decided.phase}</b></p>
          <${Hands} rows=${decided} others=${seen} title="Decided" />
          <${Offers} offers=${frame.decided.offers ?? []} currency=${currency} />`
        : html`<p>Not shown while cards lie face down.</p>`}
    </div>
  </section>`;
}
