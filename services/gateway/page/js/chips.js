// Chips and stacks of them.

import { html } from "../vendor/htm-preact.js";
import { scaleOf, short, stackOf } from "./money.js";

/** @type {Record<number, string>} */
const NAMES = { 1: "white", 5: "red", 25: "green", 100: "black", 500: "purple" };

/** @param {number} minor @param {string} currency */
function colour(minor, currency) {
  return NAMES[minor / scaleOf(currency)] ?? "white";
}

/** @param {{ minor: number, currency: string }} props */
export function Chip({ minor, currency }) {
  return html`<svg class=${`chip chip-${colour(minor, currency)}`} viewBox="0 0 100 100" aria-hidden="true">
    <circle class="rim" cx="50" cy="50" r="47" />
    <circle class="spots" cx="50" cy="50" r="40" />
    <circle class="inner" cx="50" cy="50" r="30" />
    <text x="50" y="61" text-anchor="middle">${short(minor, currency)}</text>
  </svg>`;
}

/** @param {{ minor: number, currency: string }} props */
export function Stack({ minor, currency }) {
  if (!minor) return null;
  const chips = stackOf(minor, currency);
  return html`<span class="stack" aria-hidden="true">
    ${chips.map((chip) => html`<${Chip} minor=${chip} currency=${currency} />`)}
  </span>`;
}
