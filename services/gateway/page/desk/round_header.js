// What the round was played with, and who sat there.

import { html } from "../vendor/htm-preact.js";
import { local, utc } from "./words.js";

/** @typedef {import("./types").Replay} Replay */

/** @param {{ replay: Replay }} props */
export function RoundHeader({ replay }) {
  const { header, seats, gaps } = replay;
  const positions = header.positions;
  const options = Object.entries(header.options).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const engine = header.engine === header.running_engine ? "the one that runs" : `engine ${header.running_engine} runs now`;
  return html`<div class="round-head">
    <h2>${header.round_id} <span class=${`status ${header.status}`}>${header.status}</span></h2>
    ${!replay.is_whole && html`<p class="hold" role="note">Not all is shown yet: the round is open, or cards lie face down and their shoe is in use.</p>`}
    ${gaps.length > 0 && html`<div class="gaps" role="note"><b>Flagged</b><ul>${gaps.map((gap) => html`<li><b>${gap.kind}</b> at event ${gap.sequence}: ${gap.text}</li>`)}</ul></div>`}
    <details class="head-details"><summary>
      <span>Table <b>${header.table}</b></span> <span>Rules <b>${header.rule_set}</b></span>
      <span>Opened <b>${utc(header.opened_at)}</b></span> <span>${seats.map((x) => html`<b>${x.player}</b> (box ${x.boxes.join(", ")}) `)}</span>
    </summary>
    <dl class="facts-list">
      <dt>Opened</dt><dd><span class="mono">${utc(header.opened_at)}</span>, here ${local(header.opened_at)}</dd>
      <dt>Closed</dt><dd>${header.closed_at ? html`<span class="mono">${utc(header.closed_at)}</span>, here ${local(header.closed_at)}` : "not yet"}</dd>
      <dt>Rules</dt><dd>${header.rule_set}, digest <span class="mono">${header.rule_set_digest}</span>${header.is_same_rules ? "" : ": not the rules of that name now"}</dd>
      ${options.length > 0 && html`<dt>Options</dt><dd>${options.join(", ")}</dd>`}
      <dt>Engine</dt><dd>${header.engine}, ${engine}</dd>
      <dt>Shoe</dt><dd>${header.shoe}${header.is_shoe_retired ? ", retired" : ", in use"}, root <span class="mono">${header.shoe_root}</span></dd>
      <dt>Cards</dt><dd>${positions.length ? `positions ${positions[0]} to ${positions.at(-1)}; ${header.cards_out_before} were out before, ${header.cards_out_after} after` : "none left the shoe"}</dd>
      <dt>Currency</dt><dd>${header.currency}</dd>
      ${seats.map((x) => html`<dt>Seat ${x.seat.slice(1)}</dt><dd>${x.player}, box ${x.boxes.join(", ")}</dd>`)}
    </dl></details>
  </div>`;
}
