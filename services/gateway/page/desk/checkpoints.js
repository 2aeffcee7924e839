// What was signed about the logs of a round, and what nobody has signed yet.

import { html } from "../vendor/htm-preact.js";
import { utc } from "./words.js";

/** @typedef {import("./types").RoundVerdict} RoundVerdict */
/** @typedef {import("./types").CheckpointTold} CheckpointTold */

const HOLDS = { holds: "holds", not_checked: "not checked" };

/** @param {CheckpointTold} x */
function termOf({ key_since, key_until }) {
  if (!key_since) return "a key that nobody knows";
  return key_until ? `signed from ${utc(key_since)} to ${utc(key_until)}` : `signs since ${utc(key_since)}`;
}

/** @param {CheckpointTold} x */
function Row(x) {
  const isGood = x.verdict in HOLDS;
  return html`<tr class=${isGood ? "" : "refuted"}>
    <th scope="row">${x.service}, partition ${x.partition}</th>
    <td class="number">${x.offset ? `${x.since + 1} to ${x.offset}` : "unknown"}</td>
    <td class="number">${x.own || "none: the log's last"}</td>
    <td>${utc(x.made_at)}<br /><span class="mono small">${x.fingerprint}</span></td>
    <td><span class="mono">${x.key_id || "none"}</span><br /><span class="small">${termOf(x)}</span></td>
    <td><b>${HOLDS[/** @type {keyof typeof HOLDS} */ (x.verdict)] ?? x.verdict.replaceAll("_", " ")}</b> <span class="small">${x.text}</span></td>
  </tr>`;
}

/** @param {{ found: RoundVerdict }} props */
export function Checkpoints({ found }) {
  const open = found.chains.filter((x) => x.uncovered);
  return html`<h4>Signed checkpoints</h4>
    ${open.length > 0 && html`<div class="hold" role="note"><b>Not yet covered by a checkpoint</b>
      <ul>${open.map((x) => html`<li>${x.uncovered} of the round's ${x.own} records in ${x.service}, partition ${x.partition}</li>`)}</ul>
      Checkpoints are signed every minute where there is something new.</div>`}
    ${found.checkpoints.length > 0 && html`<div class="scroll" tabindex="0" role="region" aria-label="Signed checkpoints"><table>
      <thead><tr><th scope="col">Log</th><th scope="col" class="number">Records</th><th scope="col" class="number">Of the round</th>
        <th scope="col">Signed, fingerprint</th><th scope="col">Key</th><th scope="col">Verdict</th></tr></thead>
      <tbody>${found.checkpoints.map((x) => html`<${Row} ...${x} />`)}</tbody></table></div>`}`;
}
