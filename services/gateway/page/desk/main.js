// The desk: who is signed in, and what the path names.

import { html, render } from "../vendor/htm-preact.js";
import { AccessPage } from "./access_page.js";
import { apiOf, wordsOf } from "./api.js";
import { CasePage } from "./case_page.js";
import { Search } from "./search.js";
import { keepToken, keptToken, SignIn } from "./sign_in.js";
import { Viewer } from "./viewer.js";

/** @typedef {import("./types").Api} Api */
/** @typedef {import("./types").Person} Person */
/** @typedef {import("./types").DeskProps} DeskProps */

const ROUTES = {
  rounds: { title: "Round", component: Viewer },
  cases: { title: "Case", component: CasePage },
  access: { title: "Access", component: AccessPage },
};

/** @type {{ api: Api, person: Person } | null} */
let signedIn = null;
let why = "";

/** What a path names; all that is not known is the search. @param {string} path */
function routeOf(path) {
  const [, , kind = "", name = ""] = path.split("/");
  const id = decodeURIComponent(name);
  const found = ROUTES[/** @type {keyof typeof ROUTES} */ (kind)];
  const isKnown = found && (id || kind !== "rounds");
  return isKnown ? { ...found, kind, id } : { title: "Search", component: Search, kind: "", id: "" };
}

/** @param {string} path */
function navigate(path) {
  history.pushState(null, "", path);
  scrollTo(0, 0);
  show();
}

function signOut() {
  keepToken("");
  signedIn = null;
  show();
}

/** The token counts no more. @param {string} reason */
function thrownOut(reason) {
  why = `Sign in again: ${reason}.`;
  signOut();
}

/** @param {string} token */
async function signIn(token) {
  why = "";
  const api = apiOf(token, thrownOut);
  try {
    const person = await api.get("/me");
    keepToken(token);
    signedIn = { api, person };
  } catch (error) {
    why ||= wordsOf(error);
  }
  show();
}

/** @param {{ person: Person, kind: string }} props */
function Header({ person, kind }) {
  /** @param {string} href @param {string} title @param {boolean} isHere */
  const link = (href, title, isHere) =>
    html`<a href=${href} aria-current=${isHere ? "page" : undefined}>${title}</a>`;
  return html`<header class="desk-head">
    <h1><a href="/desk"><span class="brand">Push22</span> Dispute desk</a></h1>
    <nav aria-label="Desk">
      ${link("/desk", "Search", kind === "")} ${link("/desk/cases", "Cases", kind === "cases")}
      ${person.role === "admin" && link("/desk/access", "Access", kind === "access")}
    </nav>
    <p class="who"><b>${person.name}</b> <span>${person.role}</span></p>
    <button type="button" onClick=${signOut}>Sign out</button>
  </header>`;
}

function Desk() {
  if (!signedIn) return html`<${SignIn} why=${why} signIn=${signIn} />`;
  const { api, person } = signedIn;
  const { component, kind, id, title } = routeOf(location.pathname);
  document.title = `${id || title} · Push22 desk`;
  return html`<div class="desk">
    <${Header} person=${person} kind=${kind} />
    <${component} key=${`${kind}/${id}`} api=${api} person=${person} navigate=${navigate} id=${id} />
  </div>`;
}

const page = /** @type {HTMLElement} */ (document.getElementById("page"));

function show() {
  // For another case it is another look, at the same round as well.
  const about = new URLSearchParams(location.search).get("case") ?? "";
  render(html`<${Desk} key=${signedIn ? `${location.pathname} ${about}` : why} />`, page);
}

/** Links of the desk do not load the page again. @param {MouseEvent} event */
function followed(event) {
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (!/^\/desk(\/|$)/.test(link.pathname)) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
}

page.replaceChildren();
document.addEventListener("click", followed);
addEventListener("popstate", show);
const token = keptToken();
if (token) void signIn(token);
else show();
