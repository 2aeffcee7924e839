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
