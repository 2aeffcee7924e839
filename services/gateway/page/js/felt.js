// The felt: the dealer, what the house says on the cloth, the boxes.

import { html, useLayoutEffect, useRef } from "../vendor/htm-preact.js";
import { BoxView } from "./box.js";
import { Card } from "./cards.js";

/** @typedef {import("./types").State} State */

/** @type {Record<string, string>} */
export const PHASES = {
  betting: "Place your bets",
  seeds: "The cut is drawn",
  dealing: "Cards are dealt",
  insurance: "Insurance is open",
  turn: "Players decide",
  dealer: "The dealer plays",
  settling: "Bets are paid",
  closed: "The round is over",
};

/** @param {{ state: State }} props */
function Dealer({ state }) {
  const dealer = state.view?.round?.dealer ?? { cards: [], total: 0, soft: false };
  const isNatural = dealer.cards.length === 2 && dealer.total === 21;
  const pushes = state.rules?.felt.includes("Dealer 22 pushes") && dealer.total === 22;
  const mark = isNatural ? "Blackjack" : pushes ? "22 pushes" : dealer.total > 21 ? "Bust" : "";
  const isSoft = dealer.soft && dealer.cards.filter(Boolean).length > 1;
  const total = `${isSoft && dealer.total < 21 ? "soft " : ""}${dealer.total}`;
  return html`<section class="dealer" aria-label="Dealer">
    <h2>Dealer</h2>
    <div class="cards">
      ${dealer.cards.map((card, at) => html`<${Card} key=${at} card=${card} />`)}
      ${!dealer.cards.length && html`<span class="card none"></span><span class="card none"></span>`}
    </div>
    <div class="facts">
      ${dealer.total > 0 && html`<span class="total">${total}</span>`}
      ${mark && html`<span class="mark natural">${mark}</span>`}
    </div>
  </section>`;
}

/** @param {{ state: State }} props */
function Shoe({ state }) {
  const shoe = state.view?.shoe;
  const decks = state.rules?.decks ?? 6;
  const out = shoe?.cards_out ?? 0;
  return html`<div class="shoe">
    <span class="deck" aria-hidden="true"></span>
    <p><span>${decks} decks</span> <span>${out} ${out === 1 ? "card" : "cards"} out</span></p>
  </div>`;
}

/** @param {{ state: State, tag?: string }} props */
export function Felt({ state, tag = "main" }) {
  const boxes = [...Array(state.rules?.boxes ?? 0).keys()].map((x) => x + 1);
  const felt = state.rules?.felt ?? [];
  const phase = state.view?.round?.phase ?? "closed";
  const isOpen = phase === "betting";
  /** @type {{ current: HTMLElement | null }} */
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    if (phase === "closed" || isOpen) place.current?.scrollTo(0, 0);
  }, [phase]);
  return html`<${tag} class=${`felt ${isOpen ? "betting" : "playing"}`} data-phase=${phase} ref=${place}>
    <div class="top">
      <div class="house">
        <p class="name">${state.rules?.title}</p>
        ${felt.map((text) => html`<p>${text}</p>`)}
      </div>
      <${Dealer} state=${state} />
      <${Shoe} state=${state} />
    </div>
    <div class="boxes" data-boxes=${boxes.length}>
      ${boxes.map((number) => html`<${BoxView} key=${number} state=${state} number=${number} />`)}
    </div>
  </${tag}>`;
}
