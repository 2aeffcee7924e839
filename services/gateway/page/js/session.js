// Who is playing: the launch token in the address is traded in once, then forgotten.

import { ask } from "./asking.js";
import { change, keep, kept } from "./store.js";

/** @typedef {import("./types").Session} Session */

/** Return the session, a new one where the address brings a launch token. */
export async function opened() {
  const launch = new URLSearchParams(location.hash.slice(1)).get("launch");
  if (launch) {
    // Out of the address at once: it is good for one use, and histories are read.
    history.replaceState(null, "", location.pathname);
    return await traded(launch);
  }
  const session = kept("session", /** @type {Session | null} */ (null));
  return session && session.expires_at > Date.now() * 1000 ? session : null;
}

/** @param {string} launch */
async function traded(launch) {
  /** @type {Session} */
  const session = await ask("/sessions", {
    method: "POST",
    body: { launch_token: launch },
  });
  keep("session", session);
  return session;
}

/** @param {string} why */
export function ended(why) {
  keep("session", null);
  change({ connection: "ended", note: why });
}
