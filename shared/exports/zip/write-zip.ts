import { once } from 'node:events';
import { constants, crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import type { ArchiveEntry } from '../archive-entry.ts';
import {
  toDescriptor,
  toDirectoryEntry,
  toEnd,
  toLocalHeader,
  type ZippedFile,
} from './zip-headers.ts';

const level = 6;

/** Up to this size (bytes) a stream is written without ZIP64, which old programs don't read: far below 4 GiB, for it may grow. */
const maxPlainBytes = 2 ** 31;

/** The largest file without ZIP64. */
const maxPlainSize = 0xff_ff_ff_fe;

/** The size of a block of the directory. */
const blockBytes = 64 * 1024;

/** What was written so far. */
class Written {
  /** The next position. */
  offset = 0;
  files = 0;
  /** The directory, which is written last, in blocks: small buffers that are kept would keep what was allocated with them. */
  readonly #blocks: Buffer[] = [];
  #filled = blockBytes;

  add(file: ZippedFile, headersBytes: number): void {
    this.offset += headersBytes + file.packedSize;
    this.files += 1;
    const entry = toDirectoryEntry(file);
    for (let at = 0; at < entry.length; ) {
      if (this.#filled === blockBytes) {
        this.#blocks.push(Buffer.allocUnsafeSlow(blockBytes));
        this.#filled = 0;
      }
      const copied = entry.copy(this.#blocks.at(-1) as Buffer, this.#filled, at);
      this.#filled += copied;
      at += copied;
    }
  }

  /** Returns the directory and the end of the file. */
  end(): readonly Uint8Array[] {
    const { files, offset } = this;
    const last = this.#blocks.length - 1;
    const blocks = this.#blocks.map((block, at) =>
      at === last ? block.subarray(0, this.#filled) : block,
    );
    const size = blocks.reduce((sum, { length }) => sum + length, 0);
    return [...blocks, toEnd({ files, offset, size })];
  }
}

/** Returns the size of the buffers of compressed content: what is short needs no long ones. */
const getChunkSize = ({ length }: Uint8Array): number =>
  Math.min(Math.max(constants.Z_MIN_CHUNK, length), constants.Z_DEFAULT_CHUNK);

/** Writes a file whose content is in memory. It is compressed at once, which takes a tenth of the time of a stream. */
function* writeWhole(
  written: Written,
  name: Buffer,
  modifiedAt: string,
  content: Uint8Array,
  isCompressed: boolean,
): Generator<Uint8Array> {
  const deflated = isCompressed
    ? undefined
    : deflateRawSync(content, { level, chunkSize: getChunkSize(content) });
  const packed = deflated && deflated.length < content.length ? deflated : content;
  const file: ZippedFile = {
    name,
    modifiedAt,
    isDeflated: packed === deflated,
    isStreamed: false,
    isLarge: false,
    offset: written.offset,
    crc: crc32(content),
    size: content.length,
    packedSize: packed.length,
  };
  const header = toLocalHeader(file);
  yield header;
  yield packed;
  written.add(file, header.length);
}

/** Compresses pieces, and yields what comes of them. */
async function* deflate(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const deflater = createDeflateRaw({ level });
  const chunks: Buffer[] = [];
  deflater.on('data', (chunk: Buffer) => chunks.push(chunk));
  try {
    for await (const piece of pieces) {
      if (!deflater.write(piece)) await once(deflater, 'drain');
      yield* chunks.splice(0);
    }
    const ended = once(deflater, 'end');
    deflater.end();
    await ended;
    yield* chunks.splice(0);
  } finally {
    // Its memory is outside of the heap, whose collection would free it late.
    deflater.close();
  }
}

/** How much of a content tells whether it can be compressed, in bytes. */
const sampleBytes = 64 * 1024;

/** What is shorter than this says nothing. */
const leastBytes = 4 * 1024;

/** Returns whether compressing a content is worth its time, by how it begins: what is compressed already only takes CPU. */
const isCompressible = (start: Uint8Array): boolean => {
  if (start.length < leastBytes) return true;
  const sample = start.subarray(0, sampleBytes);
  return deflateRawSync(sample, { level: 1 }).length < 0.95 * sample.length;
};

/** Returns the first piece of a content, and all of it. */
const peek = async (content: AsyncIterable<Uint8Array>) => {
  const iterator = content[Symbol.asyncIterator]();
  const first = await iterator.next();
  const all = async function* () {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  };
  return { start: first.done ? new Uint8Array() : first.value, all: all() };
};

/** Writes a file whose content comes in pieces. */
async function* writeStream(
  written: Written,
  name: Buffer,
  modifiedAt: string,
  { bytes = Number.POSITIVE_INFINITY, isCompressed = false }: ArchiveEntry,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const isLarge = bytes > maxPlainBytes;
  const { start, all } = await peek(content);
  const isDeflated = !isCompressed && isCompressible(start);
  const empty: ZippedFile = {
    name,
    modifiedAt,
    isDeflated,
    isStreamed: true,
    isLarge,
    offset: written.offset,
    crc: 0,
    size: 0,
    packedSize: 0,
  };
  const header = toLocalHeader(empty);
  yield header;
  let crc = 0;
  let size = 0;
  let packedSize = 0;
  const counted = (async function* () {
    for await (const piece of all) {
      crc = crc32(piece, crc);
      size += piece.length;
      yield piece;
    }
  })();
  for await (const piece of isDeflated ? deflate(counted) : counted) {
    packedSize += piece.length;
    yield piece;
  }
  if (!isLarge && Math.max(size, packedSize) > maxPlainSize) {
    throw new Error('A file of the archive is larger than announced');
  }
  const file = { ...empty, crc, size, packedSize };
  const descriptor = toDescriptor(file);
  yield descriptor;
  written.add(file, header.length + descriptor.length);
}

/**
 * Writes a ZIP file, piece by piece: in memory are a piece and the directory, about 100 bytes a file. Pieces are small and large;
 * the caller gathers them. Times are in UTC.
 */
export async function* writeZip(
  entries: AsyncIterable<ArchiveEntry>,
): AsyncGenerator<Uint8Array, number> {
  const written = new Written();
  const now = new Date().toISOString();
  for await (const entry of entries) {
    const { path, modifiedAt = now, content, isCompressed = false } = entry;
    const name = Buffer.from(path);
    if (typeof content === 'string' || content instanceof Uint8Array) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      yield* writeWhole(written, name, modifiedAt, bytes, isCompressed);
    } else yield* writeStream(written, name, modifiedAt, entry, content);
  }
  yield* written.end();
  return written.files;
}
