// The cases, and one of them.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { wordsOf } from "./api.js";
import { CaseView, momentOf } from "./case_view.js";

/** @typedef {import("./types").DeskProps} DeskProps */
/** @typedef {import("./types").CaseTold} CaseTold */
/** @typedef {import("./types").CaseRow} CaseRow */

/** @param {DeskProps} props */
export function CasePage(props) {
  return props.id ? html`<${OneCase} ...${props} />` : html`<${AllCases} ...${props} />`;
}

/** @param {DeskProps} props */
function OneCase({ api, person, id }) {
  const [found, setFound] = useState(/** @type {CaseTold | null} */ (null));
  const [why, setWhy] = useState("");
  useEffect(() => {
    api.get(`/cases/${encodeURIComponent(id)}`).then(setFound, (error) => setWhy(wordsOf(error)));
  }, [api, id]);
  return html`<main class="desk-page">
    <h2>Case ${id}</h2>
    ${why && html`<p class="wrong" role="alert">${why}</p>`}
    ${found && html`<p><b>${found.subject}</b> · ${found.status} · ${""}
        <a href=${`/desk/rounds/${found.round_id}?case=${found.case}`}>${found.round_id}</a>
        ${found.player && html` · ${found.player}`}</p>
      <${CaseView} api=${api} person=${person} found=${found} changed=${setFound} />`}
  </main>`;
}

const KINDS = { waiting: "Waiting for a second person", open: "Open", closed: "Closed", "": "All" };

/** @param {DeskProps} props */
function AllCases({ api }) {
  const [kind, setKind] = useState("open");
  const [rows, setRows] = useState(/** @type {CaseRow[]} */ ([]));
  const [cursor, setCursor] = useState("");
  const [why, setWhy] = useState("");
  /** @param {string} which @param {string} from @param {CaseRow[]} before */
  const load = async (which, from, before) => {
    const query = new URLSearchParams({ ...(which && { status: which }), ...(from && { cursor: from }) });
    try {
      const page = await api.get(`/cases?${query}`);
      setRows([...before, ...page.cases]);
      setCursor(page.cursor ?? "");
      setWhy("");
    } catch (error) {
      setWhy(wordsOf(error));
    }
  };
  useEffect(() => void load(kind, "", []), [api, kind]);
  return html`<main class="desk-page">
    <h2>Cases</h2>
    <label class="row">Show <select value=${kind} onChange=${(/** @type {any} */ event) => setKind(event.target.value)}>
      ${Object.entries(KINDS).map(([name, words]) => html`<option value=${name}>${words}</option>`)}
    </select></label>
    ${why && html`<p class="wrong" role="alert">${why}</p>`}
    <${CaseTable} rows=${rows} />
    ${cursor && html`<button type="button" onClick=${() => load(kind, cursor, rows)}>More</button>`}
  </main>`;
}

/** @param {{ rows: CaseRow[] }} props */
function CaseTable({ rows }) {
  if (!rows.length) return html`<p class="small">No case.</p>`;
  return html`<div class="scroll"><table>
    <thead><tr><th>Case</th><th>Round</th><th>Subject</th><th>Opened</th><th>Stands</th></tr></thead>
    <tbody>${rows.map(
      (row) => html`<tr key=${row.case}>
        <td><a href=${`/desk/cases/${row.case}`}>${row.case}</a></td>
        <td><a href=${`/desk/rounds/${row.round_id}`}>${row.round_id}</a></td>
        <td>${row.subject}${row.player && html`<br /><span class="small">${row.player}</span>`}</td>
        <td>${momentOf(row.opened_at)}<br /><span class="small">${row.opened_by}</span></td>
        <td>${row.closed_at ? "closed" : row.waiting ? `${row.waiting} waiting` : "open"}</td>
      </tr>`,
    )}</tbody>
  </table></div>`;
}
