// What may be done in an open case, as far as its round allows it.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { minorOf } from "../js/money.js";
import { wordsOf } from "./api.js";

/** @typedef {import("./types").Api} Api */
/** @typedef {import("./types").CaseTold} CaseTold */
/** @typedef {import("./search_rows.js").Row} RoundLine */
/** @typedef {(path: string, body: unknown) => Promise<boolean>} Do */

const UNKNOWN = "The archive does not have this round yet: look again in a moment.";

/** @type {Record<string, string>} */
const OVER = {
  settled: "This round is settled, so it is not voided any more: only corrections exist now.",
  void: "This round is void already: only corrections exist now.",
  abandoned: "This round ended without a bet that counted: there is nothing to void.",
};

/**
 * A form with one text; it is empty again once that was taken.
 * @param {{ label: string, name: string, act: (text: string) => Promise<boolean> }} props
 */
export function TextForm({ label, name, act }) {
  const [text, setText] = useState("");
  /** @param {SubmitEvent} event */
  const submit = async (event) => {
    event.preventDefault();
    if (text.trim() && (await act(text.trim()))) setText("");
  };
  return html`<form class="row case-form" onSubmit=${submit}>
    <label>${label} <input required maxlength="500" value=${text}
      onInput=${(/** @type {any} */ event) => setText(event.target.value)} /></label>
    <button type="submit">${name}</button>
  </form>`;
}

/**
 * Who bet in the round, in its currency: the door takes no other correction.
 * @param {{ player: string, round: RoundLine, act: Do }} props `player`: whom the case is about
 */
function CorrectionForm({ player, round, act }) {
  const { currency } = round;
  const players = round.seats.map((seat) => seat.player);
  const usual = players.includes(player) ? player : players.length === 1 ? players[0] : "";
  const [facts, setFacts] = useState({ player: usual ?? "", amount: "", sign: "1", reason: "" });
  if (!players.length) return html`<p class="small">Nobody bet in this round, so there is no one to correct.</p>`;
  /** @param {keyof typeof facts} name */
  const field = (name) => ({
    required: true,
    value: facts[name],
    onInput: (/** @type {any} */ event) => setFacts({ ...facts, [name]: event.target.value }),
  });
  /** @param {SubmitEvent} event */
  const submit = async (event) => {
    event.preventDefault();
    const minor = minorOf(facts.amount, currency);
    if (minor === null) return;
    const said = { player: facts.player, currency, reason: facts.reason };
    if (await act("corrections", { ...said, amount_minor: minor * Number(facts.sign) })) {
      setFacts({ ...facts, amount: "", reason: "" });
    }
  };
  return html`<form class="row case-form" aria-label="Correction" onSubmit=${submit}>
    <select aria-label="Which way" ...${field("sign")}>
      <option value="1">Pay</option><option value="-1">Take back</option>
    </select>
    <label>Amount in ${currency} <input inputmode="decimal" size="8" pattern="[0-9]{1,12}([.,][0-9]{1,4})?"
      title="Write an amount, such as 25.00" ...${field("amount")} /></label>
    <label>Player <select ...${field("player")}>${!usual && html`<option value="">choose one</option>`}
      ${players.map((name) => html`<option value=${name}>${name}</option>`)}</select></label>
    <label>Reason <input maxlength="4000" ...${field("reason")} /></label>
    <button type="submit">Propose correction</button>
  </form>`;
}

/** @param {{ round: RoundLine, found: CaseTold, act: Do }} props */
function VoidForm({ round, found, act }) {
  const isVoid = found.proposals.some((x) => x.kind === "void" && x.standing === "done");
  const over = OVER[isVoid ? "void" : round.status];
  if (over) return html`<p class="small no-void">${over}</p>`;
  return html`<${TextForm} label="Void the round because" name="Propose void"
    act=${(/** @type {string} */ reason) => act("void", { reason })} />`;
}

/**
 * The case's round as the archive's index has it now; `null` where it has none.
 * @param {Api} api @param {CaseTold} found
 */
function useRound(api, found) {
  const [round, setRound] = useState(/** @type {RoundLine | null} */ (null));
  const [why, setWhy] = useState("");
  useEffect(() => {
    const asked = new URLSearchParams({ round_id: found.round_id });
    api.forCase(found.case).get(`/rounds?${asked}`).then(
      ({ rounds }) => {
        setRound(rounds[0] ?? null);
        setWhy(rounds.length ? "" : UNKNOWN);
      },
      (error) => setWhy(wordsOf(error)),
    );
  }, [found.case, found.entries.length]);
  return { round, why };
}

/** @param {{ api: Api, found: CaseTold, act: Do }} props */
export function CaseForms({ api, found, act }) {
  const { round, why } = useRound(api, found);
  return html`<div class="case-forms">
    ${why && html`<p class="wrong" role="alert">${why}</p>`}
    ${round && html`<${CorrectionForm} player=${found.player} round=${round} act=${act} />
      <${VoidForm} round=${round} found=${found} act=${act} />`}
    <${TextForm} label="Note" name="Add note" act=${(/** @type {string} */ text) => act("notes", { text })} />
    <${TextForm} label="Resolution" name="Close case" act=${(/** @type {string} */ resolution) => act("close", { resolution })} />
  </div>`;
}
