// Who of support looked at what, for those who watch over it.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { wordsOf } from "./api.js";
import { momentOf } from "./case_view.js";

/** @typedef {import("./types").DeskProps} DeskProps */
/** @typedef {import("./types").AccessRow} AccessRow */

const FILTERS = { who: "Person", round_id: "Round", about_case: "Case" };

/** @param {string} search */
function askedFor(search) {
  const query = new URLSearchParams(search);
  return Object.fromEntries(Object.keys(FILTERS).map((name) => [name, query.get(name) ?? ""]));
}

/** @param {DeskProps} props */
export function AccessPage({ api, person }) {
  const [facts, setFacts] = useState(askedFor(location.search));
  const [rows, setRows] = useState(/** @type {AccessRow[]} */ ([]));
  const [cursor, setCursor] = useState("");
  const [state, setState] = useState("");
  /** @param {string} from @param {AccessRow[]} before */
  const load = async (from, before) => {
    const given = Object.entries({ ...facts, cursor: from }).filter(([, value]) => value);
    const query = new URLSearchParams(given);
    setState("Looking…");
    try {
      const page = await api.get(`/access?${query}`);
      setRows([...before, ...page.looks]);
      setCursor(page.cursor ?? "");
      setState("");
    } catch (error) {
      setState(wordsOf(error));
    }
  };
  const isAdmin = person.role === "admin";
  useEffect(() => void (isAdmin && load("", [])), []);
  if (!isAdmin) return html`<main class="desk-page"><h2>Access</h2><p>Who looked at what is for admins to see.</p></main>`;
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    const given = Object.entries(facts).filter(([, value]) => value);
    const query = new URLSearchParams(given).toString();
    history.replaceState(null, "", `${location.pathname}${query && `?${query}`}`);
    void load("", []);
  };
  return html`<main class="desk-page"><h2>Access</h2>
    <p class="small">Every request of support is here, recorded before it was answered; this one too.</p>
    <form class="row" aria-label="Looks" onSubmit=${submit}>
      ${Object.entries(FILTERS).map(([name, title]) => html`<label class="row">${title}
        <input value=${facts[name]} onInput=${(/** @type {any} */ event) => setFacts({ ...facts, [name]: event.target.value.trim() })} /></label>`)}
      <button type="submit" class="main">Show</button><span role="alert" class=${state === "Looking…" ? "" : "wrong"}>${state}</span>
    </form>
    <${Looks} rows=${rows} />
    ${cursor && html`<button type="button" onClick=${() => load(cursor, rows)}>More</button>`}
  </main>`;
}

/** @param {string} about */
function linked(about) {
  return /^round-/.test(about) ? html`<a href=${`/desk/rounds/${about}`}>${about}</a>` : about;
}

/** @param {{ rows: AccessRow[] }} props */
function Looks({ rows }) {
  if (!rows.length) return html`<p class="small">Nobody looked.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Looks found"><table class="looks">
    <caption class="unseen">Looks, newest first</caption>
    <thead><tr><th scope="col">When (UTC)</th><th scope="col">Who</th><th scope="col">Did</th><th scope="col">About</th><th scope="col">For case</th></tr></thead>
    <tbody>${rows.map((row) => html`<tr key=${row.record}>
      <td class="number">${momentOf(row.at)}</td>
      <th scope="row">${row.person} <span class="small">${row.role}</span></th>
      <td>${row.what.replaceAll("_", " ")}</td><td>${linked(row.about)}</td>
      <td>${row.case && html`<a href=${`/desk/cases/${row.case}`}>${row.case}</a>`}</td></tr>`)}</tbody>
  </table></div>`;
}
