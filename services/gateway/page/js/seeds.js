// The player's share in the cut: a seed per box, whose hash goes with the first bet
// on a fresh shoe and which is opened once betting is closed.

import { command } from "./connection.js";
import { base64, sha256 } from "./verify.js";
import { keep, kept } from "./store.js";

/** @typedef {{ seed: string, hash: string }} Seed */

/** @param {string} shoe @param {number} box @returns {Promise<Seed>} */
export async function seedFor(shoe, box) {
  const name = `seed.${shoe}.${box}`;
  const known = kept(name, /** @type {Seed | null} */ (null));
  if (known) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const made = { seed: base64(bytes), hash: base64(await sha256(bytes)) };
  keep(name, made);
  return made;
}

/** @type {Set<string>} */
const opened = new Set();

/**
 * @param {import("./types").Round} round
 * @param {import("./types").Box[]} boxes
 * @param {string} shoe
 */
export async function openSeeds(round, boxes, shoe) {
  for (const { box } of boxes) {
    const place = `${round.round_id}.${box}`;
    const known = kept(`seed.${shoe}.${box}`, /** @type {Seed | null} */ (null));
    if (!known || opened.has(place)) continue;
    opened.add(place);
    await command({ do: "seed", round_id: round.round_id, box, seed: known.seed });
  }
}
