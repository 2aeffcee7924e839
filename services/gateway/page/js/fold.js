// What comes over the socket, folded into what the page holds.

/** @typedef {import("./types").View} View */
/** @typedef {import("./types").Round} Round */

/**
 * Return a view with a delta's changes. A member that is null is gone.
 * @param {View} view
 * @param {Record<string, any>} changes
 * @returns {View}
 */
export function folded(view, changes) {
  const { table, ...ofRound } = changes;
  let next = { ...view, ...(table ?? {}) };
  if (Object.keys(ofRound).length && next.round) {
    next = { ...next, round: { ...next.round, ...ofRound } };
  }
  return next;
}

/**
 * What is to be seen: a finished round stays for a while after the next has opened.
 * @param {import("./types").State} state
 */
export function seen(state) {
  const { held, view, you } = state;
  if (!held || !view || !you) return state;
  const seats = { ...you.seats, [held.round.round_id]: held.seat };
  return { ...state, view: { ...view, round: held.round }, you: { ...you, seats } };
}

/** The seat that is ours in the newest round. @param {import("./types").State} state */
export function ownSeat(state) {
  const round = state.view?.round;
  return (round && state.you?.seats[round.round_id]) || "";
}

/** @param {import("./types").State} state */
export function ownBoxes(state) {
  const seat = ownSeat(state);
  return seat ? (state.view?.round?.boxes ?? []).filter((x) => x.seat === seat) : [];
}
