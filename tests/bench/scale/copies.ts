import type { Item, Recorded } from './recording.ts';

/** Each copy is so much older than the one before it. */
export const stepMs = 20;
/** `newId` counts milliseconds in steps of these. */
const idStep = 2 ** 12;
const dayMs = 86_400_000;

/** A record that the service made, and what in its items has to be other in a copy. */
export interface Original {
  readonly name: string;
  readonly made: Recorded<unknown>;
  /** Its ids, and those of what was made with it, which tell when: a copy's are less. */
  readonly ids: readonly number[];
  /** Random ids, and a word of its own: the last letters of a copy's count. */
  readonly words?: readonly string[];
  /** A day (`2001-01-01`) that is one earlier in each copy. */
  readonly day?: string;
}

/** A time in ms since 1970, as a number. */
const tick = /(?<="N":")\d{12}(?=")/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** The words of copies end in as many letters as this. */
const countedLetters = 6;

const counted = (word: string, n: number): string =>
  word.slice(0, -countedLetters) + n.toString(36).padStart(countedLetters, '0');

const dayBefore = (day: string, n: number): string =>
  new Date(Date.parse(day) - n * dayMs).toISOString().slice(0, 10);

/** The texts of an original that are other in its copy number `n`, from 1. */
const changesOf = ({ ids, words = [], day, made }: Original) => {
  const all = made.items.map((item) => JSON.stringify(item)).join();
  const texts = new Set(all.match(time));
  const times = [...texts].filter(
    (text) => Date.parse(text) >= made.from && Date.parse(text) <= made.to,
  );
  const noon = Date.parse(`${day}T12:00:00Z`);
  const ticks = [...new Set(all.match(tick))].filter(
    (text) => Math.abs(Number(text) - noon) < dayMs,
  );
  return (n: number): (readonly [string, string])[] => [
    ...ids.map((id) => [String(id), String(id - n * stepMs * idStep)] as const),
    ...words.map((word) => [word, counted(word, n)] as const),
    ...times.map((text) => [text, new Date(Date.parse(text) - n * stepMs).toISOString()] as const),
    ...ticks.map((text) => [text, String(Number(text) - n * dayMs)] as const),
    ...(day === undefined ? [] : [[day, dayBefore(day, n)] as const]),
  ];
};

/**
 * Makes copies of a record: all of its items, as the service wrote them, of another record of the same kind that is older
 * by some milliseconds. The copy number `n` is counted from 1.
 */
export const copier = (original: Original): ((n: number) => Item[]) => {
  const changes = changesOf(original);
  const texts = original.made.items.map((item) => JSON.stringify(item));
  return (n) => {
    const now = changes(n);
    return texts.map((text) => {
      let copy = text;
      for (const [from, to] of now) copy = copy.replaceAll(from, to);
      return JSON.parse(copy) as Item;
    });
  };
};
