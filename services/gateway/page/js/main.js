// The page: who plays where, what is seen, what is said.

import { html, render } from "../vendor/htm-preact.js";
import { announce, interrupt, news, question } from "./announce.js";
import { ask, Asked } from "./asking.js";
import { Bar } from "./bar.js";
import { again, connect, whenHeard } from "./connection.js";
import { seen } from "./fold.js";
import { noteRoot } from "./fairness.js";
import { FairnessPanel } from "./fairness_panel.js";
import { Felt } from "./felt.js";
import { HistoryPanel } from "./history_panel.js";
import { listenToKeys } from "./keys.js";
import { money } from "./money.js";
import { holdOutcome, makeWay, noteSeat } from "./holding.js";
import { holdStill } from "./motion.js";
import { firstChip, goOn } from "./playing.js";
import { inWords } from "./reasons.js";
import { RulesPanel, SettingsPanel } from "./rules_panel.js";
import { opened } from "./session.js";
import { change, keep, now, say, whenChanged } from "./store.js";

/** @typedef {import("./types").State} State */
/** @typedef {import("./types").Panel} PanelName */

const CONNECTIONS = {
  connecting: "Connecting…",
  live: "Connected",
  lost: "Connection lost, trying again…",
  elsewhere: "Opened in another window",
  ended: "Session ended",
};

/** @param {{ state: State }} props */
function Header({ state }) {
  const currency = state.you?.currency ?? "EUR";
  /** @param {PanelName} panel @param {string} title */
  const opener = (panel, title) => html`<button type="button"
    onClick=${() => change({ panel })}>${title}</button>`;
  return html`<header class="head">
    <h1><span class="brand">Push22</span> <span class="where">${state.table}</span></h1>
    <p class=${`connection ${state.connection}`} role="status">
      <span class="dot" aria-hidden="true"></span>${CONNECTIONS[state.connection]}
      ${state.connection === "elsewhere" && html`<button type="button" onClick=${again}>Play here</button>`}
    </p>
    <p class="balance"><span>Balance</span> <b>${state.you ? money(state.you.balance_minor, currency) : "…"}</b></p>
    <nav aria-label="Panels">
      ${opener("rules", "Rules")} ${opener("history", "History")}
      ${opener("fairness", "Fairness")} ${opener("settings", "Settings")}
    </nav>
  </header>`;
}

/** @param {{ state: State }} props */
function Lobby({ state }) {
  return html`<main class="lobby"><h2>Tables</h2>
    ${state.tables?.length === 0 && html`<p>No table is open for you now.</p>`}
    <ul>${state.tables?.map((x) => html`<li><button type="button" onClick=${() => sit(x.table)}>
      <b>${x.table}</b> ${x.rule_set} · ${x.seats} ${x.seats === 1 ? "player" : "players"}</button>
      ${x.returns.map((text) => html`<p class="returns">${text}</p>`)}</li>`)}</ul>
  </main>`;
}

/** @param {import("./types").Settings} settings */
function save(settings) {
  keep("settings", settings);
  change({ settings });
}

/** @param {State} state */
function panelOf(state) {
  switch (state.panel) {
    case "rules":
      return html`<${RulesPanel} state=${state} />`;
    case "history":
      return html`<${HistoryPanel} state=${state} />`;
    case "fairness":
      return html`<${FairnessPanel} state=${state} />`;
    case "settings":
      return html`<${SettingsPanel} state=${state} save=${save} />`;
    default:
      return null;
  }
}

/** @param {State} state */
function Page(state) {
  if (state.connection === "ended" || !state.session) {
    return html`<main class="wait"><h1>Push22</h1><p>${state.note || "Opening the table…"}</p></main>`;
  }
  return html`<div class=${`whole ${state.settings.fourColours ? "four" : ""}`}>
    <${Header} state=${state} />
    ${state.table ? html`<${Felt} state=${seen(state)} /><${Bar} state=${state} />` : html`<${Lobby} state=${state} />`}
    ${panelOf(state)}
  </div>`;
}

let asked = "";

/** @type {Parameters<typeof whenHeard>[0]} */
function hear(before, happened) {
  const state = now();
  noteRoot(state.view);
  noteSeat();
  if (happened) holdOutcome({ ...state, view: before });
  if (happened) holdStill(false);
  makeWay();
  announce(news(now(), before));
  const is = question(state);
  if (is && is !== asked) announce(is);
  asked = is;
  if (!state.chip && state.view) change({ chip: firstChip() });
  tellRefusals();
  void goOn();
}

/** @type {Set<string>} */
const refusalsTold = new Set();

/** A bet or stake that the wallet refused is known only afterwards. */
function tellRefusals() {
  for (const refusal of now().you?.refusals ?? []) {
    const name = JSON.stringify(refusal);
    if (refusalsTold.has(name)) continue;
    refusalsTold.add(name);
    if (refusal.round_id === now().view?.round?.round_id) say(inWords(refusal));
  }
}

/** @param {string} table */
async function sit(table) {
  history.replaceState(null, "", `/play/${table}`);
  change({ table });
  change({ rules: await ask(`/tables/${table}/rules`) });
  connect();
}

async function start() {
  try {
    const session = await opened();
    if (!session) {
      change({ connection: "ended", note: "Open the game from your casino's page." });
      return;
    }
    change({ session });
    const path = decodeURIComponent(location.pathname.split("/")[2] ?? "");
    const table = session.table || path;
    if (table) await sit(table);
    else change({ tables: (await ask("/tables")).tables });
  } catch (error) {
    if (!(error instanceof Asked)) throw error;
    change({ connection: "ended", note: inWords(error.problem) });
  }
}

const page = /** @type {HTMLElement} */ (document.getElementById("page"));
page.replaceChildren();
let isDue = false;
let noted = "";
whenChanged(() => {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    const state = now();
    if (state.note !== noted) interrupt(state.note);
    noted = state.note;
    render(Page(state), page);
  });
});
whenHeard(hear);
listenToKeys();
addEventListener("online", again);
addEventListener("offline", () => change({ connection: "lost" }));
void start();
