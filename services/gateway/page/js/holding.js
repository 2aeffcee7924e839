// A round's outcome stays on the felt after the next round has opened (GLI-19 4.6.1).

import { ownSeat } from "./fold.js";
import { change, now } from "./store.js";

/** @typedef {import("./types").State} State */

// Somebody else's bet on the next round ends it, but not at once.
const HELD_MS = 30000;
const HELD_AT_LEAST_MS = 8000;
let timer = 0;
let since = 0;

/**
 * Hold the round that a new one took the place of.
 * @param {State} was The page before; the seat is gone with the new round.
 */
export function holdOutcome(was) {
  const round = was.view?.round;
  const next = now().view?.round;
  if (!round || !next || round.round_id === next.round_id) return;
  if (!round.dealer.cards.length) return;
  const seat = ownSeat(was) || lastSeat(round.round_id);
  change({ held: { round, seat }, last: round.round_id });
  clearTimeout(timer);
  since = Date.now();
  timer = setTimeout(letGo, HELD_MS);
}

/** Show the next round once others play it. */
export function makeWay() {
  const isBet = Boolean(now().view?.round?.boxes.length);
  if (isBet && Date.now() - since > HELD_AT_LEAST_MS) letGo();
}

export function letGo() {
  clearTimeout(timer);
  if (now().held) change({ held: null });
}

/** @type {{ round: string, seat: string }} */
let seated = { round: "", seat: "" };

/** The player's own may be told before the table's: the seat is noted as long as it is known. */
export function noteSeat() {
  const seat = ownSeat(now());
  const round = now().view?.round?.round_id ?? "";
  if (seat) seated = { round, seat };
}

/** @param {string} round */
function lastSeat(round) {
  return seated.round === round ? seated.seat : "";
}
