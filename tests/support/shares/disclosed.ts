import type { Answer } from '../service/call.ts';

const tryDecode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Decodes percent signs and character references, each where it can. */
const decodeCharacters = (text: string): string =>
  text
    .replace(/(?:%[\da-f]{2})+/gi, tryDecode)
    .replace(/&#(x?)([\da-f]+);/gi, (_, hex, code) =>
      String.fromCodePoint(Number.parseInt(code, hex ? 16 : 10)),
    );

/** Runs that may be base64 or hexadecimal: a shorter one holds no secret of 128 bits. */
const runs = /[\w+/-]{8,}/g;

/** Returns what the runs of a text may hold, whichever character their bytes begin at. */
const decodeRuns = (text: string): string =>
  Array.from(text.matchAll(runs), ([run]) =>
    [0, 1, 2, 3]
      .map((at) => Buffer.from(run.slice(at), 'base64').toString('latin1'))
      .concat(/^[\da-f]+$/i.test(run) ? Buffer.from(run, 'hex').toString('latin1') : []),
  )
    .flat()
    .join('\n');

const maxDepth = 3;

/** Returns a text as it is and with all that is encoded in it, also in what was encoded. */
const withDecoded = (text: string, depth = 0): string => {
  const plain = decodeCharacters(text);
  return depth === maxDepth || text === ''
    ? plain
    : `${text}\n${plain}\n${withDecoded(decodeRuns(plain), depth + 1)}`;
};

/** An id of 128 random bits also is its bytes, which another encoding would show. */
const formsOf = (secret: string): readonly string[] => {
  const [, id] = /^(?:to_)?([\w-]{22})$/.exec(secret) ?? [];
  return id === undefined
    ? [secret]
    : [secret, id, Buffer.from(id, 'base64url').toString('latin1')];
};

/** Returns which of these texts an answer tells, in its headers, its cookies or its body, as they are or encoded. */
export const findDisclosed = (
  { status, headers, cookies, body }: Answer,
  secrets: readonly string[],
): readonly string[] => {
  const shown = typeof body === 'string' ? body : JSON.stringify(body ?? '');
  const all = withDecoded([status, JSON.stringify([headers, cookies]), shown].join('\n'));
  return secrets.filter((secret) => formsOf(secret).some((form) => all.includes(form)));
};
