import { auditKeys } from '../../../../shared/audit/keys.ts';
import type { Recorded } from './recording.ts';

/** Time between consecutive copies. */
export const stepMs = 20;
/** `createId` counts milliseconds in these steps; below them an id is random. */
const idStep = 2 ** 12;
const dayMs = 86_400_000;

/** A record of the service, and the values that differ in each copy. */
export interface Original {
  readonly name: string;
  readonly made: Recorded<unknown>;
  /** Ids of the record and of related records, which contain the time: those of copies are smaller. */
  readonly ids: readonly number[];
  /** Random ids, and a unique word that ends in the copy's number as letters. */
  readonly words?: readonly string[];
  /** A day (`2001-01-01`), which is one earlier in each copy. */
  readonly day?: string;
}

/** A time in ms since 1970, as a number. */
const tick = /(?<="N":")\d{12}(?=")/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** Number of letters at the end of a copy's words. */
export const countedLetters = 6;

/** Writes a number in letters: names with digits would sort otherwise than they are written. */
export const toLetters = (n: number): string =>
  Array.from(n.toString(26), (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))
    .join('')
    .padStart(countedLetters, 'a');

const counted = (word: string, n: number): string => word.slice(0, -countedLetters) + toLetters(n);

/** Returns an earlier id. Its random bits are others, because they choose the shard of a list. */
const earlierId = (id: number, n: number): number => {
  const random = id % idStep;
  return id - random - n * stepMs * idStep + ((random + n) % idStep);
};

/** Returns the random ids of audit entries, which choose their shards. */
const auditIds = ({ made }: Original): string[] =>
  made.items.flatMap(({ pk, sk }) => {
    const entry = auditKeys.entry.read({ pk: String(pk?.['S']), sk: String(sk?.['S']) });
    return entry ? [entry.id] : [];
  });

const dayBefore = (day: string, n: number): string =>
  new Date(Date.parse(day) - n * dayMs).toISOString().slice(0, 10);

/** A text of an original, and its replacement in copy `n`, from 1. */
type Change = readonly [text: string, inCopy: (n: number) => string];

const changesOf = (original: Original): Change[] => {
  const { ids, words = [], day, made } = original;
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
    ...ids.map((id): Change => [String(id), (n) => String(earlierId(id, n))]),
    ...[...words, ...auditIds(original)].map((word): Change => [word, (n) => counted(word, n)]),
    ...times.map((text): Change => [text, earlier(text)]),
    ...ticks.map((text): Change => [text, (n) => String(Number(text) - n * dayMs)]),
    ...(day === undefined ? [] : [[day, (n) => dayBefore(day, n)] satisfies Change]),
  ];
};

/** Creates a function that changes a text of an original into that of copy `n`, from 1. */
export const textCopier = (original: Original): ((text: string) => (n: number) => string) => {
  const changes = new Map(changesOf(original));
  // The texts need no escaping. Without any text, the pattern matches nothing.
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
