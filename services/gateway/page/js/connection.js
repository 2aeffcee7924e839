// The socket: says hello, watches a table, goes on where it was after a break.
//
// A command keeps its id until it is answered, over as many connections as it takes:
// it takes effect once.

import { folded } from "./fold.js";
import { ended } from "./session.js";
import { change, now } from "./store.js";

/** @typedef {import("./types").Answer} Answer */
/** @typedef {{ order: Record<string, unknown>, done: (answer: Answer) => void }} Sent */

const BACK_OFF_MS = [300, 700, 1500, 3000, 6000];
const AGAIN_MS = 2000;
const REPLACED = 4001;
const BAD_TOKEN = 4003;

/** @type {WebSocket | null} */
let socket = null;
let tries = 0;
let timer = 0;
let place = { feed: "", seq: 0 };
/** @type {Map<string, Sent>} */
const unanswered = new Map();

/** @type {(before: import("./types").View | null, happened: import("./types").Happened | null) => void} */
let heard = () => {};

/** @param {typeof heard} listener */
export function whenHeard(listener) {
  heard = listener;
}

export function connect() {
  clearTimeout(timer);
  const session = now().session;
  if (!session) return;
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const mine = new WebSocket(`${scheme}//${location.host}/player/v1/socket`);
  socket = mine;
  mine.onopen = () => {
    mine.send(JSON.stringify({ kind: "hello", token: session.session_token }));
  };
  mine.onmessage = (event) => {
    if (socket === mine) hear(JSON.parse(event.data));
  };
  mine.onclose = (event) => {
    if (socket === mine) lost(event.code);
  };
}

/** @param {number} code */
function lost(code) {
  socket = null;
  if (code === BAD_TOKEN) {
    ended("Your session has ended. Open the game again.");
  } else if (code === REPLACED) {
    change({ connection: "elsewhere" });
  } else {
    change({ connection: "lost" });
    const wait = BACK_OFF_MS[Math.min(tries, BACK_OFF_MS.length - 1)] ?? 0;
    tries += 1;
    timer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
  }
}

/** Break the line and make a new one: the network has changed, or is said to be back. */
export function again() {
  if (now().connection === "ended") return;
  const old = socket;
  socket = null;
  old?.close();
  change({ connection: "lost" });
  connect();
}

/** @param {any} message */
function hear(message) {
  switch (message.kind) {
    case "you":
      if (now().connection !== "live") welcome();
      change({ you: message, startBalance: now().startBalance ?? message.balance_minor });
      heard(now().view, null);
      break;
    case "snapshot":
      hearSnapshot(message);
      break;
    case "delta":
      hearDelta(message);
      break;
    case "answer":
      answered(message.id, { accepted: true });
      break;
    case "problem":
      hearProblem(message);
      break;
  }
}

function welcome() {
  tries = 0;
  change({ connection: "live" });
  watch();
  resend();
}

function watch() {
  const table = now().table;
  if (table) send({ kind: "watch", table, ...(place.feed ? place : {}) });
}

/** @param {any} message */
function hearSnapshot(message) {
  const before = now().view;
  place = { feed: message.feed, seq: message.seq };
  change({ view: message.view });
  heard(before, null);
}

/** @param {any} message */
function hearDelta(message) {
  const before = now().view;
  if (!before || message.feed !== place.feed || message.seq !== place.seq + 1) {
    // What lies between was missed: ask for the whole.
    place = { feed: "", seq: 0 };
    watch();
    return;
  }
  place = { feed: message.feed, seq: message.seq };
  const skewMs = message.happened.at / 1000 - Date.now();
  change({ view: folded(before, message.changes), skewMs });
  heard(before, message.happened);
}

/** What passes: the command is said again, under its id. */
const PASSING = ["no_answer", "not_available", "too_many_requests"];

/** @param {any} message */
function hearProblem(message) {
  const sent = unanswered.get(message.id);
  if (sent && PASSING.includes(message.reason)) {
    setTimeout(() => {
      if (unanswered.has(message.id)) {
        send({ kind: "command", id: message.id, order: sent.order });
      }
    }, AGAIN_MS);
    return;
  }
  if (message.id) {
    answered(message.id, { accepted: false, problem: message });
    return;
  }
  // Not even an id could be read of it. Ids make repeats harmless.
  if (message.reason === "too_many_requests") setTimeout(resend, AGAIN_MS);
  else for (const id of [...unanswered.keys()]) answered(id, { accepted: false, problem: message });
}

function resend() {
  for (const [id, sent] of unanswered) send({ kind: "command", id, order: sent.order });
}

/** @param {string} id @param {Answer} answer */
function answered(id, answer) {
  const sent = unanswered.get(id);
  unanswered.delete(id);
  sent?.done(answer);
}

/** @param {unknown} message */
function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

/**
 * Send a command; the answer comes even if the line breaks in between.
 * @param {Record<string, unknown>} order
 * @returns {Promise<Answer>}
 */
export function command(order) {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return new Promise((done) => {
    unanswered.set(id, { order, done });
    if (now().connection === "live") send({ kind: "command", id, order });
  });
}
