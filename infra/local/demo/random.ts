/** A sequence of random numbers that is the same for every start. */
export interface Random {
  /** Returns an integer from 0 to below `end`. */
  below(end: number): number;
  /** Returns one of the values. */
  pick<T>(values: readonly T[]): T;
  /** Returns true with a probability from 0 to 1. */
  chance(probability: number): boolean;
}

/** Creates a sequence from a seed by a linear congruential generator (Numerical Recipes, 2nd edition, section 7.1). */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    pick: (values) => values[below(values.length)] as never,
    chance: (probability) => next() < probability,
  };
};
