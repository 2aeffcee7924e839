// All that the page holds, in one value; whoever shows it is told when it changes.

/** @typedef {import("./types").State} State */

/** @returns {State} */
function fresh() {
  return {
    session: null,
    connection: "connecting",
    tables: null,
    table: "",
    view: null,
    rules: null,
    you: null,
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
    settings: { fourColours: false, keys: true, seeds: true, ...kept("settings", {}) },
    skewMs: 0,
    startedAt: Date.now(),
    startBalance: null,
  };
}

/** What this tab remembers over a reload. @template T @param {string} name @param {T} other @returns {T} */
export function kept(name, other) {
  try {
    const text = sessionStorage.getItem(`push22.${name}`);
    return text === null ? other : JSON.parse(text);
  } catch {
    return other;
  }
}

/** @param {string} name @param {unknown} value */
export function keep(name, value) {
  try {
    sessionStorage.setItem(`push22.${name}`, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still plays; only a reload has to start again.
  }
}

let state = fresh();
/** @type {Set<() => void>} */
const listeners = new Set();

export function now() {
  return state;
}

/** @param {Partial<State>} changes */
export function change(changes) {
  state = { ...state, ...changes };
  for (const listener of listeners) listener();
}

/** @param {() => void} listener */
export function whenChanged(listener) {
  listeners.add(listener);
}

let noteTimer = 0;

/** Say something for a while. @param {string} note */
export function say(note) {
  clearTimeout(noteTimer);
  change({ note });
  if (note) noteTimer = setTimeout(() => change({ note: "" }), 6000);
}
