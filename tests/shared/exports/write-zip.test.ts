import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import { describe, expect, it } from 'vitest';
import type { ArchiveEntry } from '../../../shared/exports/archive-entry.ts';
import { writeZip } from '../../../shared/exports/zip/write-zip.ts';
import {
  toDirectoryEntry,
  toEnd,
  type ZippedFile,
} from '../../../shared/exports/zip/zip-headers.ts';

async function* listOf<Item>(...items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

const zip = async (entries: readonly ArchiveEntry[]): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of writeZip(Readable.from(entries))) pieces.push(Uint8Array.from(piece));
  return Buffer.concat(pieces);
};

const unzip = async (bytes: Uint8Array) => {
  const reader = new ZipReader(new Uint8ArrayReader(bytes), { useWebWorkers: false });
  const found = [];
  for (const entry of await reader.getEntries()) {
    if (entry.directory) throw new Error('a folder');
    const content = await entry.getData(new Uint8ArrayWriter(), { checkSignature: true });
    found.push({
      path: entry.filename,
      text: Buffer.from(content).toString(),
      at: entry.lastModDate.getTime() / 1_000,
      method: entry.compressionMethod,
    });
  }
  return found;
};

const hasPython = spawnSync('python3', ['--version']).status === 0;

const repeated = 'All work and no play. '.repeat(10_000);
const modifiedAt = '2026-11-21T12:00:00.000Z';

const createSamples = (): readonly ArchiveEntry[] => [
  { path: 'a.txt', content: repeated, modifiedAt },
  { path: 'empty', content: '' },
  { path: 'short.txt', content: 'a' },
  { path: 'bilder/Größe 東京 🎈.png', content: Buffer.from([1, 2, 3]), isCompressed: true },
  {
    path: 'streamed.txt',
    content: listOf(Buffer.from(repeated), Buffer.from('End')),
    bytes: 220_003,
  },
  { path: 'streamed.bin', content: listOf(Buffer.from('as it is')), bytes: 8, isCompressed: true },
  { path: 'no bytes', content: listOf<Buffer>(), bytes: 0 },
  { path: 'random.bin', content: listOf(randomBytes(5_000)), bytes: 5_000 },
  { path: 'of unknown size', content: listOf(Buffer.from(repeated)) },
];

describe('writeZip', () => {
  it('writes what a reader finds again', async () => {
    const found = await unzip(await zip(createSamples()));
    expect(found.map(({ path, text, method }) => [path, text.length, method])).toEqual([
      ['a.txt', repeated.length, 8],
      ['empty', 0, 0],
      ['short.txt', 1, 0],
      ['bilder/Größe 東京 🎈.png', 3, 0],
      ['streamed.txt', repeated.length + 3, 8],
      ['streamed.bin', 8, 0],
      ['no bytes', 0, 8],
      ['random.bin', expect.any(Number), 0],
      ['of unknown size', repeated.length, 8],
    ]);
    expect(found[4]?.text.endsWith('play. End')).toBe(true);
  });

  it('writes an empty archive', async () => {
    expect(await unzip(await zip([]))).toEqual([]);
  });

  it('writes more files than 16 bits count', async () => {
    const entries = Array.from({ length: 70_000 }, (_, at) => ({ path: String(at), content: '' }));
    const bytes = await zip(entries);
    const end = bytes.length - 22;
    // The count in 64 bits is in the record before the locator (20 bytes).
    expect([bytes.readUInt16LE(end + 10), bytes.readBigUInt64LE(end - 20 - 56 + 32)]).toEqual([
      0xff_ff,
      70_000n,
    ]);
  });

  it('ends with the error of a content', async () => {
    const failing = async function* () {
      yield Buffer.from('a');
      throw new Error('No more');
    };
    await expect(zip([{ path: 'a', content: failing() }])).rejects.toThrow('No more');
  });

  it.skipIf(!hasPython)('is what other programs read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'zip-'));
    try {
      const path = join(folder, 'a.zip');
      writeFileSync(path, await zip(createSamples()));
      const script = `import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
z.extractall(sys.argv[2])
print(z.getinfo('a.txt').date_time)`;
      const time = execFileSync('python3', ['-c', script, path, folder], { encoding: 'utf8' });
      expect(time.trim()).toBe('(2026, 11, 21, 12, 0, 0)');
      expect(readFileSync(join(folder, 'streamed.txt'), 'utf8')).toHaveLength(repeated.length + 3);
      expect(readFileSync(join(folder, 'bilder/Größe 東京 🎈.png'))).toHaveLength(3);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the headers of ZIP64', () => {
  const large: ZippedFile = {
    name: Buffer.from('a'),
    modifiedAt,
    isDeflated: false,
    isStreamed: true,
    isLarge: true,
    offset: 5 * 2 ** 32,
    crc: crc32('a'),
    size: 6 * 2 ** 32,
    packedSize: 7 * 2 ** 32,
  };

  it('say in 64 bits what does not fit into 32', () => {
    const entry = toDirectoryEntry(large);
    const extra = entry.subarray(47);
    expect([entry.readUInt32LE(20), entry.readUInt32LE(24), entry.readUInt32LE(42)]).toEqual(
      Array(3).fill(0xff_ff_ff_ff),
    );
    const values = [4, 12, 20].map((at) => Number(extra.readBigUInt64LE(at) / 2n ** 32n));
    expect(values).toEqual([6, 7, 5]);
    const end = toEnd({ files: 3, offset: 2 ** 33, size: 47 });
    expect([end.length, Number(end.readBigUInt64LE(48)), Number(end.readBigUInt64LE(64))]).toEqual([
      98,
      2 ** 33,
      2 ** 33 + 47,
    ]);
  });
});
