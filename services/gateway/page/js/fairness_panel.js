// The fairness panel: what was promised, what came, and whether one follows from the other.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { ask, Asked } from "./asking.js";
import { nameOf } from "./cards.js";
import { findings } from "./fairness.js";
import { seen } from "./fold.js";
import { Panel } from "./panel.js";
import { inWords } from "./reasons.js";
import { spoken } from "./offers.js";

/** @typedef {import("./types").State} State */
/** @typedef {import("./types").ShoeRecord} ShoeRecord */
/** @typedef {import("./types").CheckedCard} CheckedCard */
/** @typedef {{ record: ShoeRecord, found: import("./fairness.js").Findings }} Checked */

/** @param {string} place */
function placed(place) {
  if (place === "dealer") return "dealer";
  if (place === "hole") return "dealer's hole card";
  return place === "burned" ? "burned" : spoken(place);
}

/** @param {{ card: CheckedCard }} props */
function CardRow({ card }) {
  const mark = { proved: "✓ proved", refuted: "✗ refuted" }[/** @type {string} */ (card.verdict)];
  return html`<tr class=${card.verdict.replace(" ", "-")}>
    <td class="number">${card.index}${card.order ? " (2nd)" : ""}</td>
    <td>${placed(card.place)}</td>
    <td>${card.card ? nameOf(card.card) : "not shown"}</td>
    <td class="verdict">${mark ?? card.verdict}${card.why && `: ${card.why}`}</td>
  </tr>`;
}

/** @param {{ record: ShoeRecord }} props */
function Seeds({ record }) {
  const cut = record.shoe_cut;
  if (!cut) return html`<p>The shoe is not cut yet.</p>`;
  const shares = cut.shares ?? [];
  return html`<p>The deal began at card ${cut.cut} of the sealed order.
    ${!shares.length && " No player gave a seed, so the cut is the middle."}</p>
    ${shares.length > 0 && html`<div class="scroll" tabindex="0" role="region" aria-label="Seeds"><table>
      <thead><tr><th scope="col">Box</th><th scope="col">Hash, sent with the bet</th><th scope="col">Seed, opened later</th></tr></thead>
      <tbody>${shares.map((share) => html`<tr><td>${share.box}</td><td><code>${share.seed_hash}</code></td>
        <td><code>${share.seed || "not opened"}</code></td></tr>`)}</tbody></table></div>`}`;
}

/** @param {{ checked: Checked }} props */
function Verdict({ checked }) {
  const { found, record } = checked;
  const flaws = found.checks.filter((x) => x.flaw);
  const isGood = flaws.length === 0;
  const { seen } = found;
  const shown = seen
    ? `${seen.early ? "before any card had left the shoe" : "after its first card"}, ${new Date(seen.at).toLocaleTimeString("en-GB")}`
    : "not seen by this page before: only the record itself is checked";
  return html`<div class=${`verdict-box ${isGood ? "good" : "bad"}`} role="status">
      <b>${isGood ? "✓ Every open card is proved" : "✗ This record does not hold"}</b>
      ${flaws.map((x) => html`<span>${x.what}: no – ${x.flaw}</span>`)}
    </div>
    <dl>
      <dt>Shoe</dt><dd>${record.shoe_committed.shoe}, ${record.shoe_committed.decks} decks
        ${record.shoe_committed.demonstration && html` <b>demonstration shoe</b>`}</dd>
      <dt>Root</dt><dd><code>${record.shoe_committed.root}</code></dd>
      <dt>Root seen</dt><dd>${shown}</dd>
    </dl>
    <ul class="checks">${found.checks.map((x) => html`<li class=${x.flaw ? "bad" : "good"}>
      ${x.flaw ? "✗" : "✓"} ${x.what}</li>`)}</ul>`;
}

/** @param {ShoeRecord} record @param {string} name */
function download(record, name) {
  const text = new Blob([JSON.stringify(record)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(text);
  link.download = `${name}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** @param {{ state: State }} props */
export function FairnessPanel({ state }) {
  const round = seen(state).view?.round;
  const isDealt = Boolean(round?.dealer.cards.length);
  const name = state.panelRound || (!isDealt && state.last) || round?.round_id || "";
  const [checked, setChecked] = useState(/** @type {Checked | null} */ (null));
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    const shown = seen(state).view;
    const isShown = round?.round_id === name;
    setChecked(null);
    setWrong("");
    ask(`/rounds/${name}/proof`)
      .then(async (record) => {
        setChecked({ record, found: await findings(record, isShown ? shown : null) });
      })
      .catch((error) => setWrong(error instanceof Asked ? inWords(error.problem) : String(error)));
  }, [name, round?.round_id === name ? round.version : 0]);
  return html`<${Panel} title="Are the cards fair?" name="fairness">
    <p>The shoe's order was sealed and its root published before the first bet. Each open
      card comes with a proof, which this page checks itself: round <code>${name}</code>.</p>
    ${wrong && html`<p role="alert">${wrong}</p>`}
    ${!checked && !wrong && html`<p>Checking…</p>`}
    ${checked && html`<${Verdict} checked=${checked} />
      <h3>Cut and seeds</h3><${Seeds} record=${checked.record} />
      <h3>Cards</h3>
      <div class="scroll" tabindex="0" role="region" aria-label="Cards"><table>
        <thead><tr><th scope="col">Place in shoe</th><th scope="col">Dealt to</th><th scope="col">Card</th><th scope="col">Proof</th></tr></thead>
        <tbody>${checked.found.cards.map((card) => html`<${CardRow} card=${card} />`)}</tbody>
      </table></div>
      <p><button type="button" onClick=${() => download(checked.record, name)}>Download the record</button>
        <span class="small"> to check it with <code>verify_cards.py</code></span></p>`}
  </${Panel}>`;
}
