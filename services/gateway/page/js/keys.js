// Every action by key, where keys are wanted and nothing is being typed.

import { ACTIONS, ownOffers, meant } from "./offers.js";
import { act, clearBets, deal, placeBets, rebet } from "./playing.js";
import { change, now } from "./store.js";

/** @type {Record<string, () => unknown>} */
const BETTING = { b: placeBets, d: deal, x: clearBets, r: rebet };

/** @param {KeyboardEvent} event */
function pressed(event) {
  const state = now();
  const isTyping = event.target instanceof HTMLInputElement;
  if (!state.settings.keys || isTyping || state.panel || event.repeat) return;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const key = event.key.toLowerCase();
  if (state.view?.round?.phase === "betting") {
    BETTING[key]?.();
    return;
  }
  if (key === "]" || key === "[") choose(key === "]" ? 1 : -1);
  const found = Object.entries(ACTIONS).find(([, x]) => x.key.toLowerCase() === key);
  if (found) void act(found[0]);
}

/** The next or the previous box that may do something. @param {1 | -1} step */
function choose(step) {
  const offers = ownOffers(now());
  const boxes = [...new Set(offers.map((x) => x.box))];
  const at = boxes.indexOf(meant(now())?.box ?? 0);
  const box = boxes[(at + step + boxes.length) % boxes.length];
  const target = offers.find((x) => x.box === box)?.target;
  if (target) change({ target });
}

export function listenToKeys() {
  document.addEventListener("keydown", pressed);
}
