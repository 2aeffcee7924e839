// A box: its betting places, its hands, and what came of them.

import { html, useLayoutEffect, useRef } from "../vendor/htm-preact.js";
import { Card } from "./cards.js";
import { Stack } from "./chips.js";
import { ownSeat } from "./fold.js";
import { cross } from "./motion.js";
import { money } from "./money.js";
import { meant, ownOffers } from "./offers.js";
import { addChip, betOn, isBet } from "./playing.js";
import { Result } from "./results.js";
import { change } from "./store.js";

/** @typedef {import("./types").State} State */
/** @typedef {import("./types").Hand} Hand */
/** @typedef {import("./types").Box} TheBox */

const STATUS = {
  playing: "",
  stood: "Stands",
  bust: "Bust",
  surrendered: "Surrendered",
  even_money: "Even money",
};

const MADE = "21, not a blackjack";

/** @param {Hand} hand @param {State} state */
export function markOf(hand, state) {
  if (hand.cards.length !== 2 || hand.total !== 21) return "";
  const isSplit = hand.label.split(".").length > 2;
  const isMade = hand.switched && !state.rules?.switched_natural;
  if (isMade || isSplit) return MADE;
  return "Blackjack";
}

/** @param {Hand} hand */
export function totalOf(hand) {
  return hand.total ? `${hand.soft && hand.total < 21 ? "soft " : ""}${hand.total}` : "";
}

/** @param {{ state: State, hand: Hand, stake: number }} props */
function HandView({ state, hand, stake }) {
  const view = state.view;
  const currency = view?.currency ?? "EUR";
  const line = view?.round?.lines.filter((x) => x.label === hand.label).at(-1);
  const isMeant = meant(state)?.target === hand.label;
  const mark = markOf(hand, state);
  const status = mark || STATUS[hand.status];
  const total = totalOf(hand);
  const staked = stake + hand.doubled_minor;
  const waits = view?.round?.waiting.find((x) => x.target === hand.label);
  return html`<div class=${`hand ${isMeant ? "meant" : ""} ${hand.status}`} role="group"
    aria-label=${`Hand ${hand.label}, ${total}${status ? `, ${status}` : ""}`}>
    <div class="cards">
      ${hand.cards.map((card, at) => html`<${Card} key=${at} card=${card}
        mark=${hand.switched && at === 1 ? "switched" : ""} />`)}
    </div>
    <div class="facts">
      ${total && html`<span class="total">${total}</span>`}
      ${mark && html`<span class=${`mark ${mark === "Blackjack" ? "natural" : "made"}`}>${mark}</span>`}
      ${!mark && status && !line && html`<span class="mark">${status}</span>`}
      ${hand.switched && mark !== MADE && html`<span class="mark quiet">Switched</span>`}
      ${waits && html`<span class="mark quiet">Waiting for funds</span>`}
    </div>
    <div class="stake">
      <${Stack} minor=${staked} currency=${currency} />
      <span class="amount">${money(staked, currency)}</span>
    </div>
    ${line && html`<${Result} line=${line} currency=${currency} />`}
  </div>`;
}

/** What the main betting places are called. @param {State} state @param {number} at */
function namesOf(state, at) {
  if ((state.rules?.hands_per_box ?? 1) > 1) return { main: `Hand ${at + 1}`, what: "both hands" };
  const isMany = (state.rules?.wagers ?? 1) > 1;
  return isMany ? { main: `Circle ${at + 1}`, what: "this circle" } : { main: "Bet", what: "the hand" };
}

/** Pointer and keys on a place where chips go. @param {number} box @param {number | "all" | "side"} circle */
function chipping(box, circle) {
  return {
    /** @param {MouseEvent} event */
    onClick: (event) => addChip(box, circle, event.shiftKey ? -1 : 1),
    /** @param {MouseEvent} event */
    onContextMenu: (event) => {
      event.preventDefault();
      addChip(box, circle, -1);
    },
    /** @param {KeyboardEvent} event */
    onKeyDown: (event) => {
      if (!["Delete", "Backspace", "-"].includes(event.key)) return;
      event.preventDefault();
      addChip(box, circle, -1);
    },
  };
}

/** Both hands of a switch box have one amount: only the first place is for keys and ears. @param {State} state */
function hasCircles(state) {
  return (state.rules?.hands_per_box ?? 1) === 1 && (state.rules?.wagers ?? 1) > 1;
}

/** @param {{ state: State, box: number, circle: "wager" | "side", at?: number }} props */
function Spot({ state, box, circle, at = 0 }) {
  const currency = state.view?.currency ?? "EUR";
  const bet = betOn(box);
  const amount = circle === "side" ? bet.side : bet.wagers[at] ?? bet.wagers[0] ?? 0;
  const { main, what } = namesOf(state, at);
  const title = circle === "side" ? state.rules?.side?.title ?? "" : main;
  const isTwin = at > 0 && !hasCircles(state);
  const where = circle === "side" ? "side" : hasCircles(state) ? at : "all";
  return html`<button type="button" class=${`spot ${circle}`} ...${chipping(box, where)}
    tabindex=${isTwin ? -1 : 0} aria-hidden=${isTwin ? "true" : undefined}
    aria-label=${`${title} of box ${box}, bet on ${circle === "side" ? title : what}: ${amount ? money(amount, currency) : "none"}`}>
    <span class="ring">${amount
      ? html`<${Stack} minor=${amount} currency=${currency} />`
      : html`<span class="hint">${title}</span>`}</span>
    <span class="amount">${amount ? money(amount, currency) : ""}</span>
  </button>`;
}

/** @param {{ state: State, box: number }} props */
function Places({ state, box }) {
  const { wagers = 1, side = null } = state.rules ?? {};
  const main = [...Array(wagers).keys()].map(
    (at) => html`<${Spot} state=${state} box=${box} circle="wager" at=${at} />`,
  );
  const small = side && html`<${Spot} state=${state} box=${box} circle="side" />`;
  return html`<div class="places">${main[0]}${small}${main.slice(1)}</div>`;
}

/** What lies on a hand: its wager, or those of all its circles. @param {TheBox} box @param {Hand} hand @param {State} state */
function stakeOf(box, hand, state) {
  if ((state.rules?.hands_per_box ?? 1) === 1) return box.wagers_minor.reduce((a, b) => a + b, 0);
  const [, number] = hand.label.split(".");
  return box.wagers_minor[Number(number) - 1] ?? box.wagers_minor[0] ?? 0;
}

/** @param {{ state: State, box: TheBox }} props */
function Extras({ state, box }) {
  const currency = state.view?.currency ?? "EUR";
  const hands = new Set(box.hands.map((x) => x.label));
  const lines = (state.view?.round?.lines ?? []).filter(
    (x) => x.label.split(".")[0] === String(box.box) && !hands.has(x.label),
  );
  const isSettled = lines.some((x) => x.kind === "side" || x.label.includes("match"));
  const side = Object.values(box.side_wagers_minor)[0] ?? 0;
  const insured = Object.entries(box.insurance).filter(([, minor]) => minor);
  const isClosed = lines.some((x) => x.label.endsWith(".insurance"));
  return html`<div class="extras">
    ${side > 0 && !isSettled && html`<span class="result even">
      <span>${state.rules?.side?.title}</span> <span class="amount">${money(side, currency)}</span>
    </span>`}
    ${!isClosed && insured.map(([target, minor]) => html`<span class="result even">
      <span>Insurance ${target}</span> <span class="amount">${money(minor, currency)}</span>
    </span>`)}
    ${lines.map((line) => html`<${Result} line=${line} currency=${currency} title />`)}
  </div>`;
}

/** @param {{ state: State, number: number }} props */
export function BoxView({ state, number }) {
  /** @type {{ current: HTMLElement | null }} */
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const round = state.view?.round;
  const box = round?.boxes.find((x) => x.box === number);
  const isCrossed = Boolean(box?.hands[0]?.switched);
  const isSplit = (box?.hands.length ?? 0) > 2;
  const were = useRef(isCrossed);
  useLayoutEffect(() => {
    if (were.current !== isCrossed && box?.hands.length === 2) cross(place.current);
    were.current = isCrossed;
  });
  const seat = ownSeat(state);
  const isOwn = Boolean(box) && box?.seat === seat;
  const isOpen = round?.phase === "betting" && !state.replay && (!box || isOwn);
  const isActive = meant(state)?.box === number;
  useLayoutEffect(() => {
    if (isActive && !state.replay) place.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  const offers = ownOffers(state).filter((x) => x.box === number);
  const choose = () => change({ target: offers[0]?.target ?? "" });
  const bet = betOn(number);
  const isTaken = Boolean(box) || isBet(bet);
  const isAlike = isOpen && !box?.hands.length && hasCircles(state);
  const kind = [isOwn ? "own" : "", isTaken ? "taken" : "free", isActive ? "active" : "",
    isSplit ? "many" : "", box?.hands.length ? "dealt" : ""].join(" ");
  const who = isOwn ? "you" : box ? `player ${box.seat.slice(1)}` : "free";
  return html`<section class=${`box ${kind}`} ref=${place} aria-label=${`Box ${number}, ${who}`}>
    <h3>${isAlike
      ? html`<button type="button" class="choose all" ...${chipping(number, "all")}
          aria-label=${`Box ${number}: a chip on all circles`}>Box ${number}: all</button>`
      : html`<span>Box ${number}</span>`} <span class="who">${isOwn ? "You" : box ? `Player ${box.seat.slice(1)}` : ""}</span>
      ${box?.pending && html`<span class="mark quiet">Funds…</span>`}
      ${box?.ready && round?.phase === "betting" && html`<span class="mark quiet">Ready</span>`}
      ${offers.length > 0 && !isActive && !state.replay && html`<button type="button" class="choose" onClick=${choose}>Play this box</button>`}
    </h3>
    ${box?.hands.length
      ? html`<div class="hands">${box.hands.map((hand) => html`<${HandView} key=${hand.label}
          state=${state} hand=${hand} stake=${stakeOf(box, hand, state)} />`)}</div>`
      : isOpen
        ? html`<${Places} state=${state} box=${number} />`
        : html`<div class="placed">${box && box.wagers_minor.map((minor) => html`<span class="stake">
            <${Stack} minor=${minor} currency=${state.view?.currency} />
            <span class="amount">${money(minor, state.view?.currency ?? "EUR")}</span></span>`)}</div>`}
    ${box && html`<${Extras} state=${state} box=${box} />`}
  </section>`;
}
