// Times, people and options in words.

import { money } from "../js/money.js";

/** @typedef {import("./types").Step} Step */

/** UTC to the millisecond, as logs have it. @param {number} micros */
export function utc(micros) {
  return micros ? new Date(micros / 1000).toISOString().replace("T", " ").replace("Z", " UTC") : "";
}

/** The reader's own time. @param {number} micros */
export function local(micros) {
  const options = /** @type {const} */ ({ dateStyle: "medium", timeStyle: "medium" });
  return micros ? new Date(micros / 1000).toLocaleString("en-GB", options) : "";
}

/** Seconds since the opening. @param {number} ms */
export function since(ms) {
  return `${ms < 0 ? "-" : "+"}${(Math.abs(ms) / 1000).toFixed(3)}`;
}

/** @param {Step} step */
export function whoDid(step) {
  if (step.is_foreign) return step.service;
  if (step.by === "timeout") return "timeout";
  return step.who ? `${step.by} ${step.who}` : step.by;
}

/** @param {import("../js/types").Option} option @param {string} currency */
function optionInWords(option, currency) {
  const name = option.action.replaceAll("_", " ");
  if (!option.max_minor) return name;
  const most = money(option.max_minor, currency);
  return option.min_minor === option.max_minor
    ? `${name} ${most}`
    : `${name} ${money(option.min_minor, currency)} to ${most}`;
}

/** @param {import("../js/types").Offer} offer @param {string} currency */
export function offerInWords(offer, currency) {
  const options = offer.options.map((x) => optionInWords(x, currency)).join(", ");
  return `${offer.target}: ${options || "not shown"}${offer.due ? "" : " (may wait)"}`;
}

/** @param {{ total: number, soft: boolean }} hand */
export function totalInWords(hand) {
  if (!hand.total) return "";
  return `${hand.soft && hand.total < 21 ? "soft " : ""}${hand.total}`;
}
