// Who sits at the desk: a bearer token, kept for the tab and gone with it.

import { html, useState } from "../vendor/htm-preact.js";

const PLACE = "push22.desk.token";

/** Return the token of the address or of this tab. It leaves the address at once. */
export function keptToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    history.replaceState(null, "", location.pathname + location.search);
    keepToken(given);
  }
  try {
    return given ?? sessionStorage.getItem(PLACE) ?? "";
  } catch {
    return given ?? "";
  }
}

/** @param {string} token an empty one is forgotten */
export function keepToken(token) {
  try {
    if (token) sessionStorage.setItem(PLACE, token);
    else sessionStorage.removeItem(PLACE);
  } catch {
    // A browser that keeps nothing asks again after a reload.
  }
}

/** @param {{ why: string, signIn: (token: string) => void }} props */
export function SignIn({ why, signIn }) {
  const [token, setToken] = useState("");
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    if (token.trim()) signIn(token.trim());
  };
  return html`<main class="sign-in">
    <h1><span class="brand">Push22</span> Dispute desk</h1>
    <form onSubmit=${submit}>
      <label for="token">Bearer token of your identity provider</label>
      <textarea id="token" rows="5" autocomplete="off" spellcheck="false" required
        value=${token} onInput=${(/** @type {any} */ event) => setToken(event.target.value)}></textarea>
      ${why && html`<p class="wrong" role="alert">${why}</p>`}
      <button type="submit" class="main">Sign in</button>
    </form>
    <p class="small">Where the gateway runs with <code>--dev</code>, <code>push22 dev-token --role
      viewer</code> prints one. It is kept in this tab only. What you look at is recorded.</p>
  </main>`;
}
