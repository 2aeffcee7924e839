// A round, looked at again.

import { html } from "../vendor/htm-preact.js";

/** @param {import("./types").DeskProps} props */
export function Viewer({ id }) {
  return html`<main class="desk-page"><h2>${id}</h2></main>`;
}
