// What the player does: bets, deals, decides. Each becomes commands.

import { command } from "./connection.js";
import { ownBoxes } from "./fold.js";
import { minorOf, scaleOf } from "./money.js";
import { possible } from "./offers.js";
import { inWords } from "./reasons.js";
import { letGo } from "./holding.js";
import { openSeeds, seedFor } from "./seeds.js";
import { change, keep, kept, now, say } from "./store.js";

/** @typedef {import("./types").Bet} Bet */
/** @typedef {import("./types").Bets} Bets */

/** How many amounts a box takes: both hands of a switch box have the same. */
function circles() {
  const rules = now().rules;
  return (rules?.hands_per_box ?? 1) > 1 ? 1 : rules?.wagers ?? 1;
}

/** @returns {Bet} */
function noBet() {
  return { wagers: Array(circles()).fill(0), side: 0 };
}

/** @param {Bet} bet */
export function isBet(bet) {
  return bet.side > 0 || bet.wagers.some((minor) => minor > 0);
}

/** The round that is to be dealt once these boxes stand. */
let deals = { round: "", boxes: /** @type {number[]} */ ([]) };

function isBetting() {
  return now().view?.round?.phase === "betting";
}

/** A bet lies there as long as its round takes bets. @param {number} box @returns {Bet} */
export function betOn(box) {
  const state = now();
  const drafted = state.bets[box];
  if (drafted && state.betsOf === state.view?.round?.round_id) {
    const wagers = noBet().wagers.map((_, at) => drafted.wagers[at] ?? drafted.wagers[0] ?? 0);
    return { wagers, side: drafted.side };
  }
  const placed = ownBoxes(state).find((x) => x.box === box);
  if (!placed) return noBet();
  const side = Object.values(placed.side_wagers_minor)[0] ?? 0;
  return { wagers: noBet().wagers.map((_, at) => placed.wagers_minor[at] ?? 0), side };
}

/** @param {Bets} bets */
function draft(bets) {
  const round = now().view?.round;
  letGo();
  if (round) change({ bets, betsOf: round.round_id });
}

/**
 * Put a chip on a circle of a box, or on all main ones, or take one away.
 * @param {number} box @param {number | "all" | "side"} circle @param {1 | -1} sign
 */
export function addChip(box, circle, sign) {
  const state = now();
  if (!isBetting() || !state.rules) return;
  const bet = betOn(box);
  const limits = state.rules.limits;
  const most = circle === "side" ? state.rules.side?.max_minor ?? 0 : limits.max_minor;
  /** @param {number} minor */
  const changed = (minor) => Math.max(0, Math.min(most, minor + sign * state.chip));
  const next = circle === "side"
    ? { ...bet, side: changed(bet.side) }
    : { ...bet, wagers: bet.wagers.map((x, at) => (circle === "all" || circle === at ? changed(x) : x)) };
  const bets = state.betsOf === state.view?.round?.round_id ? state.bets : {};
  draft({ ...bets, [box]: next });
}

/** One amount for each wager; last circles without a chip are left out. @param {Bet} bet */
function wagersOf(bet) {
  const many = now().rules?.wagers ?? 1;
  const all = [...Array(many).keys()].map((at) => bet.wagers[at] ?? bet.wagers[0] ?? 0);
  while (all.length && !all.at(-1)) all.pop();
  return all;
}

/** What a bet takes from the balance. @param {Bet} bet */
export function costOf(bet) {
  return wagersOf(bet).reduce((all, minor) => all + minor, bet.side);
}

/** The bets on the table, in whichever state. @returns {Bets} */
export function allBets() {
  const state = now();
  /** @type {Bets} */
  const found = {};
  for (let box = 1; box <= (state.rules?.boxes ?? 0); box += 1) {
    const bet = betOn(box);
    if (isBet(bet)) found[box] = bet;
  }
  return found;
}

export async function clearBets() {
  const round = now().view?.round;
  if (!round || !isBetting()) return;
  const placed = ownBoxes(now());
  change({ bets: {}, betsOf: "" });
  for (const { box } of placed) {
    await told({ do: "withdraw", round_id: round.round_id, box });
  }
}

export function rebet() {
  if (isBetting()) draft(kept("wagers", {}));
}

/** @param {Record<string, unknown>} order */
async function told(order) {
  const answer = await command(order);
  if (answer.problem) say(inWords(answer.problem));
  return answer.accepted;
}

/** @param {number} box @param {Bet} bet */
async function place(box, bet) {
  const { view, rules, settings } = now();
  if (!view?.round || !rules) return false;
  const isFresh = settings.seeds && view.shoe?.cards_out === 0;
  const seed = isFresh && view.shoe ? await seedFor(view.shoe.id, box) : null;
  return told({
    do: "bet",
    round_id: view.round.round_id,
    box,
    wagers_minor: wagersOf(bet),
    side_wagers_minor: bet.side && rules.side ? { [rules.side.name]: bet.side } : {},
    ...(seed ? { seed_hash: seed.hash } : {}),
  });
}

/** Place what is drafted, and leave others the time that is left to bet. */
export async function placeBets() {
  await settle(false);
}

/** Place what is drafted, then ask for the cards once the funds are there. */
export async function deal() {
  await settle(true);
}

/** @param {boolean} isReady */
async function settle(isReady) {
  const state = now();
  const round = state.view?.round;
  if (!round || !isBetting() || state.busy) return;
  if (state.held) {
    letGo();
    return;
  }
  const bets = allBets();
  if (!Object.keys(bets).length) {
    say("Place a bet first.");
    return;
  }
  change({ busy: true });
  keep("wagers", bets);
  const drafted = state.betsOf === round.round_id ? Object.entries(state.bets) : [];
  let isPlaced = true;
  for (const [box, bet] of drafted) {
    const isThere = ownBoxes(state).some((x) => x.box === Number(box));
    if (isBet(bet)) isPlaced = (await place(Number(box), bet)) && isPlaced;
    else if (isThere) await told({ do: "withdraw", round_id: round.round_id, box: Number(box) });
  }
  const boxes = Object.keys(bets).map(Number);
  deals = isPlaced && isReady ? { round: round.round_id, boxes } : { round: "", boxes: [] };
  change({ busy: false, ...(isPlaced ? { bets: {}, betsOf: "" } : {}) });
  await goOn();
}

/** Do what waits for the table: cards when all bets stand, seeds when they are due. */
export async function goOn() {
  const round = now().view?.round;
  if (!round) return;
  if (round.phase === "seeds") await openSeeds(round, ownBoxes(now()), now().view?.shoe?.id ?? "");
  const stand = new Set(ownBoxes(now()).filter((x) => !x.pending).map((x) => x.box));
  const isMeant = deals.round === round.round_id && isBetting();
  if (isMeant && deals.boxes.every((box) => stand.has(box))) {
    deals = { round: "", boxes: [] };
    await told({ do: "ready", round_id: round.round_id });
  }
}

/** @param {string} action */
export async function act(action) {
  const state = now();
  const found = possible(state, action);
  const round = state.view?.round;
  if (!found || !round || state.busy) return;
  const isPriced = found.option.max_minor > 0 && action !== "split";
  const amount = isPriced ? minorOf(state.amount, state.view?.currency ?? "EUR") : null;
  change({ busy: true, amount: "" });
  await told({
    do: "act",
    round_id: round.round_id,
    action,
    target: found.target,
    ...(amount === null ? {} : { amount_minor: amount }),
    expected_version: round.version,
  });
  change({ busy: false, target: "" });
}

export async function showBurned() {
  const round = now().view?.round;
  if (round) await told({ do: "burned_card", round_id: round.round_id });
}

/** Choose the first chip that the table's minimum takes. */
export function firstChip() {
  const state = now();
  const scale = scaleOf(state.view?.currency ?? "EUR");
  return 5 * scale;
}
