import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createJsonList, createSpool, toJsonLines } from '../../../shared/exports/archive-lines.ts';

describe('a spool', () => {
  it('gives its text as it was added, of which it keeps little', async () => {
    const spool = createSpool();
    const lines = Array.from({ length: 20_000 }, (_, at) => `Line ${at} \u{1f600}\n`);
    for (const line of lines) spool.add(line);
    expect(await text(spool.read())).toBe(lines.join(''));
    expect(await text(spool.read())).toBe(lines.join(''));
  });

  it('is empty without any', async () => {
    expect(await text(createSpool().read())).toBe('');
  });
});

describe('a JSON list', () => {
  it('has its rows in order', async () => {
    const list = createJsonList();
    expect(await text(list.read())).toBe('[]');
    list.add({ a: 1 });
    list.add('ä');
    expect(await text(list.read())).toBe('[\n{"a":1},\n"ä"]');
  });
});

describe('lines of JSON', () => {
  it('come in pieces of whole lines', async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => ({ at, text: 'x'.repeat(100) }));
    const pieces: string[] = [];
    const all = (async function* () {
      yield* rows;
    })();
    for await (const piece of toJsonLines(all)) pieces.push(Buffer.from(piece).toString());
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.every((piece) => piece.endsWith('\n'))).toBe(true);
    const read = pieces.join('').trim().split('\n');
    expect(read.map((line) => JSON.parse(line))).toEqual(rows);
  });
});
