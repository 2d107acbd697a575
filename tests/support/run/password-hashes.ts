import bcrypt from 'bcryptjs';

// Runs before each test file. Even the cheapest hash takes 2 ms of CPU time, and most users of tests have one password.

const isRemembering = Symbol.for('handbill.tests.hashes');
const kept = globalThis as { [isRemembering]?: true };

type Hash = (text: string, other: string | number) => Promise<unknown>;

/** Returns the function with its results remembered: equal passwords then have equal hashes of a cost. */
const remembering = (hash: Hash): Hash => {
  const results = new Map<string, Promise<unknown>>();
  return (text, other) => {
    const key = JSON.stringify([text, other]);
    const result = results.get(key) ?? hash(text, other);
    results.set(key, result);
    return result;
  };
};

if (!kept[isRemembering]) {
  kept[isRemembering] = true;
  const { hash, compare } = bcrypt;
  Object.assign(bcrypt, { hash: remembering(hash as Hash), compare: remembering(compare as Hash) });
}
