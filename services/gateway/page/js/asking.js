// Requests over HTTP, all to where the page came from.

import { fetched } from "./fetching.js";
import { change, now } from "./store.js";

/** @typedef {import("./types").Problem} Problem */

export class Asked extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.reason);
    this.problem = problem;
  }
}

/**
 * @param {string} path
 * @param {{ method?: string, body?: unknown }} [how]
 * @returns {Promise<any>}
 */
export async function ask(path, how = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  const session = now().session;
  if (session) headers["Authorization"] = `Bearer ${session.session_token}`;
  /** @type {RequestInit} */
  const request = { method: how.method ?? "GET", headers, cache: "no-store" };
  if (how.body !== undefined) {
    headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(how.body);
  }
  let answer;
  try {
    // A launch that was traded in unheard is refused the second time.
    answer = await fetched(`/player/v1${path}`, request);
  } catch {
    const title = "the casino cannot be reached";
    throw new Asked({ status: 503, reason: "not_available", title, detail: "" });
  }
  noteClock(answer.headers.get("Date"));
  const found = await answer.json();
  if (!answer.ok) throw new Asked(found);
  return found;
}

const SKEW_MIN_MS = 2000;

/** Note how far the casino's clock is from ours; the header has seconds only. @param {string | null} date */
function noteClock(date) {
  const skewMs = Date.parse(date ?? "") - Date.now();
  if (Math.abs(skewMs) > SKEW_MIN_MS && !now().skewMs) change({ skewMs });
}
