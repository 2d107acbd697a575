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

/** What was written so far. */
interface Written {
  /** The next position. */
  offset: number;
  files: number;
  /** The entries of the directory, which is written last. */
  readonly directory: Buffer[];
}

const finish = (written: Written, file: ZippedFile, headersBytes: number): void => {
  written.offset += headersBytes + file.packedSize;
  written.files += 1;
  written.directory.push(toDirectoryEntry(file));
};

/** Writes a file whose content is in memory. It is compressed at once, which takes a tenth of the time of a stream. */
function* writeWhole(
  written: Written,
  name: Buffer,
  modifiedAt: string,
  content: Uint8Array,
  isCompressed: boolean,
): Generator<Uint8Array> {
  const deflated = isCompressed ? undefined : deflateRawSync(content, { level });
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
  finish(written, file, header.length);
}

/** Compresses pieces, and yields what comes of them. */
async function* deflate(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const deflater = createDeflateRaw({ level, strategy: constants.Z_DEFAULT_STRATEGY });
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

/** Writes a file whose content comes in pieces. */
async function* writeStream(
  written: Written,
  name: Buffer,
  modifiedAt: string,
  { bytes = Number.POSITIVE_INFINITY, isCompressed = false }: ArchiveEntry,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const isLarge = bytes > maxPlainBytes;
  const empty: ZippedFile = {
    name,
    modifiedAt,
    isDeflated: !isCompressed,
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
    for await (const piece of content) {
      crc = crc32(piece, crc);
      size += piece.length;
      yield piece;
    }
  })();
  for await (const piece of isCompressed ? counted : deflate(counted)) {
    packedSize += piece.length;
    yield piece;
  }
  if (!isLarge && Math.max(size, packedSize) > maxPlainSize) {
    throw new Error('A file of the archive is larger than announced');
  }
  const file = { ...empty, crc, size, packedSize };
  const descriptor = toDescriptor(file);
  yield descriptor;
  finish(written, file, header.length + descriptor.length);
}

/**
 * Writes a ZIP file, piece by piece: in memory are a piece and the directory, about 100 bytes a file. Pieces are small and large;
 * the caller gathers them. Times are in UTC.
 */
export async function* writeZip(
  entries: AsyncIterable<ArchiveEntry>,
): AsyncGenerator<Uint8Array, number> {
  const written: Written = { offset: 0, files: 0, directory: [] };
  const now = new Date().toISOString();
  for await (const entry of entries) {
    const { path, modifiedAt = now, content, isCompressed = false } = entry;
    const name = Buffer.from(path);
    if (typeof content === 'string' || content instanceof Uint8Array) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      yield* writeWhole(written, name, modifiedAt, bytes, isCompressed);
    } else yield* writeStream(written, name, modifiedAt, entry, content);
  }
  const { files, offset, directory } = written;
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  yield* directory;
  yield toEnd({ files, offset, size });
  return files;
}
