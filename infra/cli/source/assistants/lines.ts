import type { Readable } from 'node:stream';

const lineBreak = 0x0a;

/** A line of the input without its end; `undefined` for one that was too long, of which nothing is kept. */
export type Line = string | undefined;

/**
 * Reads lines of UTF-8, each of up to `maxBytes`. Longer ones are skipped, so that memory is bounded whatever is sent.
 * @throws what the stream throws
 */
export async function* readLines(input: Readable, maxBytes: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (): Line => {
    const line = length > maxBytes ? undefined : Buffer.concat(parts).toString();
    parts = [];
    length = 0;
    return line;
  };
  const add = (part: Buffer): void => {
    length += part.length;
    if (length <= maxBytes) parts.push(part);
    else parts = [];
  };
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(lineBreak, start);
      if (end === -1) break;
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (length > 0) yield take();
}
