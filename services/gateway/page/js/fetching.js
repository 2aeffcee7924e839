// A browser that changes networks drops what is under way: it is fetched once more.

const AGAIN_MS = [300, 1000];

/**
 * Fetch, and again where no answer came. Only for what does no more the second time.
 * @param {string} address
 * @param {RequestInit} request
 */
export async function fetched(address, request) {
  for (const wait of AGAIN_MS) {
    try {
      return await fetch(address, request);
    } catch {
      await new Promise((done) => setTimeout(done, wait));
    }
  }
  return await fetch(address, request);
}
