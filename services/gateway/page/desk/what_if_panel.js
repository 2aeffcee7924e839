// What would have come of other decisions: set apart from the record, and off at first.

import { html, useState } from "../vendor/htm-preact.js";
import { announce } from "../js/announce.js";
import { signed } from "../js/money.js";
import { wordsOf } from "./api.js";

/** @typedef {import("./types").Api} Api */
/** @typedef {import("./types").Replay} Replay */

/** @param {{ found: any, replay: Replay }} props */
function Outcome({ found, replay }) {
  const { currency } = replay.header;
  if (found.fault) {
    return html`<p class="wrong" role="alert">The script can't be played: ${found.fault.place}: ${found.fault.reason}</p>`;
  }
  const recorded = new Map(replay.lines.map((line) => [line.label, line]));
  const labels = [...new Set([...recorded.keys(), ...Object.keys(found.net)])].sort();
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Record and what-if"><table>
      <thead><tr><th scope="col">Wager</th><th scope="col">Record</th><th scope="col" class="number">Net</th>
        <th scope="col">What-if</th><th scope="col">Cards</th><th scope="col" class="number">Net</th></tr></thead>
      <tbody>${labels.map((label) => {
        const line = recorded.get(label);
        const isOther = found.net[label] !== line?.net_minor;
        return html`<tr class=${isOther ? "differs" : ""}><th scope="row">${label}</th>
          <td>${line?.result ?? "–"}</td><td class="number">${line ? signed(line.net_minor, currency) : "–"}</td>
          <td>${found.outcome[label] ?? "–"}</td><td class="mono">${found.hands[label] ?? ""}</td>
          <td class="number">${label in found.net ? signed(found.net[label], currency) : "–"}</td></tr>`;
      })}</tbody></table></div>
    <p>Dealer <span class="mono">${found.dealer || "none"}</span>, ${found.cards_used} cards used.
      ${found.pending && html` The round waits for <b>${found.pending}</b>.`}</p>
    ${found.failures.length > 0 && html`<p>Unlike what the script expects:</p>
      <ul>${found.failures.map((/** @type {string} */ x) => html`<li>${x}</li>`)}</ul>`}`;
}

/** @param {{ api: Api, replay: Replay }} props */
export function WhatIfPanel({ api, replay }) {
  const [isOn, setOn] = useState(false);
  const [script, setScript] = useState(replay.script);
  const [found, setFound] = useState(/** @type {any} */ (null));
  const [wrong, setWrong] = useState("");
  if (!replay.script) return html`<p>There is a script only of a closed round in which cards were dealt and lie open.</p>`;
  if (!isOn) {
    return html`<section><h3>What-if</h3>
      <p>Plays this round's script with other decisions or cards, at a table that is made for it and
        forgotten. It says nothing about what happened.</p>
      <p><button type="button" onClick=${() => setOn(true)}>Turn what-if on</button></p></section>`;
  }
  const run = async () => {
    setWrong("");
    try {
      const answer = await api.post("/what-if", { script });
      setFound(answer);
      announce(answer.fault ? "The script can't be played." : "What-if played.");
    } catch (error) {
      setWrong(wordsOf(error));
    }
  };
  const reset = () => {
    setScript(replay.script);
    setFound(null);
  };
  return html`<section class="what-if" aria-labelledby="what-if-title">
    <p class="banner" role="note">WHAT-IF: not what happened, and no record of anything</p>
    <h3 id="what-if-title">What-if</h3>
    <label for="script">Round script (cards, wagers, decisions; docs/scripts.md)</label>
    <textarea id="script" rows="18" spellcheck="false" value=${script}
      onInput=${(/** @type {any} */ event) => setScript(event.target.value)}></textarea>
    <p class="row"><button type="button" class="main" onClick=${run}>Play it</button>
      <button type="button" onClick=${reset}>As recorded</button>
      <button type="button" onClick=${() => setOn(false)}>Turn off</button></p>
    ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
    ${found && html`<${Outcome} found=${found} replay=${replay} />`}
  </section>`;
}
