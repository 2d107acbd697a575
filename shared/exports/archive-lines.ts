import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** How many characters are put together, because each piece costs a step of its own. */
const pieceLength = 128 * 1024;

/** Writes rows as lines of JSON, in pieces. */
export async function* toJsonLines(rows: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  let text = '';
  for await (const row of rows) {
    text += `${JSON.stringify(row)}\n`;
    if (text.length < pieceLength) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

/** Writes a record as JSON that people can read. */
export const toJsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** A text that grows while other entries are written, and is written after them. */
export interface Spool {
  add(text: string): void;
  read(): AsyncGenerator<Uint8Array>;
}

/** Creates a spool, which keeps its text compressed: lists of 100,000 files take a few megabytes. */
export const createSpool = (): Spool => {
  const kept: Buffer[] = [];
  let text = '';
  return {
    add(more) {
      text += more;
      if (text.length < pieceLength) return;
      kept.push(deflateRawSync(text, { level: 1 }));
      text = '';
    },
    async *read() {
      for (const piece of kept) yield inflateRawSync(piece);
      if (text !== '') yield Buffer.from(text);
    },
  };
};

/** A JSON list that grows as a spool does, one row a line. */
export const createJsonList = () => {
  const spool = createSpool();
  let isEmpty = true;
  return {
    add(row: unknown): void {
      spool.add(`${isEmpty ? '' : ','}\n${JSON.stringify(row)}`);
      isEmpty = false;
    },
    async *read(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('[');
      yield* spool.read();
      yield Buffer.from(']');
    },
  };
};
