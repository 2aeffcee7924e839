// The cases, and one of them.

import { html } from "../vendor/htm-preact.js";

/** @param {import("./types").DeskProps} props */
export function CasePage({ id }) {
  return html`<main class="desk-page"><h2>${id ? `Case ${id}` : "Cases"}</h2></main>`;
}
