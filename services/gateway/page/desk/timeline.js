// Every record of the round, in its order; the one that is looked at is marked.

import { html, useLayoutEffect, useRef } from "../vendor/htm-preact.js";
import { since, whoDid } from "./words.js";

/** @typedef {import("./types").Step} Step */
/** @typedef {import("./types").Replay} Replay */

/** @param {{ step: Step, isHere: boolean, odd: string, choose: (step: Step) => void }} props */
function Line({ step, isHere, odd, choose }) {
  const kind = `${step.is_foreign ? "foreign" : "own"} by-${step.by} ${odd ? "odd" : ""}`;
  return html`<li class=${kind}><button type="button" aria-current=${isHere ? "step" : undefined}
    onClick=${() => choose(step)}>
    <span class="seq">${step.is_foreign ? "" : step.sequence}</span>
    <span class="when">${since(step.offset_ms)}</span>
    <span class="who">${whoDid(step)}</span>
    <span class="what">${step.words}${odd && html` <b class="flag">${odd}</b>`}</span>
  </button></li>`;
}

/** @param {{ replay: Replay, record: Step, at: number, choose: (step: Step) => void }} props */
export function Timeline({ replay, record, at, choose }) {
  /** @type {{ current: HTMLElement | null }} */
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    // Within the list alone: the page itself must not jump.
    const box = list.current;
    const line = box?.querySelector("[aria-current]");
    if (!(line instanceof HTMLElement) || !box) return;
    const [top, bottom] = [line.offsetTop, line.offsetTop + line.offsetHeight];
    if (top < box.scrollTop) box.scrollTop = top - 8;
    if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight + 8;
  }, [record.id]);
  const odd = new Map(replay.gaps.map((gap) => [gap.record, gap.kind]));
  return html`<section class="timeline" aria-labelledby="timeline-title">
    <h3 id="timeline-title">Timeline</h3>
    <ol ref=${list} tabindex="0" aria-label="Records of the round">
      ${replay.steps.map((step) => html`<${Line} key=${step.id} step=${step} choose=${choose}
        isHere=${step === record} odd=${odd.get(step.id) ?? ""} />`)}
    </ol>
    <p class="small">Event ${at}; indented: what other services recorded with it.</p>
  </section>`;
}
