// Card faces, drawn here. The drawings are free for all: CC0 1.0.

import { html, useLayoutEffect, useRef } from "../vendor/htm-preact.js";
import { arrive } from "./motion.js";

const RANKS = {
  A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven",
  8: "eight", 9: "nine", T: "ten", J: "jack", Q: "queen", K: "king",
};
const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

/** Each lies in a square of 100, its middle at 50, 50. @type {Record<string, string>} */
const SHAPES = {
  h: "M50 92C20 66 4 50 4 30 4 15 15 6 27 6c10 0 18 6 23 16C55 12 63 6 73 6c12 0 23 9 23 24 0 20-16 36-46 62z",
  d: "M50 4 86 50 50 96 14 50z",
  s: "M50 4c8 18 42 32 42 56 0 13-9 21-20 21-8 0-14-4-18-10 1 12 4 19 12 25H34c8-6 11-13 12-25-4 6-10 10-18 10C17 81 8 73 8 60 8 36 42 22 50 4z",
  c: "M50 4a20 20 0 0 1 14 34 20 20 0 1 1-10 31c1 12 4 20 12 27H34c8-7 11-15 12-27a20 20 0 1 1-10-31A20 20 0 0 1 50 4z",
};

const [LEFT, MID, RIGHT] = [41, 60, 79];
const [TOP, CENTRE, BOTTOM] = [38, 84, 130];
/** @type {Record<string, [number, number][]>} */
const PIPS = {
  2: [[MID, TOP], [MID, BOTTOM]],
  3: [[MID, TOP], [MID, CENTRE], [MID, BOTTOM]],
  4: [...pair(TOP), ...pair(BOTTOM)],
  5: [...pair(TOP), [MID, CENTRE], ...pair(BOTTOM)],
  6: [...pair(TOP), ...pair(CENTRE), ...pair(BOTTOM)],
  7: [...pair(TOP), [MID, 61], ...pair(CENTRE), ...pair(BOTTOM)],
  8: [...pair(TOP), [MID, 61], ...pair(CENTRE), [MID, 107], ...pair(BOTTOM)],
  9: [...pair(TOP), ...pair(69), [MID, CENTRE], ...pair(99), ...pair(BOTTOM)],
  T: [...pair(TOP), [MID, 53], ...pair(69), ...pair(99), [MID, 115], ...pair(BOTTOM)],
};

/** @param {number} y @returns {[number, number][]} */
function pair(y) {
  return [[LEFT, y], [RIGHT, y]];
}

/** @param {string} suit @param {number} x @param {number} y @param {number} size @param {boolean} [turned] */
function pip(suit, x, y, size, turned = false) {
  const scale = size / 100;
  const turn = turned ? " rotate(180)" : "";
  const move = `translate(${x} ${y})${turn} scale(${scale}) translate(-50 -50)`;
  return html`<path d=${SHAPES[suit]} transform=${move} fill="currentColor" />`;
}

/** @type {Record<string, string>} */
const CROWNS = {
  K: "M44 52V36l8 8 8-12 8 12 8-8v16z",
  Q: "M45 52 43 38l9 7 8-10 8 10 9-7-2 14z",
  J: "M43 52c0-12 8-17 18-17 9 0 16 5 16 12l-5 5z",
};

/** @param {string} rank @param {string} suit */
function court(rank, suit) {
  const half = html`<g>
    <path d="M36 84c0-12 9-17 24-17s24 5 24 17z" fill="currentColor" />
    <path d="M52 68h16l-8 16z" fill="#f2d48a" />
    <path d=${rank === "Q" ? "M46 52c-3 12-2 20 1 24h26c3-4 4-12 1-24z" : "M47 52v12h26V52z"}
      fill="#6b4a2b" />
    <circle cx="60" cy="59" r="11" fill="#f6dcc0" />
    ${rank === "K" && html`<path d="M50 63c1 12 5 15 10 15s9-3 10-15c-3 4-17 4-20 0z" fill="#6b4a2b" />`}
    <path d=${CROWNS[rank]} fill="#e3b341" stroke="#8a6412" stroke-width="1.5" />
    ${pip(suit, 41, 40, 13)}
  </g>`;
  return html`<g class="court">
    <rect x="32" y="26" width="56" height="116" rx="5" fill="#fbf6e6" stroke="#c9b27a" />
    ${half}<g transform="rotate(180 60 84)">${half}</g>
  </g>`;
}

/** @param {string} rank @param {string} suit */
function middle(rank, suit) {
  if (rank === "A") return html`<g class="pips">${pip(suit, MID, CENTRE, 52)}</g>`;
  if (CROWNS[rank]) return court(rank, suit);
  const pips = (PIPS[rank] ?? []).map(([x, y]) => pip(suit, x, y, 19, y > CENTRE));
  return html`<g class="pips">${pips}</g>`;
}

/** @param {string} rank @param {string} suit */
function corner(rank, suit) {
  const text = rank === "T" ? "10" : rank;
  return html`<g>
    <text class="rank" x="17" y="32" text-anchor="middle" fill="currentColor"
      textLength=${rank === "T" ? 24 : undefined} lengthAdjust="spacingAndGlyphs">${text}</text>
    ${pip(suit, 17, 46, 18)}
  </g>`;
}

/** @param {string} card */
function face(card) {
  const rank = card[0] ?? "";
  const suit = card[1] ?? "";
  const text = rank === "T" ? "10" : rank;
  return html`<svg class=${`face suit-${suit}`} viewBox="0 0 120 168" aria-hidden="true">
    <rect x="1" y="1" width="118" height="166" rx="10" fill="#fffefa" stroke="#b9b4a5" />
    <g class="fine">
      ${corner(rank, suit)}<g transform="rotate(180 60 84)">${corner(rank, suit)}</g>
      ${middle(rank, suit)}
    </g>
    <g class="plain">
      <text x="9" y="58" fill="currentColor"
        textLength=${rank === "T" ? 60 : undefined} lengthAdjust="spacingAndGlyphs">${text}</text>
      ${pip(suit, 34, 86, 40)}${pip(suit, 78, 122, 62)}
    </g>
  </svg>`;
}

function back() {
  const lines = [20, 40, 60, 80, 100, 120, 140].map(
    (y) => html`<path d=${`M14 ${y}l23-14 23 14 23-14 23 14`} />`,
  );
  return html`<svg class="face" viewBox="0 0 120 168" aria-hidden="true">
    <rect x="1" y="1" width="118" height="166" rx="10" fill="#fffefa" stroke="#b9b4a5" />
    <rect x="8" y="8" width="104" height="152" rx="6" fill="#7b1e2b" />
    <g fill="none" stroke="#d9a9a0" stroke-width="2" transform="translate(0 10)">${lines}</g>
  </svg>`;
}

/** @param {string} card */
export function nameOf(card) {
  if (!card) return "face down card";
  const rank = RANKS[/** @type {keyof typeof RANKS} */ (card[0] ?? "A")];
  return `${rank} of ${SUITS[/** @type {keyof typeof SUITS} */ (card[1] ?? "s")]}`;
}

/** @param {{ card: string, mark?: string }} props */
export function Card({ card, mark = "" }) {
  /** @type {{ current: HTMLElement | null }} */
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => arrive(place.current), []);
  return html`<span class=${`card ${mark}`} ref=${place} role="img" aria-label=${nameOf(card)}>
    ${card ? face(card) : back()}
  </span>`;
}
