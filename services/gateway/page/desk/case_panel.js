// The cases of the round that is looked at.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { wordsOf } from "./api.js";
import { TextForm } from "./case_forms.js";
import { CaseView, mayAct } from "./case_view.js";

/** @typedef {import("./types").DeskProps} DeskProps */
/** @typedef {import("./types").CaseTold} CaseTold */
/** @typedef {import("./types").CaseRow} CaseRow */

/** @param {DeskProps} props `id` is the round's */
export function CasePanel({ api, person, id }) {
  const [rows, setRows] = useState(/** @type {CaseRow[]} */ ([]));
  const [found, setFound] = useState(/** @type {CaseTold | null} */ (null));
  const [why, setWhy] = useState("");

  /** @template T @param {Promise<T>} asked @param {(answer: T) => void} take */
  const taken = async (asked, take) => {
    try {
      take(await asked);
      setWhy("");
      return true;
    } catch (error) {
      setWhy(wordsOf(error));
      return false;
    }
  };
  const list = () => taken(api.get(`/cases?round_id=${id}`), (page) => setRows(page.cases));
  useEffect(() => void list(), [api, id]);

  /** @param {string} name */
  const show = (name) => taken(api.get(`/cases/${name}`), setFound);
  /** @param {string} subject */
  const open = async (subject) => {
    const isOpened = await taken(api.post("/cases", { round_id: id, subject }), setFound);
    return isOpened && list();
  };
  return html`<section class="case-panel" aria-label="Cases">
    <h3>Cases</h3>
    ${why && html`<p class="wrong" role="alert">${why}</p>`}
    ${!rows.length && html`<p class="small">There is no case about this round.</p>`}
    <ul class="case-list">${rows.map(
      (row) => html`<li key=${row.case} class="row">
        <button type="button" aria-expanded=${found?.case === row.case} onClick=${() => show(row.case)}>${row.subject}</button>
        <a href=${`/desk/cases/${row.case}`}>${row.case}</a>
        <span class="small">${row.closed_at ? "closed" : "open"}, by ${row.opened_by}</span>
      </li>`,
    )}</ul>
    ${found && html`<${CaseView} key=${found.case} api=${api} person=${person} found=${found}
      changed=${setFound} />`}
    ${mayAct(person) && html`<${TextForm} label="New case about" name="Open case" act=${open} />`}
  </section>`;
}
