// What came of a wager, in words.

import { html } from "../vendor/htm-preact.js";
import { signed } from "./money.js";

/** @typedef {import("./types").Line} Line */

/** @type {Record<string, string>} */
const WORDS = {
  blackjack: "Blackjack",
  win: "Win",
  push: "Push",
  lose: "Lose",
  bust: "Bust",
  surrender: "Surrender",
  even_money: "Even money",
  void: "Void, refunded",
};

/** @param {Line} line */
export function netOf(line) {
  return line.payout_minor - line.stake_minor;
}

/** @param {Line} line */
export function resultOf(line) {
  return WORDS[line.result] ?? line.result.replaceAll("_", " ");
}

/** What the label says is wagered on. @param {string} label */
export function titleOf(label) {
  const [name] = label.split(".").slice(-1);
  if (name === "super_match") return "Super Match";
  if (name === "bet_the_set") return "Bet the Set";
  if (name === "insurance") return "Insurance";
  if (name?.startsWith("circle_")) return `Circle ${name.slice(7)}`;
  return `Hand ${label.split(".").slice(1).join(".")}`;
}

/** @param {Line[]} lines */
export function sum(lines) {
  return lines.reduce((total, line) => total + netOf(line), 0);
}

/** @param {number} net */
export function tone(net) {
  return net > 0 ? "good" : net < 0 ? "bad" : "even";
}

/** @param {{ line: Line, currency: string, title?: boolean }} props */
export function Result({ line, currency, title = false }) {
  const net = netOf(line);
  return html`<span class=${`result ${tone(net)}`}>
    ${title && html`<span>${titleOf(line.label)} </span>`}
    <b>${resultOf(line)}</b> <span class="amount">${signed(net, currency)}</span>
  </span>`;
}
