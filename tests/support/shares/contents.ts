import { randomBytes } from 'node:crypto';

const vocabulary = Array.from({ length: 2_000 }, (_, at) =>
  (at * 2_654_435_761).toString(36).slice(-7, -1),
);

/** Creates deterministic text of this many bytes that compresses like prose. */
export const words = (bytes: number): string => {
  let state = 1;
  const parts: string[] = [];
  for (let length = 0; length < bytes; ) {
    // A linear congruential generator (Numerical Recipes) is random enough for words.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // Some words are much more frequent than others.
    const word = vocabulary[Math.floor(vocabulary.length * (state / 2 ** 32) ** 3)] ?? '';
    parts.push(word);
    length += word.length + 1;
  }
  return parts.join(' ').slice(0, bytes).padEnd(bytes, '.');
};

/** Creates random text of this many bytes that hardly compresses. */
export const randomText = (bytes: number): string =>
  randomBytes(Math.ceil((bytes * 3) / 4))
    .toString('base64')
    .slice(0, bytes);
