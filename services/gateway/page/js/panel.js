// A panel over the table: a dialog of the browser's own, which keeps the focus.

import { html, useEffect, useRef } from "../vendor/htm-preact.js";
import { change } from "./store.js";

/** @param {{ title: string, name: string, children?: unknown }} props */
export function Panel({ title, name, children }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const close = () => change({ panel: "", panelRound: "" });
  return html`<dialog ref=${dialog} class=${`panel ${name}`} aria-labelledby="panel-title" onClose=${close}>
    <header>
      <h2 id="panel-title">${title}</h2>
      <button type="button" class="close" onClick=${() => dialog.current?.close()}>Close</button>
    </header>
    <div class="content" tabindex="0" role="region" aria-label=${title}>${children}</div>
  </dialog>`;
}
