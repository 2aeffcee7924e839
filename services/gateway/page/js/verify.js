// The proof of a card: `push22/verify_cards.py` in the browser, for one round.
//
// A card's leaf is hashed with its salt; the proof leads from there to the root that
// was published before the first bet (RFC 6962). Refused is also what is not known.

import { shake256 } from "./shake.js";

/** @typedef {import("./types").ShoeRecord} ShoeRecord */
/** @typedef {import("./types").DealtCard} DealtCard */
/** @typedef {import("./types").CheckedCard} CheckedCard */

const ALGORITHM = "push22-shoe-v1";
const SALT_BYTES_MIN = 16;

/** @param {Uint8Array} bytes */
export function base64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}

/** @param {string} text */
export function bytesOf(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** @param {Uint8Array} bytes */
export async function sha256(bytes) {
  const copy = new Uint8Array(bytes);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", copy));
}

/** @param {...Uint8Array} parts */
function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @param {number} value */
function number(value) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** @param {Uint8Array | string} value */
function field(value) {
  const data = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return joined(number(data.length), data);
}

/** @param {string} shoe @param {DealtCard} card */
export function leafOf(shoe, card) {
  const place = joined(number(card.order ?? 0), number(card.index));
  const what = joined(field(card.card ?? ""), field(bytesOf(card.salt ?? "")));
  return sha256(joined(new Uint8Array([0]), field(ALGORITHM), field(shoe), place, what));
}

/** @param {Uint8Array} left @param {Uint8Array} right */
function node(left, right) {
  return sha256(joined(new Uint8Array([1]), left, right));
}

/**
 * Return the root that a proof leads to; empty if it has no such shape.
 * @param {Uint8Array} leaf @param {number} index @param {number} size
 * @param {Uint8Array[]} proof
 * @returns {Promise<Uint8Array>}
 */
export async function provedRoot(leaf, index, size, proof) {
  const sibling = proof[proof.length - 1];
  if (size === 1 || !sibling) {
    return size === 1 && !sibling ? leaf : new Uint8Array();
  }
  let left = 1;
  while (left * 2 < size) left *= 2;
  const rest = proof.slice(0, -1);
  const isLeft = index < left;
  const inner = isLeft
    ? await provedRoot(leaf, index, left, rest)
    : await provedRoot(leaf, index - left, size - left, rest);
  if (!inner.length) return inner;
  return isLeft ? node(inner, sibling) : node(sibling, inner);
}

/** @param {ShoeRecord} record */
async function rootsOf(record) {
  const size = record.shoe_committed.decks * 52;
  const roots = new Map([[0, { root: record.shoe_committed.root, size }]]);
  for (const event of record.dealt) {
    if (event.type === "shoe.discards_shuffled.v1") {
      roots.set(1, { root: event.root ?? "", size: Number(event.cards) });
    }
  }
  return roots;
}

/**
 * @param {ShoeRecord} record @param {DealtCard} card
 * @param {Map<number, { root: string, size: number }>} roots
 * @returns {Promise<string>} Why the card is not proved; empty if it is.
 */
async function flaw(record, card, roots) {
  const under = roots.get(card.order ?? 0);
  if (!under || card.index >= under.size) return "not in this shoe";
  if (bytesOf(card.salt ?? "").length < SALT_BYTES_MIN) return "the salt is too short";
  const leaf = await leafOf(record.shoe_committed.shoe, card);
  if (base64(leaf) !== card.leaf) return "not the card that was sealed here";
  const proof = (card.proof ?? []).map(bytesOf);
  const found = await provedRoot(leaf, card.index, under.size, proof);
  return base64(found) === under.root ? "" : "the proof does not lead to the root";
}

/** @param {ShoeRecord} record @returns {Promise<CheckedCard[]>} */
export async function checkedCards(record) {
  const roots = await rootsOf(record);
  /** @type {CheckedCard[]} */
  const found = [];
  /** @type {Map<string, string>} */
  const leaves = new Map();
  for (const event of record.dealt) {
    if (event.type === "shoe.card_burned.v1") {
      found.push(burned(event));
      leaves.set(`${event.order ?? 0}.${event.index}`, event.leaf ?? "");
    }
    const cards = Array.isArray(event.cards) ? event.cards : event.card ? [event.card] : [];
    for (const card of cards) {
      const checked = await checkedCard(record, card, roots);
      const slot = `${checked.order}.${card.index}`;
      if ((leaves.get(slot) ?? card.leaf) !== card.leaf) {
        Object.assign(checked, { verdict: "refuted", why: "another card left the shoe" });
      }
      leaves.set(slot, card.leaf);
      const at = found.findIndex((x) => `${x.order}.${x.index}` === slot);
      if (at < 0) found.push(checked);
      else found[at] = checked;
    }
  }
  return found;
}

/** @param {import("./types").ShoeEvent} event @returns {CheckedCard} */
function burned(event) {
  const { index = 0, order = 0 } = event;
  return { place: "burned", card: "", index, order, verdict: "burned", why: "" };
}

/**
 * @param {ShoeRecord} record @param {DealtCard} card
 * @param {Map<number, { root: string, size: number }>} roots
 * @returns {Promise<CheckedCard>}
 */
async function checkedCard(record, card, roots) {
  const { place, index, order = 0 } = card;
  if (!card.card) {
    return { place, card: "", index, order, verdict: "face down", why: "" };
  }
  let why;
  try {
    why = await flaw(record, card, roots);
  } catch {
    why = "the proof cannot be read";
  }
  const verdict = why ? "refuted" : "proved";
  return { place, card: card.card, index, order, verdict, why };
}

/** The cards leave in order, from the cut on and around. @param {ShoeRecord} record @param {CheckedCard[]} cards */
export function isUnbroken(record, cards) {
  const size = record.shoe_committed.decks * 52;
  const first = cards.filter((card) => card.order === 0);
  return first.every((card, place) => {
    const before = first[place - 1];
    return !before || card.index === (before.index + 1) % size;
  });
}

/** Check seeds and cut. @param {ShoeRecord} record @returns {Promise<string>} What is wrong; empty if nothing is. */
export async function cutFlaw(record) {
  const cut = record.shoe_cut;
  if (!cut) return "";
  const shares = cut.shares ?? [];
  for (const share of shares) {
    if (!share.seed) continue;
    const hash = base64(await sha256(bytesOf(share.seed)));
    if (hash !== share.seed_hash) return `the seed of box ${share.box} has another hash`;
  }
  const due = cutOf(record, shares);
  return due === cut.cut ? "" : `the cut is ${cut.cut}, but the seeds give ${due}`;
}

/**
 * @param {ShoeRecord} record
 * @param {{ box: number, seed_hash: string, seed?: string }[]} shares
 */
function cutOf(record, shares) {
  const { shoe, root, decks } = record.shoe_committed;
  const size = decks * 52;
  if (!shares.length) return Math.floor(size / 2);
  const texts = shares.map((share) => {
    const said = share.seed
      ? joined(new Uint8Array([1]), field(bytesOf(share.seed)))
      : joined(new Uint8Array([0]), field(bytesOf(share.seed_hash)));
    return joined(number(share.box), said);
  });
  return below(size, joined(field(shoe), field(bytesOf(root)), ...texts));
}

/** The first word whose lowest bits are below the limit. @param {number} limit @param {Uint8Array} data */
function below(limit, data) {
  const mask = 2 ** Math.ceil(Math.log2(limit)) - 1;
  for (let block = 0; ; block += 1) {
    const text = joined(field(ALGORITHM), field("cut"), number(block), data);
    const words = new DataView(shake256(text, 64).buffer);
    for (let at = 0; at < 64; at += 4) {
      const low = words.getUint32(at) & mask;
      if (low < limit) return low;
    }
  }
}
