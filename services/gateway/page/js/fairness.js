// A round's cards held against the root that the page saw before it bet.

import { cutFlaw, checkedCards, isUnbroken } from "./verify.js";
import { keep, kept } from "./store.js";

/** @typedef {import("./types").ShoeRecord} ShoeRecord */
/** @typedef {import("./types").View} View */
/** @typedef {import("./types").CheckedCard} CheckedCard */
/** @typedef {{ root: string, at: number, round: string, early: boolean }} Seen */
/** @typedef {{ what: string, flaw: string }} Check */
/** @typedef {{ cards: CheckedCard[], checks: Check[], seen: Seen | null }} Findings */

const ROOTS_KEPT = 20;

/**
 * Note the root of a shoe when it is first seen, and whether no card had left it.
 * @param {View | null} view
 */
export function noteRoot(view) {
  if (!view?.shoe) return;
  /** @type {Record<string, Seen>} */
  const roots = kept("roots", {});
  if (roots[view.shoe.id]) return;
  const early = view.shoe.cards_out === 0;
  const round = view.round?.round_id ?? "";
  const entries = Object.entries(roots).slice(1 - ROOTS_KEPT);
  const seen = { root: view.shoe.root, at: Date.now(), round, early };
  keep("roots", { ...Object.fromEntries(entries), [view.shoe.id]: seen });
}

/** @param {string} shoe @returns {Seen | null} */
export function seenRoot(shoe) {
  return kept("roots", /** @type {Record<string, Seen>} */ ({}))[shoe] ?? null;
}

/** The open cards of a round that are not in its record. @param {View | null} view @param {CheckedCard[]} cards */
function missing(view, cards) {
  const round = view?.round;
  if (!round) return "";
  const left = cards.filter((x) => x.card).map((x) => x.card);
  const shown = [...round.dealer.cards, ...round.boxes.flatMap((x) => x.hands.flatMap((h) => h.cards))];
  for (const card of shown.filter(Boolean)) {
    const at = left.indexOf(card);
    if (at < 0) return `${card} lies on the table but is not in the record`;
    left.splice(at, 1);
  }
  return "";
}

/**
 * Check all that a round's record can prove; `view` is the table where it is shown.
 * @param {ShoeRecord} record @param {View | null} view
 * @returns {Promise<Findings>}
 */
export async function findings(record, view) {
  const cards = await checkedCards(record);
  const seen = seenRoot(record.shoe_committed.shoe);
  const refuted = cards.filter((x) => x.verdict === "refuted");
  const proved = cards.filter((x) => x.verdict === "proved").length;
  let cut = "";
  try {
    cut = await cutFlaw(record);
  } catch {
    cut = "the seeds cannot be read";
  }
  const isSame = !seen || seen.root === record.shoe_committed.root;
  const isKnown = record.shoe_committed.algorithm === "push22-shoe-v1";
  return {
    cards,
    seen,
    checks: [
      {
        what: "The root is the one this page saw",
        flaw: isSame ? "" : "the record names another root than the table did",
      },
      { what: "The proof is of a kind this page knows", flaw: isKnown ? "" : "unknown algorithm" },
      {
        what: `${proved} of ${proved + refuted.length} open cards lead to the root`,
        flaw: refuted[0] ? `${refuted[0].place}: ${refuted[0].why}` : "",
      },
      {
        what: "The cards left the shoe in its order",
        flaw: isUnbroken(record, cards) ? "" : "a card was left out or moved",
      },
      { what: "The cut follows from the players' seeds", flaw: cut },
      { what: "The cards on the table are those of the record", flaw: missing(view, cards) },
    ],
  };
}
