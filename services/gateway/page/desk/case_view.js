// One case: what was proposed, what came of it, and what may be done next.

import { html, useState } from "../vendor/htm-preact.js";
import { money, signed } from "../js/money.js";
import { wordsOf } from "./api.js";
import { CaseForms, TextForm } from "./case_forms.js";

/** @typedef {import("./types").Api} Api */
/** @typedef {import("./types").Person} Person */
/** @typedef {import("./types").CaseTold} CaseTold */
/** @typedef {import("./types").ProposalTold} ProposalTold */
/** @typedef {import("./case_forms.js").Do} Do */

const NAMES = {
  case_opened: "opened",
  note_added: "note",
  void_proposed: "void proposed",
  correction_proposed: "correction proposed",
  proposal_approved: "approved",
  proposal_rejected: "rejected",
  correction_booked: "booked",
  correction_failed: "not booked",
  void_done: "round voided",
  void_failed: "not voided",
  case_closed: "closed",
};

/** @param {number} at microseconds since 1970 */
export function momentOf(at) {
  return new Date(at / 1000).toISOString().slice(0, 19).replace("T", " ");
}

/** @param {Person} person */
export function mayAct(person) {
  return person.role !== "viewer";
}

/** @param {ProposalTold} proposal */
function amountOf({ kind, amount_minor, currency }) {
  return kind === "void" ? money(amount_minor, currency) : signed(amount_minor, currency);
}

/** @type {Record<string, string>} */
const WHY_SECOND = {
  case_sum_over_threshold: "with what one person decided in this case it is too much for one",
  player_day_sum_unknown: "what one person decided of this player today is not known now, so it is not for one",
  player_day_sum_over_threshold: "with what one person decided of this player today, in all cases, it is too much for one",
};

/** @param {{ proposal: ProposalTold, person: Person, isOpen: boolean, act: Do }} props */
function Proposal({ proposal, person, isOpen, act }) {
  const { number, kind, standing, by, reason, player, outcome, decided_by, is_alone, why_second } = proposal;
  const waits = isOpen && standing === "proposed" && mayAct(person);
  const path = `proposals/${number}`;
  const decided = is_alone ? "within what one person may decide" : decided_by && `${standing === "rejected" ? "rejected" : "approved"} by ${decided_by}`;
  const why = WHY_SECOND[why_second];
  return html`<tr>
    <td class="number">${number}</td>
    <td>${kind}${player && html` <span class="small">${player}</span>`}</td>
    <td class="number">${amountOf(proposal)}</td>
    <td>${reason}<br /><span class="small">${by}${decided && `; ${decided}`}${why && html`<br />${why}`}</span></td>
    <td><b class=${`standing ${standing}`}>${standing}</b>${outcome && html`<br /><span class="small">${outcome}</span>`}</td>
    <td>${waits && html`<div class="row">
      ${by === person.name
        ? html`<span class="small">somebody else has to approve</span>`
        : html`<button type="button" class="main" onClick=${() => act(`${path}/approve`, {})}>Approve</button>`}
      <${TextForm} label="Because" name="Reject" act=${(/** @type {string} */ why) => act(`${path}/reject`, { reason: why })} />
    </div>`}</td>
  </tr>`;
}

/** @param {{ proposals: ProposalTold[], person: Person, isOpen: boolean, act: Do }} props */
function Proposals({ proposals, ...others }) {
  if (!proposals.length) return html`<p class="small">Nothing was proposed yet.</p>`;
  return html`<div class="scroll"><table>
    <thead><tr><th>No.</th><th>What</th><th class="number">Amount</th><th>Why</th><th>Stands</th><th></th></tr></thead>
    <tbody>${proposals.map((item) => html`<${Proposal} key=${item.number} proposal=${item} ...${others} />`)}</tbody>
  </table></div>`;
}

/** @param {{ found: CaseTold }} props */
function Story({ found }) {
  return html`<ol class="case-story">${found.entries.map(
    (entry) => html`<li><time>${momentOf(entry.at)}</time>
      <b>${NAMES[/** @type {keyof typeof NAMES} */ (entry.what)] ?? entry.what}</b>
      ${entry.proposal ? html` <span class="small">no. ${entry.proposal}</span>` : null}
      ${entry.who && html` <span class="small">by ${entry.who}</span>`}
      ${entry.text && html`<p>${entry.text}</p>`}</li>`,
  )}</ol>`;
}

/**
 * @param {{ api: Api, person: Person, found: CaseTold, changed: (found: CaseTold) => void }} props
 */
export function CaseView({ api, person, found, changed }) {
  const [why, setWhy] = useState("");
  /** @type {Do} */
  const act = async (path, body) => {
    try {
      changed(await api.post(`/cases/${found.case}/${path}`, body));
      setWhy("");
      return true;
    } catch (error) {
      setWhy(wordsOf(error));
      return false;
    }
  };
  const isOpen = found.status === "open";
  return html`<div class="case">
    ${why && html`<p class="wrong" role="alert">${why}</p>`}
    <${Proposals} proposals=${found.proposals} person=${person} isOpen=${isOpen} act=${act} />
    ${isOpen && mayAct(person) && html`<${CaseForms} api=${api} found=${found} act=${act} />`}
    <${Story} found=${found} />
  </div>`;
}
