// A round, looked at again: never live, and never acted on.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { announce } from "../js/announce.js";
import { holdStill } from "../js/motion.js";
import { wordsOf } from "./api.js";
import { Record, SideBySide } from "./at_hand.js";
import { CasePanel } from "./case_panel.js";
import { Controls, usePlaying } from "./controls.js";
import { EvidencePanel } from "./evidence_panel.js";
import { frameAt, framesOf, phasesOf } from "./frames.js";
import { MaskedNote } from "./masked_note.js";
import { Purses, Settlement } from "./money_panel.js";
import { ReplayFelt } from "./replay_felt.js";
import { RoundHeader } from "./round_header.js";
import { Timeline } from "./timeline.js";
import { VerdictPanel } from "./verdict_panel.js";
import { WhatIfPanel } from "./what_if_panel.js";

/** @typedef {import("./types").DeskProps} DeskProps */
/** @typedef {import("./types").Replay} Replay */
/** @typedef {import("./types").Frame} Frame */
/** @typedef {import("./types").Step} Step */

const TABS = { step: "This event", settlement: "Settlement", money: "Money", verdict: "Verdict", evidence: "Evidence", whatif: "What-if" };

/** @param {DeskProps} props */
export function Viewer(props) {
  const { id } = props;
  const [about] = useState(new URLSearchParams(location.search).get("case") ?? "");
  const [api] = useState(about ? props.api.forCase(about) : props.api);
  const [replay, setReplay] = useState(/** @type {Replay | null} */ (null));
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    api.get(`/rounds/${encodeURIComponent(id)}/replay`).then(setReplay, (error) => setWrong(wordsOf(error)));
  }, [id]);
  if (wrong) {
    return html`<main class="desk-page"><h2>${id}</h2><p class="wrong" role="alert">This round can't be shown: ${wrong}</p>
      <${VerdictPanel} api=${api} id=${id} /></main>`;
  }
  if (!replay) return html`<main class="desk-page"><h2>${id}</h2><p>Reading the records…</p></main>`;
  return html`<${Round} ...${props} api=${api} about=${about} replay=${replay} frames=${framesOf(replay)} />`;
}

/** What the address asks for. @param {Frame[]} frames @param {Replay} replay */
function asked(frames, replay) {
  const query = new URLSearchParams(location.search);
  const last = frames.at(-1)?.sequence ?? 1;
  const at = Number(query.get("at"));
  const name = query.get("as") ?? "";
  const names = ["table", "record", ...replay.seats.map((x) => x.seat)];
  return {
    at: Number.isInteger(at) && at >= 1 ? Math.min(at, last) : last,
    name: names.includes(name) ? name : replay.seats[0]?.seat ?? "table",
  };
}

/** The address follows what is looked at. @param {number} at @param {string} name @param {string} about */
function follow(at, name, about) {
  const query = new URLSearchParams({ at: String(at), as: name, ...(about && { case: about }) });
  history.replaceState(null, "", `${location.pathname}?${query}`);
}

/** @param {Replay} replay @param {string} name @param {(name: string) => void} choose */
function perspectives(replay, name, choose) {
  const seats = replay.seats.map((x) => ({ key: x.seat, title: x.player }));
  const all = [...seats, { key: "table", title: "Table" }, { key: "record", title: "Full record" }];
  return html`<div class="perspectives" role="group" aria-label="Seen by">
    <span>Seen by</span>
    ${all.map((x) => html`<button type="button" aria-pressed=${x.key === name ? "true" : "false"}
      onClick=${() => choose(x.key)}>${x.title}</button>`)}
  </div>`;
}

/** @param {DeskProps & { replay: Replay, frames: Frame[], about: string }} props */
function Round({ replay, frames, about, ...props }) {
  const from = asked(frames, replay);
  const [at, setAt] = useState(from.at);
  const [name, setName] = useState(from.name);
  const [isPlaying, play] = useState(false);
  const [speed, setSpeed] = useState(1);
  const [chosen, setChosen] = useState(/** @type {Step | null} */ (null));
  const [tab, setTab] = useState("step");
  const frame = frameAt(frames, at);
  const last = frames.at(-1)?.sequence ?? 1;
  const record = chosen ?? /** @type {Step} */ (frame.steps[0]);
  /** @param {import("./controls.js").To} to @param {{ forward?: boolean, step?: Step | null }} [how] */
  const go = (to, { forward = false, step = null } = {}) => {
    holdStill(!forward);
    setChosen(step);
    setAt(to);
  };
  useEffect(() => follow(frame.sequence, name, about), [frame.sequence, name]);
  useEffect(() => announce(`Event ${record.sequence}: ${record.words}`), [record.id]);
  const place = { at: frame.sequence, last, isPlaying, speed, go, play, setSpeed };
  usePlaying(place);
  return html`<main class="viewer" data-perspective=${name}>
    <${RoundHeader} replay=${replay} />
    <${MaskedNote} api=${props.api} replay=${replay} about=${about} />
    ${perspectives(replay, name, setName)}
    <div class="stage">
      <div class="left">
        <${ReplayFelt} replay=${replay} frame=${frame} name=${name} />
        <${Controls} place=${place} phases=${phasesOf(frames)} />
        <p class="now"><b>${record.sequence}</b> ${record.words}</p>
      </div>
      <${Timeline} replay=${replay} record=${record} at=${frame.sequence}
        choose=${(/** @type {Step} */ step) => { play(false); go(step.sequence, { step }); }} />
    </div>
    <${CasePanel} ...${props} at=${frame.sequence} />
    <${Tabs} tab=${tab} setTab=${setTab} />
    <div class="tab-panel" role="tabpanel" id="panel" aria-labelledby=${`tab-${tab}`} tabindex="0">
      ${tab === "step" && html`<${SideBySide} replay=${replay} frame=${frame} name=${name} />
        <${Record} step=${record} currency=${replay.header.currency} />`}
      ${tab === "settlement" && html`<${Settlement} replay=${replay} go=${go} />`}
      ${tab === "money" && html`<${Purses} replay=${replay} go=${go} />`}
      ${tab === "verdict" && html`<${VerdictPanel} api=${props.api} id=${props.id} />`}
      ${tab === "evidence" && html`<${EvidencePanel} api=${props.api} person=${props.person} replay=${replay} about=${about} />`}
      ${tab === "whatif" && html`<${WhatIfPanel} api=${props.api} replay=${replay} />`}
    </div>
  </main>`;
}

/** @param {{ tab: string, setTab: (tab: string) => void }} props */
function Tabs({ tab, setTab }) {
  const names = Object.keys(TABS);
  /** @param {KeyboardEvent} event */
  const turn = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = names[(names.indexOf(tab) + step + names.length) % names.length] ?? tab;
    setTab(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label="About the round" onKeyDown=${turn}>
    ${Object.entries(TABS).map(([key, title]) => html`<button type="button" role="tab" id=${`tab-${key}`}
      class=${key} aria-selected=${key === tab ? "true" : "false"} aria-controls="panel"
      tabindex=${key === tab ? 0 : -1} onClick=${() => setTab(key)}>${title}</button>`)}
  </div>`;
}
