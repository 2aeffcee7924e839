// What the table offers now, and to which hand a key or button goes.
//
// Nothing is decided here: an action is possible where, and only where, it is offered.

import { ownBoxes } from "./fold.js";

/** @typedef {import("./types").State} State */
/** @typedef {import("./types").Offer} Offer */
/** @typedef {import("./types").Option} Option */
/** @typedef {{ action: string, target: string, option: Option }} Possible */

/** @param {State} state @returns {Offer[]} */
export function ownOffers(state) {
  const mine = new Set(ownBoxes(state).map((x) => x.box));
  const offers = state.view?.round?.decision?.offers ?? [];
  return offers.filter((offer) => mine.has(offer.box) && offer.options.length);
}

/** The offer that is meant: the chosen one, else the one that is waited for. @param {State} state */
export function meant(state) {
  const offers = ownOffers(state);
  const chosen = offers.filter((x) => x.target === state.target);
  const due = offers.filter((x) => x.due);
  return chosen[0] ?? due[0] ?? offers[0] ?? null;
}

/** The box that is meant. @param {State} state */
export function meantBox(state) {
  return meant(state)?.box ?? 0;
}

/**
 * Where an action goes: to the meant offer, else to another one of its box.
 * @param {State} state @param {string} action @returns {Possible | null}
 */
export function possible(state, action) {
  const first = meant(state);
  if (!first) return null;
  const others = ownOffers(state).filter((x) => x.box === first.box && x !== first);
  for (const offer of [first, ...others]) {
    const option = offer.options.find((x) => x.action === action);
    if (option) return { action, target: offer.target, option };
  }
  return null;
}

/** @param {State} state */
export function isOurTurn(state) {
  return ownOffers(state).some((offer) => offer.due);
}

/** @type {Record<string, { name: string, key: string }>} */
export const ACTIONS = {
  switch: { name: "Switch", key: "W" },
  keep: { name: "Keep", key: "K" },
  switch_back: { name: "Switch back", key: "B" },
  hit: { name: "Hit", key: "H" },
  stand: { name: "Stand", key: "S" },
  double: { name: "Double", key: "D" },
  split: { name: "Split", key: "P" },
  surrender: { name: "Surrender", key: "R" },
  insure: { name: "Insurance", key: "I" },
  decline: { name: "No insurance", key: "N" },
  even_money: { name: "Even money", key: "E" },
};

/** Say which hand a target is, to people. @param {string} target */
export function spoken(target) {
  const [box, ...hand] = target.split(".");
  return hand.length ? `box ${box}, hand ${hand.join(".")}` : `box ${box}`;
}
