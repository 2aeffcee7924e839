// Players' names are hidden from a viewer, until an open case asks for them.

import { html, useEffect, useState } from "../vendor/htm-preact.js";

/** @typedef {import("./types").Api} Api */
/** @typedef {import("./types").CaseRow} CaseRow */
/** @typedef {import("./types").Replay} Replay */

/** A name has its operator before a dot; a stand-in has none. @param {Replay} replay */
const isMasked = (replay) => replay.seats.some((x) => !x.player.includes("."));

/** @param {{ api: Api, replay: Replay, about: string }} props `about`: the case that is named already */
export function MaskedNote({ api, replay, about }) {
  const id = replay.header.round_id;
  const isHidden = isMasked(replay);
  const [cases, setCases] = useState(/** @type {CaseRow[]} */ ([]));
  useEffect(() => {
    if (isHidden) api.get(`/cases?round_id=${id}&status=open`).then((page) => setCases(page.cases), () => setCases([]));
  }, [id, isHidden]);
  if (!isHidden) return about ? html`<p class="small about-case">Looked at for case <a href=${`/desk/cases/${about}`}>${about}</a></p>` : null;
  return html`<p class="hold" role="note">Players' names are hidden.
    ${cases.length
      ? html` Show them for an open case: ${cases.map((x) => html`<a class="item" href=${`/desk/rounds/${id}?case=${x.case}`}>${x.case}</a> `)}`
      : " They are shown for an open case about this round; there is none."}</p>`;
}
