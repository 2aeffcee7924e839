// From what the door sends to a round at each of its sequence numbers.

/** @typedef {import("./types").Replay} Replay */
/** @typedef {import("./types").Frame} Frame */
/** @typedef {import("./types").Step} Step */
/** @typedef {import("./types").Round} Round */

/** Fold every change; a frame for each event of the round's own. @param {Replay} replay */
export function framesOf(replay) {
  /** @type {Frame[]} */
  const frames = [];
  /** @type {Record<string, any>} */
  let shown = {};
  /** @type {any} */
  let decided = {};
  let cardsOut = replay.header.cards_out_before;
  for (const step of replay.steps) {
    for (const [name, changes] of Object.entries(step.shown)) {
      shown = { ...shown, [name]: { ...shown[name], ...changes } };
    }
    decided = { ...decided, ...step.decided };
    if (step.action === "cards_received") cardsOut = step.record?.data?.cards_out ?? cardsOut;
    const last = frames.at(-1);
    const steps = last?.sequence === step.sequence ? [...last.steps, step] : [step];
    if (steps.length > 1) frames.pop();
    const isDecided = Object.keys(decided).length > 0;
    frames.push({ sequence: step.sequence, steps, shown, decided: isDecided ? decided : null, cardsOut });
  }
  return frames;
}

/** The frame of a sequence number: the last one that is not behind it. @param {Frame[]} frames @param {number} at */
export function frameAt(frames, at) {
  return frames.filter((x) => x.sequence <= at).at(-1) ?? /** @type {Frame} */ (frames[0]);
}

/**
 * What a perspective saw: what it has of its own, else what the table saw.
 * @param {Frame} frame @param {string} name
 * @returns {Round | null}
 */
export function seenBy(frame, name) {
  const own = name === "record" ? "*" : name === "table" ? "" : name;
  return frame.shown[own] ?? frame.shown[""] ?? null;
}

/** @param {Step} step @param {string} action */
const offers = (step, action) => step.offered.some((x) => x.options.some((o) => o.action === action));

/** @param {Step} step @param {RegExp} target */
const asks = (step, target) =>
  step.action === "decision_opened" && step.offered.some((x) => x.due && target.test(x.target));

/** @type {[string, (step: Step, frame: Frame) => boolean][]} */
const PHASES = [
  ["Deal", (step) => step.action === "cards_received"],
  ["Match", (step) => step.action === "wagers_settled" && step.record?.data?.lines?.some((/** @type {any} */ x) => x.line.kind === "side")],
  ["Insurance", (step) => step.action === "decision_opened" && offers(step, "insure")],
  ["Switch", (step) => step.action === "switch" || (step.action === "decision_opened" && offers(step, "switch"))],
  ["First hand", (step) => asks(step, /^\d+\.1(\.|$)/)],
  ["Second hand", (step) => asks(step, /^\d+\.2(\.|$)/)],
  ["Dealer", (step, frame) => !step.is_foreign && frame.shown[""]?.phase === "dealer"],
  ["Settle", (step, frame) => !step.is_foreign && frame.shown[""]?.phase === "settling"],
];

/** Where each phase begins; 0 for one that the round did not have. @param {Frame[]} frames */
export function phasesOf(frames) {
  return PHASES.map(([title, is]) => {
    const found = frames.find((frame) => frame.steps.some((step) => is(step, frame)));
    return { title, sequence: found?.sequence ?? 0 };
  });
}

/** The balance of a player after a sequence number. @param {import("./types").Purse} purse @param {number} at */
export function balanceAt(purse, at) {
  if (purse.is_operators) return purse.calls.filter((x) => x.outcome === "done" && x.attempts.some((y) => y.sequence <= at)).at(-1)?.operator_balance_minor ?? purse.before_minor ?? 0;
  return purse.movements.filter((x) => x.sequence <= at).at(-1)?.balance_minor ?? purse.before_minor ?? 0;
}
