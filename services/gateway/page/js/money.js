// Money is an integer of minor units; only what is shown has a decimal point.

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/** @param {string} currency */
function formatOf(currency) {
  let format = formats.get(currency);
  if (!format) {
    const options = { style: "currency", currency, currencyDisplay: "narrowSymbol" };
    format = new Intl.NumberFormat("en", /** @type {any} */ (options));
    formats.set(currency, format);
  }
  return format;
}

/** @param {string} currency */
export function scaleOf(currency) {
  return 10 ** (formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2);
}

/** @param {number} minor @param {string} currency */
export function money(minor, currency) {
  return formatOf(currency).format(minor / scaleOf(currency));
}

/** @param {number} minor @param {string} currency */
export function signed(minor, currency) {
  const sign = minor > 0 ? "+" : minor < 0 ? "−" : "";
  return sign + money(Math.abs(minor), currency);
}

/** The short form that fits on chips. @param {number} minor @param {string} currency */
export function short(minor, currency) {
  return String(Number((minor / scaleOf(currency)).toFixed(2)));
}

/** @param {string} text @param {string} currency @returns {number | null} */
export function minorOf(text, currency) {
  const value = Number(text.trim().replace(",", "."));
  if (!text.trim() || !Number.isFinite(value) || value <= 0) return null;
  return Math.round(value * scaleOf(currency));
}

/** @param {string} currency */
export function chipsOf(currency) {
  return [1, 5, 25, 100, 500].map((value) => value * scaleOf(currency));
}

/** A stack's chips, greatest below. @param {number} minor @param {string} currency */
export function stackOf(minor, currency) {
  const stack = [];
  let left = minor;
  for (const chip of chipsOf(currency).reverse()) {
    while (left >= chip) {
      stack.push(chip);
      left -= chip;
    }
  }
  if (left > 0 || !stack.length) stack.push(left);
  return stack.slice(0, 6);
}
