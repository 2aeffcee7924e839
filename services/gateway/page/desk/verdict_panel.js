// Whether the round can be believed: asked for by a button, told with all its reasons.

import { html, useState } from "../vendor/htm-preact.js";
import { announce } from "../js/announce.js";
import { wordsOf } from "./api.js";
import { Checkpoints } from "./checkpoints.js";

/** @typedef {import("./types").Api} Api */

/** @param {{ title: string, type: string, data: any }} props */
function Told({ title, type, data }) {
  return html`<div><h4>${title}</h4>
    ${data === null || data === undefined
      ? html`<p>There is none to show.</p>`
      : html`<p class="mono">${type}</p><pre tabindex="0" aria-label=${title}>${JSON.stringify(data, null, 2)}</pre>`}</div>`;
}

/** @param {{ found: any }} props */
function Chains({ found }) {
  return html`<h4>Hash chains</h4>
    <div class="scroll" tabindex="0" role="region" aria-label="Hash chains"><table>
    <thead><tr><th scope="col">Log</th><th scope="col" class="number">Offsets</th><th scope="col" class="number">Records</th><th scope="col">Anchored at</th><th scope="col">Result</th></tr></thead>
    <tbody>${found.chains.map((/** @type {any} */ x) => html`<tr class=${x.faults.length ? "refuted" : ""}>
      <th scope="row">${x.service}, partition ${x.partition}</th>
      <td class="number">${x.first} to ${x.last}</td><td class="number">${x.records}</td>
      <td>${x.anchor === "head" ? `its head, ${x.head}` : `the link at ${x.last}; head at ${x.head}`}</td>
      <td>${x.faults.length ? x.faults.map((/** @type {any} */ fault) => html`<p><b>${fault.kind.replaceAll("_", " ")}</b> ${fault.text}</p>`) : "whole"}</td>
    </tr>`)}</tbody></table></div>`;
}

/** @param {{ found: any }} props */
function Cards({ found }) {
  const proved = found.cards.filter((/** @type {any} */ x) => x.verdict === "proved").length;
  return html`<h4>Card proofs: ${proved} of ${found.cards.length} cards proved</h4>
    ${found.shoe_faults.map((/** @type {string} */ text) => html`<p class="wrong">${text}</p>`)}
    <div class="scroll" tabindex="0" role="region" aria-label="Card proofs"><table>
    <thead><tr><th scope="col">Place</th><th scope="col" class="number">Position</th><th scope="col">Card</th><th scope="col">Verdict</th></tr></thead>
    <tbody>${found.cards.map((/** @type {any} */ x) => html`<tr class=${x.verdict === "refuted" ? "refuted" : ""}>
      <th scope="row">${x.place}</th><td class="number">${x.index}${x.order ? ` of order ${x.order}` : ""}</td>
      <td class="mono">${x.card || "??"}</td><td><b>${x.verdict}</b> <span class="small">${x.text}</span></td></tr>`)}</tbody>
    </table></div>`;
}

/** @param {{ found: any }} props */
function Verdict({ found }) {
  const isMatch = found.verdict === "MATCH";
  const { difference } = found;
  return html`<div class="judged">
    <div class=${`verdict-box ${isMatch ? "good" : "bad"}`} role="status">
      <b>${found.verdict}${found.kind && `: ${found.kind.replaceAll("_", " ")}`}</b><span>${found.text}</span>
      <span class="small">${found.decisions} decisions made again by engine ${found.running_engine}${found.engine && found.engine !== found.running_engine ? `, played by engine ${found.engine}` : ""}</span>
    </div>
    ${difference && html`<h4>First record that differs: <span class="mono">${difference.record}</span></h4>
      <p>${difference.text}</p>
      <div class="two">
        <${Told} title="Recorded" type=${difference.recorded_type} data=${difference.recorded} />
        <${Told} title="Expected" type=${difference.expected_type} data=${difference.expected} />
      </div>`}
    <${Chains} found=${found} /><${Cards} found=${found} /><${Checkpoints} found=${found} />
    <h4>Missing, repeated, late</h4>
    ${found.gaps.length ? html`<ul>${found.gaps.map((/** @type {any} */ x) => html`<li><b>${x.kind}</b> at event ${x.sequence}: ${x.text}</li>`)}</ul>` : html`<p>None.</p>`}
    <h4>What was checked</h4>
    <ul>${found.checked.map((/** @type {string} */ x) => html`<li>${x}</li>`)}</ul>
    <p>On the machine with the logs: <code>${found.command}</code>, and <code>push22 verify --all</code> for all of them.</p>
  </div>`;
}

/** @param {{ api: Api, id: string }} props */
export function VerdictPanel({ api, id }) {
  const [found, setFound] = useState(/** @type {any} */ (null));
  const [state, setState] = useState("");
  const check = async () => {
    setState("Checking…");
    try {
      const answer = await api.get(`/rounds/${id}/verdict`);
      setFound(answer);
      setState("");
      announce(`Verdict: ${answer.verdict}. ${answer.text}`);
    } catch (error) {
      setState(wordsOf(error));
    }
  };
  return html`<section aria-labelledby="verdict-title"><h3 id="verdict-title">Verdict</h3>
    <p>Makes every decision again from its recorded input, and checks the hash chains, the signed checkpoints and the card proofs.</p>
    <p class="row"><button type="button" class="main" disabled=${state === "Checking…"} onClick=${check}>${found ? "Check again" : "Check this round"}</button>
      <span role="alert">${state}</span></p>
    ${found && html`<${Verdict} found=${found} />`}
  </section>`;
}
