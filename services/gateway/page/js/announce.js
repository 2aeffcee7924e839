// What happens, said to those who listen rather than look.

import { markOf } from "./box.js";
import { nameOf } from "./cards.js";
import { ownSeat } from "./fold.js";
import { money, signed } from "./money.js";
import { ACTIONS, isOurTurn, meant, ownOffers, spoken } from "./offers.js";
import { netOf, resultOf, sum, titleOf } from "./results.js";

/** @typedef {import("./types").State} State */
/** @typedef {import("./types").View} View */
/** @typedef {import("./types").Round} Round */

/** @param {string} seat @param {State} state */
function whose(seat, state) {
  return seat === ownSeat(state) ? "Your" : `Player ${seat.slice(1)}'s`;
}

/** @param {State} state @param {Round | null | undefined} was @param {Round} is */
function cardsSaid(state, was, is) {
  const before = new Map(
    (was?.boxes ?? []).flatMap((x) => x.hands.map((h) => [h.label, h.cards.join()])),
  );
  const said = [];
  for (const box of is.boxes) {
    for (const hand of box.hands) {
      if (before.get(hand.label) === hand.cards.join()) continue;
      const cards = hand.cards.map(nameOf).join(", ");
      const mark = markOf(hand, state);
      const bust = hand.status === "bust" ? ", bust" : "";
      const total = hand.total ? `: ${mark || hand.total}${bust}` : "";
      said.push(`${whose(box.seat, state)} ${spoken(hand.label)}: ${cards}${total}.`);
    }
  }
  return said;
}

/** @param {Round | null | undefined} was @param {Round} is */
function dealerSaid(was, is) {
  const cards = is.dealer.cards;
  if (!cards.length || cards.join() === was?.dealer.cards.join()) return [];
  return [`Dealer: ${cards.map(nameOf).join(", ")}: ${is.dealer.total}.`];
}

/** @param {State} state @param {Round | null | undefined} was @param {Round} is */
function linesSaid(state, was, is) {
  const seat = ownSeat(state);
  const fresh = is.lines.slice(was?.lines.length ?? 0).filter((x) => x.seat === seat);
  const currency = state.view?.currency ?? "EUR";
  const said = fresh.map((line) => {
    const box = `box ${line.label.split(".")[0]}, ${titleOf(line.label)}`;
    return `${box}: ${resultOf(line)}, ${signed(netOf(line), currency)}.`;
  });
  if (is.phase === "closed" && was?.phase !== "closed") {
    const own = is.lines.filter((x) => x.seat === seat);
    const balance = money(state.you?.balance_minor ?? 0, currency);
    if (own.length) said.push(`Round over: ${signed(sum(own), currency)}. Balance ${balance}.`);
  }
  return said;
}

/** All that is new since a view. @param {State} state @param {View | null} before */
export function news(state, before) {
  const round = state.view?.round;
  if (!round) return "";
  const was = before?.round?.round_id === round.round_id ? before.round : null;
  const said = [
    ...cardsSaid(state, was, round),
    ...dealerSaid(was, round),
    ...linesSaid(state, was, round),
  ];
  if (round.phase === "betting" && was?.phase !== "betting") said.push("Place your bets.");
  return said.join(" ");
}

/** What is asked of the player now. @param {State} state */
export function question(state) {
  const offer = meant(state);
  if (!offer || !isOurTurn(state)) return "";
  const round = state.view?.round;
  const box = round?.boxes.find((x) => x.box === offer.box);
  const hand = box?.hands.find((x) => x.label === offer.target);
  const offered = ownOffers(state).filter((x) => x.box === offer.box);
  const names = offered.flatMap((x) => x.options).map((x) => ACTIONS[x.action]?.name);
  const total = hand?.total ? `, ${hand.total}` : "";
  const against = `against the dealer's ${round?.dealer.total ?? ""}`;
  const may = [...new Set(names)].join(", ");
  return `Your turn: ${spoken(offer.target)}${total} ${against}. You may: ${may}.`;
}

let queue = "";
let timer = 0;

/** @param {string} text */
export function announce(text) {
  const place = document.getElementById("said");
  if (!text || !place) return;
  queue = queue ? `${queue} ${text}` : text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    const line = document.createElement("p");
    line.textContent = queue;
    queue = "";
    place.append(line);
    while (place.children.length > 20) place.firstElementChild?.remove();
  }, 120);
}

/** What cannot wait. @param {string} text */
export function interrupt(text) {
  const place = document.getElementById("told");
  if (place) place.textContent = text;
}
