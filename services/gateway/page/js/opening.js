// Runs before all else: a part of the page may fail to come, and then nothing would begin.
//
// A browser that changes networks drops what it was loading. A module that failed stays
// failed in its document, so the page is loaded again; none of it has begun by then, and
// a launch token is still in the address.
(() => {
  const NAME = "push22.loads";
  const WAITS_MS = [300, 1000, 3000];
  let failed = false;

  /** How often it was loaded again already; where nothing is remembered, often enough. */
  function loads() {
    try {
      return Number(sessionStorage.getItem(NAME) ?? "0");
    } catch {
      return WAITS_MS.length;
    }
  }

  /** Tell whether it will be known next time: a store may be full. @param {number} times */
  function remember(times) {
    try {
      sessionStorage.setItem(NAME, String(times));
      return loads() === times;
    } catch {
      return false;
    }
  }

  function giveUp() {
    remember(0);
    const wait = document.querySelector("#page .wait");
    if (!wait) return;
    const again = document.createElement("button");
    again.type = "button";
    again.textContent = "Try again";
    again.addEventListener("click", () => location.reload());
    wait.replaceChildren("A part of this page did not come. ", again);
  }

  function lost() {
    if (failed) return;
    failed = true;
    const times = loads();
    const wait = WAITS_MS[times];
    if (wait !== undefined && remember(times + 1)) setTimeout(() => location.reload(), wait);
    else giveUp();
  }

  /** @param {HTMLLinkElement} sheet */
  function fetchAgain(sheet) {
    const times = Number(sheet.dataset["tries"] ?? "0");
    const wait = WAITS_MS[times];
    if (wait === undefined) return;
    const next = /** @type {HTMLLinkElement} */ (sheet.cloneNode());
    next.dataset["tries"] = String(times + 1);
    setTimeout(() => sheet.replaceWith(next), wait);
  }

  addEventListener(
    "error",
    ({ target }) => {
      if (target instanceof HTMLScriptElement) lost();
      else if (target instanceof HTMLLinkElement && target.rel === "stylesheet") fetchAgain(target);
    },
    true,
  );
  addEventListener("load", () => {
    if (!failed) remember(0);
  });
})();
