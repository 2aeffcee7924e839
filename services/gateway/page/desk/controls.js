// Stepping through a round: by buttons, by a slider, by keys, by itself.

import { html, useEffect } from "../vendor/htm-preact.js";

/** @typedef {import("./types").Frame} Frame */
/** A place, or how it follows from where one is by then: two keys come before one is drawn. */
/** @typedef {number | ((at: number) => number)} To */
/**
 * @typedef {object} Place
 * @property {number} at
 * @property {number} last
 * @property {boolean} isPlaying
 * @property {number} speed
 * @property {(at: To, how?: { forward?: boolean }) => void} go
 * @property {(isPlaying: boolean) => void} play
 * @property {(speed: number) => void} setSpeed
 */

/** Drawn here: fonts do not have them everywhere. @type {Record<string, string>} */
const SIGNS = {
  first: "M4 4h3v16H4zM20 4v16L8 12z",
  back: "M18 4v16L6 12z",
  play: "M6 4l14 8-14 8z",
  pause: "M5 4h5v16H5zM14 4h5v16h-5z",
  step: "M6 4l12 8-12 8z",
  last: "M4 4l12 8-12 8zM17 4h3v16h-3z",
};

/** @param {string} name */
function sign(name) {
  return html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d=${SIGNS[name]} /></svg>`;
}

const STEP_MS = 1400;
const SPEEDS = [0.5, 1, 2, 4];
const OWN_KEYS = "input, textarea, select, [contenteditable]";
const OWN_SPACE = `${OWN_KEYS}, button, a, summary`;

/** @param {Place} place */
function toggle({ at, last, isPlaying, go, play }) {
  if (!isPlaying && at === last) go(1);
  play(!isPlaying);
}

/** Step on while playing, and listen to keys. @param {Place} place */
export function usePlaying(place) {
  const { at, last, isPlaying, speed, go, play } = place;
  useEffect(() => {
    if (!isPlaying) return undefined;
    if (at >= last) {
      play(false);
      return undefined;
    }
    const timer = setTimeout(() => go(at + 1, { forward: true }), STEP_MS / speed);
    return () => clearTimeout(timer);
  }, [isPlaying, at, speed]);
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const pressed = (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const from = event.target instanceof Element ? event.target : null;
      if (from?.closest(event.key === " " ? OWN_SPACE : OWN_KEYS)) return;
      if (!act(event.key, place)) return;
      event.preventDefault();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [place]);
}

/** @param {number} last @returns {To} */
const onwards = (last) => (at) => Math.min(last, at + 1);

/** @param {number} at */
const backwards = (at) => Math.max(1, at - 1);

/** @param {string} key @param {Place} place */
function act(key, place) {
  const { last, go, play } = place;
  if (key === " ") toggle(place);
  else if (key === "ArrowRight") stop(play, () => go(onwards(last), { forward: true }));
  else if (key === "ArrowLeft") stop(play, () => go(backwards));
  else if (key === "Home") stop(play, () => go(1));
  else if (key === "End") stop(play, () => go(last));
  else return false;
  return true;
}

/** @param {(isPlaying: boolean) => void} play @param {() => void} then */
function stop(play, then) {
  play(false);
  then();
}

/** @param {{ place: Place, phases: { title: string, sequence: number }[] }} props */
export function Controls({ place, phases }) {
  const { at, last, isPlaying, speed, go, play, setSpeed } = place;
  /** @param {string} title @param {string} name @param {To} to @param {boolean} isEnd */
  const button = (title, name, to, isEnd) => html`<button type="button" aria-label=${title} title=${title}
    disabled=${isEnd} onClick=${() => stop(play, () => go(to, { forward: name === "step" }))}>${sign(name)}</button>`;
  const now = phases.filter((x) => x.sequence && x.sequence <= at).sort((a, b) => a.sequence - b.sequence).at(-1);
  return html`<div class="controls" role="group" aria-label="Replay">
    <div class="row">
      ${button("First event (Home)", "first", 1, at <= 1)}
      ${button("Step back (left arrow)", "back", backwards, at <= 1)}
      <button type="button" class="main play" onClick=${() => toggle(place)}
        aria-label=${isPlaying ? "Pause (space)" : "Play (space)"}>${sign(isPlaying ? "pause" : "play")} <span>${isPlaying ? "Pause" : "Play"}</span></button>
      ${button("Step (right arrow)", "step", onwards(last), at >= last)}
      ${button("Last event (End)", "last", last, at >= last)}
      <label class="speed">Speed <select value=${speed}
        onChange=${(/** @type {any} */ event) => setSpeed(Number(event.target.value))}>
        ${SPEEDS.map((x) => html`<option value=${x} selected=${x === speed}>${x}×</option>`)}</select></label>
      <label class="scrub"><span>Event <b>${at}</b> of ${last}</span>
        <input type="range" min="1" max=${last} value=${at} aria-label="Event"
          onInput=${(/** @type {any} */ event) => stop(play, () => go(Number(event.target.value)))} /></label>
    </div>
    <div class="phases" role="group" aria-label="Jump to" tabindex="0">
      ${phases.map((x) => html`<button type="button" disabled=${!x.sequence} aria-pressed=${x === now ? "true" : "false"}
        onClick=${() => stop(play, () => go(x.sequence))}>${x.title}</button>`)}
    </div>
  </div>`;
}
