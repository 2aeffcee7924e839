// The table's rules, as its rule set has them.

import { html } from "../vendor/htm-preact.js";
import { money } from "./money.js";
import { ACTIONS } from "./offers.js";
import { Panel } from "./panel.js";
import { showBurned } from "./playing.js";

/** @typedef {import("./types").State} State */

/** @param {{ state: State }} props */
export function RulesPanel({ state }) {
  const { rules, view } = state;
  const currency = view?.currency ?? "EUR";
  const burned = view?.round?.burned_card;
  return html`<${Panel} title="Rules of this table" name="rules">
    <p>Rule set <code>${rules?.rule_set}</code></p>
    <ul>${rules?.text.map((text) => html`<li>${text}</li>`)}</ul>
    <h3>Theoretical return</h3>
    <ul class="returns">${rules?.returns.map((text) => html`<li>${text}</li>`)}</ul>
    <h3>Limits</h3>
    <p>
      Each hand ${money(rules?.limits.min_minor ?? 0, currency)} to
      ${" "}${money(rules?.limits.max_minor ?? 0, currency)}.
      ${rules?.side && ` ${rules.side.title} ${money(rules.side.min_minor, currency)} to ${money(rules.side.max_minor, currency)}.`}
      ${` Up to ${rules?.boxes_per_player} boxes a player.`}
    </p>
    ${rules?.side && html`<h3>${rules.side.title}</h3>
      <table><thead><tr><th scope="col">Cards</th><th scope="col">Pays</th></tr></thead><tbody>
        ${Object.entries(rules.side.pays).map(([hand, pays]) => html`<tr><td>${hand}</td><td>${pays} to 1</td></tr>`)}
      </tbody></table>`}
    <h3>Keys</h3>
    <p class="keys">
      ${rules?.actions.map((name) => html`<span><kbd>${ACTIONS[name]?.key}</kbd> ${ACTIONS[name]?.name}</span>`)}
      <span><kbd>B</kbd> Place bets, <kbd>D</kbd> Deal, <kbd>X</kbd> Clear, <kbd>R</kbd> Rebet while bets are taken</span>
      <span><kbd>[</kbd> <kbd>]</kbd> another box</span>
      <span><kbd>Delete</kbd> on a betting place takes a chip off; so does a right click</span>
    </p>
    <h3>If the connection breaks</h3>
    <p>Your bets stand and the round waits for you until the clock runs out; then the table
      plays on by its rules. Come back by the same page and you are where you were.</p>
    <p><button type="button" onClick=${showBurned} disabled=${!view?.round}>Show the burned card</button>
      ${burned && html` <b>${burned}</b>`}</p>
    <p class="small">Card faces and chips drawn for Push22 and free for all (CC0 1.0).</p>
  </${Panel}>`;
}

/** @param {{ state: State, save: (settings: import("./types").Settings) => void }} props */
export function SettingsPanel({ state, save }) {
  const { settings } = state;
  /** @param {"fourColours" | "keys" | "seeds"} name */
  const flip = (name) => () => save({ ...settings, [name]: !settings[name] });
  const minutes = Math.floor((Date.now() - state.startedAt) / 60000);
  const balance = state.you?.balance_minor ?? 0;
  const currency = state.you?.currency ?? "EUR";
  return html`<${Panel} title="Settings" name="settings">
    <p><label><input type="checkbox" checked=${settings.fourColours} onChange=${flip("fourColours")} />
      Four-colour cards</label></p>
    <p><label><input type="checkbox" checked=${settings.keys} onChange=${flip("keys")} />
      Single-key shortcuts</label></p>
    <p><label><input type="checkbox" checked=${settings.seeds} onChange=${flip("seeds")} />
      Give a seed to the cut of a fresh shoe</label></p>
    <p class="small">Animations follow your system's reduced-motion setting.</p>
    <h3>This visit</h3>
    <dl>
      <dt>Player</dt><dd>${state.you?.player ?? ""}</dd>
      <dt>Time</dt><dd>${minutes} min</dd>
      <dt>Balance at the start</dt><dd>${money(state.startBalance ?? balance, currency)}</dd>
      <dt>Balance now</dt><dd>${money(balance, currency)}</dd>
    </dl>
    <p class="small">Limits, breaks and self-exclusion are set with your operator; what it
      refuses is refused here.</p>
  </${Panel}>`;
}
