// The evidence pack of a round that has ended: asked for here, kept by the reader.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { announce } from "../js/announce.js";
import { Failed, wordsOf } from "./api.js";

/** @typedef {import("./types").Api} Api */
/** @typedef {import("./types").Person} Person */
/** @typedef {import("./types").Replay} Replay */
/** @typedef {import("./types").CaseRow} CaseRow */
/** @typedef {{ name: string, size: number, digest: string }} Pack */

const WHY_NOT = {
  in_play: "The round is still in play. There is a pack once it has ended; if it cannot end, propose to void it in a case.",
  not_available: "No pack can be made just now: others are being made, or the logs cannot be read. Try again in a moment.",
  not_found: "There is no such pack: the player was not in this round, or it shows cards of others that were never turned over.",
  forbidden: "A resolver makes evidence packs.",
};

/** @param {unknown} error */
function whyNot(error) {
  const known = error instanceof Failed ? WHY_NOT[/** @type {keyof typeof WHY_NOT} */ (error.problem.reason)] : "";
  return known || wordsOf(error);
}

/** Hand a file to the browser to keep. @param {string} name @param {Blob} blob */
function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** SHA-256 in hex; nothing where the browser has none. @param {Blob} blob */
async function digestOf(blob) {
  if (!globalThis.crypto?.subtle) return "";
  const digest = await crypto.subtle.digest("SHA-256", await blob.arrayBuffer());
  return [...new Uint8Array(digest)].map((x) => x.toString(16).padStart(2, "0")).join("");
}

/** @param {{ pack: Pack }} props */
function Made({ pack }) {
  return html`<div class="pack" role="status"><p><b>${pack.name}</b> was made, ${pack.size.toLocaleString("en")} bytes.</p>
    ${pack.digest && html`<p>SHA-256 <span class="mono">${pack.digest}</span></p>`}
    <p>To check it, with the public keys from where they are lodged:</p>
    <pre tabindex="0" aria-label="Command">python verify.py ${pack.name} --keys checkpoint-keys-public.json</pre></div>`;
}

/**
 * The cases that a pack may be for: one for a player is for none about anybody else.
 * @param {CaseRow[]} cases @param {string} player
 */
function fitting(cases, player) {
  return cases.filter((x) => !player || !x.player || x.player === player);
}

/** @param {{ api: Api, person: Person, replay: Replay, about: string }} props `about`: the case that is worked on */
export function EvidencePanel({ api, person, replay, about }) {
  const id = replay.header.round_id;
  const [cases, setCases] = useState(/** @type {CaseRow[] | null} */ (null));
  const [facts, setFacts] = useState({ note: "", player: "" });
  const [chosen, choose] = useState(/** @type {string | null} */ (about || null));
  const [state, setState] = useState("");
  const [pack, setPack] = useState(/** @type {Pack | null} */ (null));
  const mayMake = person.role !== "viewer";
  useEffect(() => {
    if (mayMake) api.get(`/cases?round_id=${id}`).then((page) => setCases(page.cases), (error) => setState(wordsOf(error)));
  }, [id]);
  if (!mayMake) return html`<section><h3>Evidence pack</h3><p>${WHY_NOT.forbidden}</p></section>`;
  /** @param {keyof typeof facts} name */
  const field = (name) => ({
    value: facts[name],
    onInput: (/** @type {any} */ event) => setFacts({ ...facts, [name]: event.target.value }),
  });
  const offered = fitting(cases ?? [], facts.player);
  const isOffered = chosen === "" || offered.some((x) => x.case === chosen);
  // Newest first, closed ones too: a pack of a round with a case is mostly for it.
  const which = (isOffered ? chosen : offered[0]?.case) ?? "";
  /** @param {SubmitEvent} event */
  const submit = async (event) => {
    event.preventDefault();
    setState("Making the pack…");
    setPack(null);
    try {
      const { name, blob } = await api.file(`/rounds/${id}/evidence?${new URLSearchParams({ ...facts, case: which })}`);
      save(name, blob);
      setPack({ name, size: blob.size, digest: await digestOf(blob) });
      setState("");
      announce(`${name} was made`);
    } catch (error) {
      setState(whyNot(error));
    }
  };
  const isBusy = state === "Making the pack…";
  return html`<section aria-labelledby="evidence-title"><h3 id="evidence-title">Evidence pack</h3>
    <p>One zip with every record of this round, its proofs and a report, which anybody can check without us. That it was made is recorded.</p>
    <form class="evidence-form" aria-label="Evidence pack" onSubmit=${submit}>
      <label>Case <select value=${which} onInput=${(/** @type {any} */ event) => choose(event.target.value)}><option value="">none</option>
        ${offered.map((x) => html`<option value=${x.case}>${x.case}: ${x.subject}</option>`)}</select></label>
      <label>For <select ...${field("player")}><option value="">whoever decides: everybody is named</option>
        ${replay.seats.map((x) => html`<option value=${x.player}>${x.player}: nobody else is named</option>`)}</select></label>
      <label class="wide">Note <textarea rows="2" maxlength="2000" ...${field("note")}></textarea></label>
      <p class="row"><button type="submit" class="main" disabled=${isBusy || !cases}>Make evidence pack</button>
        <span class=${isBusy ? "" : "wrong"} role="alert">${state}</span></p>
    </form>
    ${pack && html`<${Made} pack=${pack} />`}
  </section>`;
}
