// The table as it was drawn then: by the code that draws it for players.

import { html } from "../vendor/htm-preact.js";
import { Felt } from "../js/felt.js";
import { balanceAt, seenBy } from "./frames.js";

/** @typedef {import("./types").Replay} Replay */
/** @typedef {import("./types").Frame} Frame */

/**
 * The player page's state at a frame: nothing in it can be acted on.
 * @param {Replay} replay @param {Frame} frame @param {string} name
 * @returns {import("../js/types").State}
 */
function stateOf(replay, frame, name) {
  const { header, rules } = replay;
  const round = seenBy(frame, name);
  const seat = replay.seats.find((x) => x.seat === name);
  const purse = replay.purses.find((x) => x.player === seat?.player);
  const you = seat && {
    player: seat.player,
    currency: header.currency,
    balance_minor: purse ? balanceAt(purse, frame.sequence) : 0,
    seats: { [header.round_id]: seat.seat },
    refusals: [],
  };
  const view = {
    table: header.table,
    status: /** @type {const} */ ("open"),
    rule_set: header.rule_set,
    currency: header.currency,
    limits: header.limits,
    timings: {},
    shoe: { id: header.shoe, root: header.shoe_root, cards_out: frame.cardsOut },
    round,
  };
  return {
    replay: true,
    session: null,
    connection: "ended",
    tables: null,
    table: header.table,
    view,
    rules,
    you: you ?? null,
    bets: {},
    betsOf: "",
    chip: 0,
    target: "",
    amount: "",
    busy: false,
    note: "",
    held: null,
    last: "",
    panel: "",
    panelRound: "",
    settings: { fourColours: false, keys: false, seeds: false },
    skewMs: 0,
    startedAt: 0,
    startBalance: null,
  };
}

/** @param {{ replay: Replay, frame: Frame, name: string }} props */
export function ReplayFelt({ replay, frame, name }) {
  return html`<div class="replay-felt" role="region" aria-label=${`The table after event ${frame.sequence}`}>
    <p class="watermark"><span>${replay.watermark}</span></p>
    <${Felt} state=${stateOf(replay, frame, name)} tag="div" />
  </div>`;
}
