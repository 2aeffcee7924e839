// The bar below the felt: chips while bets are taken, then everything that may be done.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { Chip } from "./chips.js";
import { PHASES } from "./felt.js";
import { chipsOf, money, short, signed } from "./money.js";
import { ACTIONS, isOurTurn, meant, possible, spoken } from "./offers.js";
import { act, allBets, clearBets, costOf, deal, placeBets, rebet } from "./playing.js";
import { ownBoxes, ownSeat, seen } from "./fold.js";
import { sum, tone } from "./results.js";
import { change, kept } from "./store.js";

/** @typedef {import("./types").State} State */

/** @param {State} state @param {number} due in microseconds of the door's clock */
function leftMs(state, due) {
  return Math.max(0, due / 1000 - Date.now() - state.skewMs);
}

/** Show it again four times a second while something is due. @param {number} due */
function useTicks(due) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!due) return undefined;
    const timer = setInterval(() => tick((x) => x + 1), 250);
    return () => clearInterval(timer);
  }, [due]);
}

/** @param {{ state: State }} props */
function Timer({ state }) {
  const decision = state.view?.round?.decision;
  const due = decision?.due_at ?? 0;
  useTicks(due);
  const timings = state.view?.timings ?? {};
  const whole = timings[decision?.kind === "turn" ? "decision_ms" : `${decision?.kind}_ms`] ?? 0;
  const left = leftMs(state, due);
  const share = due && whole ? Math.min(1, left / whole) : 0;
  const seconds = Math.ceil(left / 1000);
  return html`<div class=${`timer ${due && seconds <= 5 ? "soon" : ""}`} role="timer"
    aria-label=${due ? `${seconds} seconds left` : "no clock runs"}>
    <svg viewBox="0 0 40 40" aria-hidden="true">
      <circle class="track" cx="20" cy="20" r="17" />
      <circle class="left" cx="20" cy="20" r="17" pathLength="1"
        stroke-dasharray=${`${share} 1`} transform="rotate(-90 20 20)" />
    </svg>
    <span class=${seconds > 99 ? "long" : ""} aria-hidden="true">${due ? seconds : ""}</span>
  </div>`;
}

/** @param {State} state */
function headline(state) {
  const round = state.view?.round;
  if (state.note) return state.note;
  if (!round) return "Waiting for the table";
  if (isOurTurn(state)) {
    const target = spoken(meant(state)?.target ?? "");
    return `Your turn: ${target}`;
  }
  const own = ownBoxes(state);
  if (round.phase === "betting" && own.length && own.every((x) => x.ready)) {
    const isOthers = round.boxes.some((x) => !x.ready);
    return isOthers ? "Ready: waiting for the others" : "Ready: waiting for the deal";
  }
  return PHASES[round.phase] ?? "";
}

/** How long the table still has to wait between two deals. @param {{ state: State }} props */
function NextDeal({ state }) {
  const round = state.view?.round;
  const due = round?.phase === "betting" ? round.not_before : 0;
  useTicks(due);
  const seconds = Math.ceil(leftMs(state, due) / 1000);
  return seconds > 0 && html` · <span class="next-deal">next deal in ${seconds} s at the earliest</span>`;
}

/** @param {{ state: State, live: State }} props `live` is not held back by an outcome. */
function Said({ state, live }) {
  const round = state.view?.round;
  const currency = state.view?.currency ?? "EUR";
  const seat = ownSeat(state);
  const lines = round?.lines.filter((x) => x.seat === seat && seat) ?? [];
  const net = sum(lines);
  const isOver = round?.phase === "closed" && lines.length > 0;
  return html`<div class="said">
    <p class=${`headline ${state.note ? "note" : ""}`}>${headline(state)}</p>
    <p class="sub">
      Round ${round?.number ?? ""}<${NextDeal} state=${live} />
      ${isOver && html` · <b class=${tone(net)}>${signed(net, currency)}</b> this round`}
    </p>
  </div>`;
}

/** @param {{ state: State }} props */
function Chips({ state }) {
  const currency = state.view?.currency ?? "EUR";
  const chips = chipsOf(currency);
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step || !(event.currentTarget instanceof HTMLElement)) return;
    event.preventDefault();
    const at = (chips.indexOf(state.chip) + step + chips.length) % chips.length;
    change({ chip: chips[at] ?? state.chip });
    const buttons = event.currentTarget.querySelectorAll("button");
    buttons[at]?.focus();
  };
  return html`<div class="tray" role="radiogroup" aria-label="Chip" onKeyDown=${key}>
    ${chips.map((chip) => html`<button type="button" role="radio" class="pick"
      aria-checked=${chip === state.chip ? "true" : "false"} tabindex=${chip === state.chip ? 0 : -1}
      aria-label=${money(chip, currency)} onClick=${() => change({ chip })}>
      <${Chip} minor=${chip} currency=${currency} /></button>`)}
  </div>`;
}

/** @param {{ state: State }} props */
function Betting({ state }) {
  const currency = state.view?.currency ?? "EUR";
  const bets = Object.values(allBets());
  const total = bets.reduce((all, bet) => all + costOf(bet), 0);
  const limits = state.rules?.limits;
  const isOff = state.connection !== "live" || state.busy;
  const isDrafted = bets.length > 0 && state.betsOf === state.view?.round?.round_id;
  const hasLast = Object.keys(kept("wagers", {})).length > 0;
  return html`<div class="betting">
    <${Chips} state=${state} />
    <p class="limits">
      ${limits && `${money(limits.min_minor, currency)}–${money(limits.max_minor, currency)} a hand`}
      <b>Bets ${money(total, currency)}</b>
    </p>
    <div class="buttons">
      <button type="button" onClick=${clearBets} disabled=${isOff || !bets.length}
        aria-keyshortcuts="X">Clear <kbd>X</kbd></button>
      <button type="button" onClick=${rebet} disabled=${isOff || !hasLast || bets.length > 0}
        aria-keyshortcuts="R">Rebet <kbd>R</kbd></button>
      <button type="button" onClick=${placeBets} disabled=${isOff || !isDrafted}
        aria-keyshortcuts="B">Place bets <kbd>B</kbd></button>
      <button type="button" class="main" onClick=${deal} aria-keyshortcuts="D"
        disabled=${isOff || !(bets.length || state.held)}>${state.held ? "New bets" : "Deal"} <kbd>D</kbd></button>
    </div>
  </div>`;
}

/** @param {{ state: State }} props */
function Amount({ state }) {
  const currency = state.view?.currency ?? "EUR";
  const priced = ["double", "insure"].map((action) => possible(state, action));
  const found = priced.find((x) => x && x.option.min_minor < x.option.max_minor);
  if (!found) return null;
  const { min_minor: low, max_minor: high } = found.option;
  /** @param {Event} event */
  const typed = (event) => {
    if (event.target instanceof HTMLInputElement) change({ amount: event.target.value });
  };
  return html`<label class="amount-box">
    <span>${ACTIONS[found.action]?.name} for less</span>
    <input type="text" inputmode="decimal" value=${state.amount} onInput=${typed}
      placeholder=${`${short(low, currency)}–${short(high, currency)}`} autocomplete="off" />
  </label>`;
}

/** @param {{ state: State, action: string }} props */
function Act({ state, action }) {
  const currency = state.view?.currency ?? "EUR";
  const isOff = state.connection !== "live" || state.busy;
  const found = possible(state, action);
  const known = ACTIONS[action];
  const most = found?.option.max_minor ?? 0;
  const cost = most && action !== "surrender" ? money(most, currency) : "";
  return html`<button type="button" data-action=${action}
    class=${action === "switch" ? "main" : ""}
    disabled=${isOff || !found} aria-keyshortcuts=${known?.key} onClick=${() => act(action)}>
    <span class="what">${known?.name ?? action}</span> <kbd>${known?.key}</kbd>
    ${cost && html`<small>${cost}</small>`}</button>`;
}

const ON_HANDS = ["hit", "stand", "double", "split", "surrender"];

/** All that the rules know is there at all times; what is not offered now is disabled. @param {{ state: State }} props */
function Actions({ state }) {
  const actions = state.rules?.actions ?? [];
  const rows = [
    actions.filter((x) => ON_HANDS.includes(x)),
    actions.filter((x) => !ON_HANDS.includes(x)),
  ];
  return html`<div class="acting">
    ${rows.map((row, at) => html`<div class="buttons" role="group"
      aria-label=${at ? "Switch and insurance" : "Hand"}>
      ${row.map((action) => html`<${Act} key=${action} state=${state} action=${action} />`)}
    </div>`)}
  </div>`;
}

/** @param {{ state: State }} props */
export function Bar({ state }) {
  const isBetting = state.view?.round?.phase === "betting";
  return html`<footer class="bar" aria-label="Your decisions">
    <div class="line"><${Timer} state=${state} /><${Said} state=${seen(state)} live=${state} />
      ${!isBetting && html`<${Amount} state=${state} />`}</div>
    ${isBetting ? html`<${Betting} state=${state} />` : html`<${Actions} state=${state} />`}
  </footer>`;
}
