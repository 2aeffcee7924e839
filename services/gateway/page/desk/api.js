// Requests to the door, each with the bearer token; a problem becomes an error.

import { fetched } from "../js/fetching.js";

/** @typedef {import("./types").Api} Api */
/** @typedef {import("./types").Problem} Problem */

const PREFIX = "/support/v1";

/** The door said no, or could not be reached. */
export class Failed extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    const { reason, title, detail } = problem;
    // What is wrong with what was written, is said in words: no title helps there.
    super(detail && reason === "malformed" ? detail : title + (detail && `: ${detail}`));
    this.problem = problem;
  }
}

/** What went wrong, in words for whoever reads it. @param {unknown} error */
export function wordsOf(error) {
  return error instanceof Failed ? error.message : String(error);
}

/** @param {Response} answer @returns {Promise<Problem>} */
async function problemOf(answer) {
  try {
    return await answer.json();
  } catch {
    return { status: answer.status, reason: "failed", title: "no answer of ours", detail: "" };
  }
}

/** @param {string | null} disposition */
function nameIn(disposition) {
  return /filename="([^"]+)"/.exec(disposition ?? "")?.[1] ?? "download";
}

/**
 * @param {string} token
 * @param {(why: string) => void} whenSignedOut told once the token counts no more
 * @param {string} [about] the case that every look is recorded for
 * @returns {Api}
 */
export function apiOf(token, whenSignedOut, about = "") {
  /** @param {string} path @param {RequestInit & { headers?: Record<string, string> }} how */
  async function asked(path, how) {
    const headers = { ...how.headers, Authorization: `Bearer ${token}`, ...(about && { "Push22-Case": about }) };
    let answer;
    try {
      // What only looks is asked again; what is sent to the desk, its sender sends again.
      const ask = how.method === undefined ? fetched : fetch;
      answer = await ask(PREFIX + path, { ...how, headers, cache: "no-store" });
    } catch {
      const title = "the casino cannot be reached";
      throw new Failed({ status: 503, reason: "not_available", title, detail: "" });
    }
    if (answer.ok) return answer;
    const problem = await problemOf(answer);
    if (answer.status === 401) whenSignedOut(problem.title);
    throw new Failed(problem);
  }

  /** @param {unknown} body @param {Record<string, string>} [headers] */
  const posted = (body, headers = {}) => ({
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body ?? {}),
  });

  return {
    forCase: (id) => apiOf(token, whenSignedOut, id),
    get: async (path) => (await asked(path, {})).json(),
    post: async (path, body, headers) => (await asked(path, posted(body, headers))).json(),
    file: async (path, body) => {
      const answer = await asked(path, body === undefined ? {} : posted(body));
      const name = nameIn(answer.headers.get("Content-Disposition"));
      return { name, blob: await answer.blob() };
    },
  };
}
