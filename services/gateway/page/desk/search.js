// Which round is looked for.

import { html, useState } from "../vendor/htm-preact.js";

/** @param {import("./types").DeskProps} props */
export function Search({ navigate }) {
  const [id, setId] = useState("");
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    if (id.trim()) navigate(`/desk/rounds/${encodeURIComponent(id.trim())}`);
  };
  return html`<main class="desk-page"><h2>Find a round</h2>
    <form class="row" onSubmit=${submit}>
      <label for="round-id">Round</label>
      <input id="round-id" placeholder="round-t1-1" value=${id}
        onInput=${(/** @type {any} */ event) => setId(event.target.value)} />
      <button type="submit" class="main">Open</button>
    </form>
  </main>`;
}
