// SHAKE-256 (FIPS 202), which browsers do not have: the cut is drawn with it.

const RATE = 136;
const MASK = (1n << 64n) - 1n;

/** @param {bigint} lane @param {number} by */
function turned(lane, by) {
  const bits = BigInt(by);
  return by ? ((lane << bits) | (lane >> (64n - bits))) & MASK : lane;
}

/** The round constants, from the generator that the standard defines. */
function constants() {
  const found = [];
  let lfsr = 1;
  for (let round = 0; round < 24; round += 1) {
    let constant = 0n;
    for (let step = 0; step < 7; step += 1) {
      if (lfsr & 1) constant |= 1n << BigInt(2 ** step - 1);
      lfsr = (lfsr << 1) ^ (lfsr & 0x80 ? 0x171 : 0);
    }
    found.push(constant);
  }
  return found;
}

const CONSTANTS = constants();

/** @param {bigint[]} a */
function permuted(a) {
  for (const constant of CONSTANTS) {
    const columns = [0, 1, 2, 3, 4].map((x) => lane(a, x, 0, 5, 10, 15, 20));
    for (let i = 0; i < 25; i += 1) {
      const x = i % 5;
      const mix = at(columns, (x + 4) % 5) ^ turned(at(columns, (x + 1) % 5), 1);
      a[i] = at(a, i) ^ mix;
    }
    const moved = Array(25).fill(0n);
    moved[0] = at(a, 0);
    let [x, y] = [1, 0];
    for (let step = 0; step < 24; step += 1) {
      const offset = (((step + 1) * (step + 2)) / 2) % 64;
      const [nextX, nextY] = [y, (2 * x + 3 * y) % 5];
      moved[nextX + 5 * nextY] = turned(at(a, x + 5 * y), offset);
      [x, y] = [nextX, nextY];
    }
    for (let i = 0; i < 25; i += 1) {
      const row = i - (i % 5);
      const one = at(moved, row + ((i + 1) % 5));
      const two = at(moved, row + ((i + 2) % 5));
      a[i] = at(moved, i) ^ (~one & MASK & two);
    }
    a[0] = at(a, 0) ^ constant;
  }
}

/** @param {bigint[]} a @param {number} i */
function at(a, i) {
  return a[i] ?? 0n;
}

/** @param {bigint[]} a @param {number} x @param {number[]} rows */
function lane(a, x, ...rows) {
  return rows.reduce((sum, row) => sum ^ at(a, x + row), 0n);
}

/** @param {Uint8Array} data @param {number} size At most 136 bytes. */
export function shake256(data, size) {
  const padded = new Uint8Array(Math.ceil((data.length + 1) / RATE) * RATE);
  padded.set(data);
  padded[data.length] = 0x1f;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  const state = Array(25).fill(0n);
  const view = new DataView(padded.buffer);
  for (let block = 0; block < padded.length; block += RATE) {
    for (let i = 0; i < RATE / 8; i += 1) {
      state[i] ^= view.getBigUint64(block + 8 * i, true);
    }
    permuted(state);
  }
  const out = new DataView(new ArrayBuffer(200));
  state.forEach((value, i) => out.setBigUint64(8 * i, value, true));
  return new Uint8Array(out.buffer.slice(0, size));
}
