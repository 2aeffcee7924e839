// By what rounds are searched: names as the API has them, kept in the page's address.

import { scaleOf } from "../js/money.js";
import { html } from "../vendor/htm-preact.js";

/** @typedef {{ name: string, label: string, kind?: string, hint?: string, options?: string[] }} Field */

const OUTCOMES = [
  "won", "lost", "even", "main_blackjack", "main_win", "main_push", "main_lose", "main_bust",
  "main_surrender", "main_even_money", "side_win", "side_lose", "insurance_win", "insurance_lose",
];

/** @type {Field[]} */
const FIRST = [
  { name: "round_id", label: "Round", hint: "round-t1-42" },
  { name: "player", label: "Player", hint: "operator.player" },
  { name: "table", label: "Table" },
  { name: "since", label: "Opened from (UTC)", kind: "datetime-local" },
  { name: "until", label: "Opened before (UTC)", kind: "datetime-local" },
  { name: "status", label: "Status", options: ["open", "settled", "void", "abandoned"] },
  { name: "outcome", label: "Outcome of a player", options: OUTCOMES },
];

/** @type {Field[]} */
const MARKS = [
  { name: "interrupted", label: "Interrupted", kind: "checkbox" },
  { name: "retried", label: "Wallet called again", kind: "checkbox" },
  { name: "automatic", label: "Decided by the platform", kind: "checkbox" },
];

/** @type {Field[]} */
const MORE = [
  { name: "transaction", label: "Our transaction" },
  { name: "operator_transaction", label: "Operator's transaction" },
  { name: "session", label: "Session at the operator" },
  { name: "operator", label: "Operator" },
  { name: "shoe", label: "Shoe", hint: "shoe-t1-3" },
  { name: "rule_set", label: "Rule set", hint: "ny-switch-6d" },
  { name: "currency", label: "Currency", hint: "EUR" },
  { name: "staked_min", label: "Staked at least", kind: "amount" },
  { name: "staked_max", label: "Staked at most", kind: "amount" },
  { name: "paid_min", label: "Paid at least", kind: "amount" },
  { name: "paid_max", label: "Paid at most", kind: "amount" },
  { name: "net_min", label: "Net at least", kind: "amount" },
  { name: "net_max", label: "Net at most", kind: "amount" },
];

const ALL = [...FIRST, ...MARKS, ...MORE];
const AMOUNT = /^[-−]?\d{1,12}([.,]\d{1,4})?$/;

/** What is asked for in an address; what is not known is left out. @param {string} search */
export function asked(search) {
  const given = new URLSearchParams(search);
  /** @type {Record<string, string>} */
  const found = {};
  for (const { name } of ALL) {
    const value = given.get(name);
    if (value) found[name] = value;
  }
  return found;
}

/** The address of a search, empty for everything. @param {Record<string, string>} filters */
export function addressOf(filters) {
  const text = new URLSearchParams(filters).toString();
  return text ? `/desk?${text}` : "/desk";
}

/** @param {string} text @param {string} currency */
function minor(text, currency) {
  const value = Number(text.replace("−", "-").replace(",", "."));
  return String(Math.round(value * scaleOf(currency)));
}

/**
 * The parameters that the API takes: times in microseconds, amounts in minor units.
 * @param {Record<string, string>} filters
 * @returns {{ parameters: URLSearchParams, wrong: string }}
 */
export function parametersOf(filters) {
  const parameters = new URLSearchParams();
  const currency = /^[A-Z]{3}$/.test(filters.currency ?? "") ? filters.currency : "EUR";
  for (const { name, label, kind } of ALL) {
    const value = filters[name];
    if (!value) continue;
    if (kind === "amount" && !AMOUNT.test(value)) return { parameters, wrong: `${label}: no amount` };
    const at = kind === "datetime-local" ? Date.parse(`${value}Z`) : 0;
    if (Number.isNaN(at)) return { parameters, wrong: `${label}: no time` };
    if (kind === "amount") parameters.set(name, minor(value, /** @type {string} */ (currency)));
    else if (kind === "datetime-local") parameters.set(name, String(at * 1000));
    else parameters.set(name, kind === "checkbox" ? "true" : value);
  }
  return { parameters, wrong: "" };
}

/** @param {{ field: Field, value: string }} props */
function Input({ field, value }) {
  const { name, label, hint = "" } = field;
  const kind = field.kind ?? "text";
  const id = `by-${name}`;
  if (kind === "checkbox") {
    return html`<label class="check"><input type="checkbox" name=${name} value="true"
      defaultChecked=${Boolean(value)} /> ${label}</label>`;
  }
  const input = field.options
    ? html`<select id=${id} name=${name}>
        <option value="">any</option>
        ${field.options.map((x) => html`<option value=${x} selected=${x === value}>${x.replaceAll("_", " ")}</option>`)}
      </select>`
    : html`<input id=${id} name=${name} defaultValue=${value} placeholder=${hint} autocomplete="off"
        spellcheck="false" type=${kind === "amount" ? "text" : kind}
        inputmode=${kind === "amount" ? "decimal" : undefined} />`;
  return html`<div class="field"><label for=${id}>${label}</label>${input}</div>`;
}

/** The form; it is made anew for each address, so what it shows is what was asked. */
/** @param {{ filters: Record<string, string>, search: (filters: Record<string, string>) => void }} props */
export function Filters({ filters, search }) {
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const given = [...form].map(([name, value]) => [name, String(value).trim()]);
    search(Object.fromEntries(given.filter(([, value]) => value)));
  };
  /** @param {Field} field */
  const input = (field) => html`<${Input} key=${field.name} field=${field} value=${filters[field.name] ?? ""} />`;
  const isMore = MORE.some(({ name }) => filters[name]);
  return html`<form class="filters" role="search" aria-label="Rounds" onSubmit=${submit}>
    <div class="fields">${FIRST.map(input)}</div>
    <fieldset class="row"><legend class="unseen">Only rounds that were</legend>${MARKS.map(input)}</fieldset>
    <details open=${isMore}><summary>More ways to search</summary>
      <div class="fields">${MORE.map(input)}</div></details>
    <div class="row">
      <button type="submit" class="main">Search</button>
      <a href="/desk">Clear all</a>
    </div>
  </form>`;
}
