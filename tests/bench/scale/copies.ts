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

/** A text of an original that is other in its copies, and what it is in the copy number `n`, from 1. */
type Change = readonly [text: string, inCopy: (n: number) => string];

const changesOf = ({ ids, words = [], day, made }: Original): Change[] => {
  const all = made.items.map((item) => JSON.stringify(item)).join();
  const texts = new Set(all.match(time));
  const times = [...texts].filter(
    (text) => Date.parse(text) >= made.from && Date.parse(text) <= made.to,
  );
  const noon = Date.parse(`${day}T12:00:00Z`);
  const ticks = [...new Set(all.match(tick))].filter(
    (text) => Math.abs(Number(text) - noon) < dayMs,
  );
  const earlier = (text: string) => {
    const at = Date.parse(text);
    return (n: number) => new Date(at - n * stepMs).toISOString();
  };
  return [
    ...ids.map((id): Change => [String(id), (n) => String(id - n * stepMs * idStep)]),
    ...words.map((word): Change => [word, (n) => counted(word, n)]),
    ...times.map((text): Change => [text, earlier(text)]),
    ...ticks.map((text): Change => [text, (n) => String(Number(text) - n * dayMs)]),
    ...(day === undefined ? [] : [[day, (n) => dayBefore(day, n)] satisfies Change]),
  ];
};

/** Makes of a text of an original what that is in its copy number `n`, from 1. */
export const textCopier = (original: Original): ((text: string) => (n: number) => string) => {
  const changes = new Map(changesOf(original));
  // All of them are digits, letters and signs that mean nothing more. Without any, nothing is found.
  const changing = new RegExp(`(${[...changes.keys()].join('|') || '(?!)'})`);
  return (text) => {
    const parts = text.split(changing).map((part) => changes.get(part) ?? part);
    return (n) => {
      let copy = '';
      for (const part of parts) copy += typeof part === 'string' ? part : part(n);
      return copy;
    };
  };
};

/**
 * Makes copies of a record: all of its items, as the service wrote them, of another record of the same kind that is older
 * by some milliseconds. The copy number `n` is counted from 1.
 */
export const copier = (original: Original): ((n: number) => Item[]) => {
  const copyText = textCopier(original);
  const copies = original.made.items.map((item) => copyText(JSON.stringify(item)));
  return (n) => copies.map((copy) => JSON.parse(copy(n)) as Item);
};
