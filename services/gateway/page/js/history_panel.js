// The player's own rounds, and each told again from its records.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { ask, Asked } from "./asking.js";
import { Card } from "./cards.js";
import { money, signed } from "./money.js";
import { Panel } from "./panel.js";
import { inWords } from "./reasons.js";
import { Result, tone } from "./results.js";
import { change } from "./store.js";

/** @typedef {import("./types").State} State */
/** @typedef {{ round_id: string, status: string, opened_at: number, currency: string, seats: { staked_minor: number, paid_minor: number, net_minor: number }[] }} Row */

const DECISIONS =
  /^(hand_(hit|stood|doubled|split|surrendered|insured)|cards_(switched|kept|returned)|insurance_declined|even_money_taken)$/;

/** @param {number} micros */
function when(micros) {
  const options = /** @type {const} */ ({ dateStyle: "short", timeStyle: "short" });
  return new Date(micros / 1000).toLocaleString("en-GB", options);
}

/** @param {string} path */
function useAnswer(path) {
  const [answer, setAnswer] = useState(/** @type {any} */ (null));
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    setAnswer(null);
    ask(path).then(setAnswer, (error) => {
      setWrong(error instanceof Asked ? inWords(error.problem) : String(error));
    });
  }, [path]);
  return { answer, wrong };
}

/** @param {{ row: Row }} props */
function Line({ row }) {
  const seat = row.seats[0] ?? { staked_minor: 0, paid_minor: 0, net_minor: 0 };
  const open = () => change({ panelRound: row.round_id });
  const prove = () => change({ panel: "fairness", panelRound: row.round_id });
  return html`<tr>
    <td>${when(row.opened_at)}</td>
    <td><button type="button" class="link" onClick=${open}>${row.round_id}</button></td>
    <td>${row.status}</td>
    <td class="number">${money(seat.staked_minor, row.currency)}</td>
    <td class=${`number ${tone(seat.net_minor)}`}>${signed(seat.net_minor, row.currency)}</td>
    <td><button type="button" class="link" onClick=${prove}
      aria-label=${`Check the cards of ${row.round_id}`}>Check</button></td>
  </tr>`;
}

function List() {
  const [cursor, setCursor] = useState("");
  const { answer, wrong } = useAnswer(`/rounds?limit=10${cursor && `&cursor=${cursor}`}`);
  if (wrong) return html`<p role="alert">${wrong}</p>`;
  if (!answer) return html`<p>Looking…</p>`;
  /** @type {Row[]} */
  const rows = answer.rounds;
  if (!rows.length) return html`<p>No rounds yet.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Your rounds"><table>
    <thead><tr><th scope="col">Time</th><th scope="col">Round</th><th scope="col">Status</th>
      <th scope="col">Staked</th><th scope="col">Net</th><th scope="col">Cards</th></tr></thead>
    <tbody>${rows.map((row) => html`<${Line} key=${row.round_id} row=${row} />`)}</tbody>
  </table></div>
  <p>${cursor && html`<button type="button" onClick=${() => setCursor("")}>Newest</button> `}
    ${answer.cursor && html`<button type="button" onClick=${() => setCursor(answer.cursor)}>Older</button>`}</p>`;
}

/** @param {{ name: string, currency: string }} props */
function Told({ name, currency }) {
  const { answer, wrong } = useAnswer(`/rounds/${name}`);
  if (wrong) return html`<p role="alert">${wrong}</p>`;
  if (!answer) return html`<p>Looking…</p>`;
  /** @type {import("./types").Round} */
  const round = answer.view;
  const own = Object.keys(answer.seats);
  /** @type {import("./types").Happened[]} */
  const happened = answer.happened;
  return html`<p class="replay">Replay of a finished round</p>
    <h3>Dealer ${round.dealer.total || ""}</h3>
    <div class="cards small-cards">${round.dealer.cards.map((card) => html`<${Card} card=${card} />`)}</div>
    ${round.boxes.map((box) => html`<h3>Box ${box.box} ${own.includes(box.seat) ? "(you)" : ""}</h3>
      ${box.hands.map((hand) => html`<div class="told-hand">
        <div class="cards small-cards">${hand.cards.map((card) => html`<${Card} card=${card} />`)}</div>
        <span>${hand.label}: ${hand.total}${hand.switched ? ", switched" : ""}</span>
      </div>`)}`)}
    <h3>Wagers</h3>
    <ul class="lines">${round.lines.filter((line) => own.includes(line.seat)).map((line) => html`<li>
      <${Result} line=${line} currency=${currency} title />
      <span class="small">staked ${money(line.stake_minor, currency)}, by ${line.clauses.join(", ")}</span></li>`)}</ul>
    <h3>What happened</h3>
    <ol class="happened">${happened.map((x) => html`<li>${x.what.replaceAll("_", " ")}
      ${x.target && ` · ${x.target}`}${DECISIONS.test(x.what) ? ` · ${x.by === "player" ? "decided by the player" : "decided by the table"}` : ""}</li>`)}</ol>
    <p class="small">Rule set ${answer.rule_set}, digest ${answer.rule_set_digest}</p>`;
}

/** @param {{ state: State }} props */
export function HistoryPanel({ state }) {
  const name = state.panelRound;
  const back = () => change({ panelRound: "" });
  return html`<${Panel} title=${name ? name : "Your rounds"} name="history">
    ${name
      ? html`<p><button type="button" onClick=${back}>Back to the list</button></p>
          <${Told} name=${name} currency=${state.view?.currency ?? "EUR"} />`
      : html`<${List} />`}
  </${Panel}>`;
}
