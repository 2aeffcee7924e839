// Rounds are searched here; what is asked for stands in the page's address.

import { html, useEffect, useRef, useState } from "../vendor/htm-preact.js";
import { wordsOf } from "./api.js";
import { addressOf, asked, Filters, parametersOf } from "./search_filters.js";
import { Rows, utc } from "./search_rows.js";

/** @typedef {import("./types").Api} Api */
/** @typedef {import("./search_rows.js").Row} Row */
/** @typedef {{ rows: Row[], cursor: string, reached: number, isLooking: boolean, wrong: string }} Found */

const LIMIT = 50;

/** @type {Found} */
const NOTHING = { rows: [], cursor: "", reached: 0, isLooking: true, wrong: "" };

/** What was found last: who comes back from a round finds the list as it was. */
let kept = { search: "", found: NOTHING };

/**
 * Ask for a page; one that is not full and may go on is asked for again from there.
 * @param {Api} api @param {URLSearchParams} parameters @param {Found} before
 * @param {(found: Found) => boolean} tell false where nobody waits any more
 */
async function look(api, parameters, before, tell) {
  const due = before.rows.length + LIMIT;
  let found = { ...before, isLooking: true, wrong: "" };
  try {
    do {
      const left = { limit: String(due - found.rows.length), cursor: found.cursor };
      const asking = new URLSearchParams([...parameters, ...Object.entries(left)]);
      const answer = await api.get(`/rounds?${asking}`);
      const rows = [...found.rows, ...answer.rounds];
      const isLooking = Boolean(answer.cursor) && rows.length < due;
      found = { ...found, rows, cursor: answer.cursor, reached: answer.searched_to, isLooking };
    } while (tell(found) && found.isLooking);
  } catch (error) {
    tell({ ...found, isLooking: false, wrong: wordsOf(error) });
  }
}

/** @param {Found} found */
function inWords({ rows, cursor, reached, isLooking, wrong }) {
  if (wrong) return "";
  const count = rows.length === 1 ? "1 round" : `${rows.length} rounds`;
  if (isLooking && reached) return `${count} so far; looked back to ${utc(reached)}…`;
  if (isLooking) return "Looking…";
  if (!rows.length) return "No round fits.";
  return cursor ? `${count}, and there may be more.` : `${count}.`;
}

/** @param {Api} api @param {string} search */
function useFound(api, search) {
  const isKept = kept.search === search && !kept.found.isLooking && !kept.found.wrong;
  const [found, setFound] = useState(isKept ? kept.found : NOTHING);
  const turn = useRef(0);
  /** @param {Found} before */
  const goOn = (before) => {
    const mine = ++turn.current;
    const { parameters, wrong } = parametersOf(asked(search));
    /** @param {Found} now */
    const tell = (now) => {
      if (mine !== turn.current) return false;
      kept = { search, found: now };
      setFound(now);
      return true;
    };
    if (wrong) tell({ ...NOTHING, isLooking: false, wrong });
    else void look(api, parameters, before, tell);
  };
  const stop = () => {
    turn.current += 1;
    setFound({ ...found, isLooking: false });
  };
  useEffect(() => {
    if (!isKept) goOn(NOTHING);
    return () => {
      turn.current += 1;
    };
  }, []);
  return { found, goOn, stop };
}

/** One search; another address is another one. */
/** @param {{ api: Api, search: string, navigate: (path: string) => void }} props */
function Searched({ api, search, navigate }) {
  const { found, goOn, stop } = useFound(api, search);
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const more = () => {
    const count = found.rows.length;
    goOn(found);
    // The button goes on its way down: whoever pressed it stays with the last row seen.
    const links = list.current?.querySelectorAll("tbody a");
    const last = links?.item(count - 1);
    if (last instanceof HTMLElement) last.focus({ preventScroll: true });
  };
  return html`<${Filters} filters=${asked(search)} search=${(/** @type {any} */ x) => navigate(addressOf(x))} />
    <p role="status" class="told">${inWords(found)}</p>
    ${found.wrong && html`<p role="alert" class="wrong">${found.wrong}</p>`}
    <div ref=${list} aria-busy=${found.isLooking}>${found.rows.length > 0 && html`<${Rows} rows=${found.rows} />`}</div>
    ${found.isLooking && found.reached > 0 && html`<p><button type="button" onClick=${stop}>Stop</button></p>`}
    ${!found.isLooking && found.cursor && html`<p><button type="button" onClick=${more}>More</button></p>`}`;
}

/** @param {import("./types").DeskProps} props */
export function Search({ api, navigate }) {
  const { search } = location;
  return html`<main class="desk-page search"><h2>Find rounds</h2>
    <${Searched} key=${search} api=${api} search=${search} navigate=${navigate} />
  </main>`;
}
