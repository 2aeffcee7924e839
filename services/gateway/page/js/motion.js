// Movement, for those who want it. Nothing waits for it, and nothing is told by it alone.

const CALM = matchMedia("(prefers-reduced-motion: reduce)");
let isStill = true;

/** What is there from the start does not move. @param {boolean} still */
export function holdStill(still) {
  isStill = still;
}

function moves() {
  return !isStill && !CALM.matches;
}

/** A card comes from the shoe. @param {HTMLElement | null} card */
export function arrive(card) {
  if (!card || !moves()) return;
  const from = { transform: "translate(30vw, -40vh) rotate(35deg)", opacity: 0.2 };
  card.animate([from, { transform: "none", opacity: 1 }], {
    duration: 320,
    easing: "cubic-bezier(.2,.8,.3,1)",
  });
}

/**
 * The second cards of two hands change places: each slides from where the other is.
 * @param {HTMLElement | null} box
 */
export function cross(box) {
  if (!box || !moves()) return;
  const [one, two] = [...box.querySelectorAll(".hand .card:nth-child(2)")];
  if (!(one instanceof HTMLElement) || !(two instanceof HTMLElement)) return;
  const [here, there] = [one.getBoundingClientRect(), two.getBoundingClientRect()];
  slide(one, there.left - here.left, there.top - here.top, -34);
  slide(two, here.left - there.left, here.top - there.top, 34);
}

/** @param {HTMLElement} card @param {number} x @param {number} y @param {number} lift */
function slide(card, x, y, lift) {
  for (const old of card.getAnimations()) old.cancel();
  const over = `translate(${x / 2}px, ${y / 2 + lift}px) scale(1.08)`;
  card.animate(
    [{ transform: `translate(${x}px, ${y}px)` }, { transform: over }, { transform: "none" }],
    { duration: 700, easing: "ease-in-out" },
  );
}
