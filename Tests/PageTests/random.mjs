// Numbers that are the same in each run, unless HUB_TEST_SEED asks for others.

/** The value of HUB_TEST_SEED; 0 if it is not set. Failures of tests name it. */
export const testSeed = Number(process.env.HUB_TEST_SEED ?? 0);

/** A generator: `random(limit)` gives a whole number from 0 to below `limit`. */
export function seeded(seed) {
  let state = (seed ^ Math.imul(testSeed + 1, 0x9e3779b1)) >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}
