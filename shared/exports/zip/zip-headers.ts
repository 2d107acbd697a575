/*
 * The structures of a ZIP file, as APPNOTE.TXT 6.3.10 of PKWARE describes them.
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */

/** What the headers say of a file. Sizes in bytes. */
export interface ZippedFile {
  readonly name: Buffer;
  /** ISO 8601. */
  readonly modifiedAt: string;
  readonly isDeflated: boolean;
  /** Whether its sizes follow its content, because they are unknown before. */
  readonly isStreamed: boolean;
  /** Whether its sizes may need more than 32 bits. */
  readonly isLarge: boolean;
  /** The position of its local header. */
  readonly offset: number;
  readonly crc: number;
  readonly size: number;
  readonly packedSize: number;
}

const max16 = 0xff_ff;
const max32 = 0xff_ff_ff_ff;

/** The version that ZIP64 needs, and the one of all else. */
const largeVersion = 45;
const version = 20;

const unix = 3;
const deflated = 8;
/** The names are UTF-8. */
const utf8Flag = 0x0800;
const streamedFlag = 0x0008;

/** The mode of a file that its owner may write and others may read. */
const fileMode = 0o100_644;

const getVersion = ({ isLarge }: ZippedFile, isFar = false): number =>
  isLarge || isFar ? largeVersion : version;

const getFlags = ({ isStreamed }: ZippedFile): number => utf8Flag | (isStreamed ? streamedFlag : 0);

/** Writes the time as MS-DOS did: UTC here, in steps of two seconds, from 1980 on. */
const writeTime = (into: Buffer, at: number, iso: string): void => {
  const time = new Date(iso);
  const year = Math.min(Math.max(time.getUTCFullYear(), 1980), 2107);
  const date = ((year - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const clock =
    (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  into.writeUInt16LE(clock, at);
  into.writeUInt16LE(date, at + 2);
};

/** Writes the extra field of ZIP64 with 64-bit values. */
const toLargeField = (...values: readonly number[]): Buffer => {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(0x0001, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [at, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * at);
  return field;
};

/** Returns the header before the content of a file. */
export const toLocalHeader = (file: ZippedFile): Buffer => {
  const { name, isDeflated, isStreamed, isLarge } = file;
  const extra = isLarge ? toLargeField(file.size, file.packedSize) : Buffer.alloc(0);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04_03_4b_50, 0);
  header.writeUInt16LE(getVersion(file), 4);
  header.writeUInt16LE(getFlags(file), 6);
  header.writeUInt16LE(isDeflated ? deflated : 0, 8);
  writeTime(header, 10, file.modifiedAt);
  header.writeUInt32LE(isStreamed ? 0 : file.crc, 14);
  header.writeUInt32LE(isLarge ? max32 : file.packedSize, 18);
  header.writeUInt32LE(isLarge ? max32 : file.size, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, name, extra]);
};

/** Returns what follows the content of a file whose sizes were unknown before. */
export const toDescriptor = ({ isLarge, crc, size, packedSize }: ZippedFile): Buffer => {
  const descriptor = Buffer.alloc(isLarge ? 24 : 16);
  descriptor.writeUInt32LE(0x08_07_4b_50, 0);
  descriptor.writeUInt32LE(crc, 4);
  if (isLarge) {
    descriptor.writeBigUInt64LE(BigInt(packedSize), 8);
    descriptor.writeBigUInt64LE(BigInt(size), 16);
  } else {
    descriptor.writeUInt32LE(packedSize, 8);
    descriptor.writeUInt32LE(size, 12);
  }
  return descriptor;
};

/** Returns the entry of a file in the directory, which only says in 64 bits what doesn't fit into 32. */
export const toDirectoryEntry = (file: ZippedFile): Buffer => {
  const { name, size, packedSize, offset } = file;
  const values = [size, packedSize, offset];
  const long = values.filter((value) => value >= max32);
  const extra = long.length > 0 ? toLargeField(...long) : Buffer.alloc(0);
  const needed = getVersion(file, long.length > 0);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02_01_4b_50, 0);
  entry.writeUInt16LE((unix << 8) | needed, 4);
  entry.writeUInt16LE(needed, 6);
  entry.writeUInt16LE(getFlags(file), 8);
  entry.writeUInt16LE(file.isDeflated ? deflated : 0, 10);
  writeTime(entry, 12, file.modifiedAt);
  entry.writeUInt32LE(file.crc, 16);
  entry.writeUInt32LE(Math.min(packedSize, max32), 20);
  entry.writeUInt32LE(Math.min(size, max32), 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(extra.length, 30);
  entry.writeUInt32LE((fileMode << 16) >>> 0, 38);
  entry.writeUInt32LE(Math.min(offset, max32), 42);
  return Buffer.concat([entry, name, extra]);
};

/** Where the directory is, and how many files it has. */
export interface Directory {
  readonly files: number;
  readonly offset: number;
  readonly size: number;
}

const toLargeEnd = ({ files, offset, size }: Directory): Buffer => {
  const end = Buffer.alloc(56 + 20);
  end.writeUInt32LE(0x06_06_4b_50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE((unix << 8) | largeVersion, 12);
  end.writeUInt16LE(largeVersion, 14);
  end.writeBigUInt64LE(BigInt(files), 24);
  end.writeBigUInt64LE(BigInt(files), 32);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  // The locator of this record.
  end.writeUInt32LE(0x07_06_4b_50, 56);
  end.writeBigUInt64LE(BigInt(offset + size), 64);
  end.writeUInt32LE(1, 72);
  return end;
};

/** Returns the end of a ZIP file. */
export const toEnd = (directory: Directory): Buffer => {
  const { files, offset, size } = directory;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06_05_4b_50, 0);
  end.writeUInt16LE(Math.min(files, max16), 8);
  end.writeUInt16LE(Math.min(files, max16), 10);
  end.writeUInt32LE(Math.min(size, max32), 12);
  end.writeUInt32LE(Math.min(offset, max32), 16);
  const isLarge = files >= max16 || size >= max32 || offset >= max32;
  return isLarge ? Buffer.concat([toLargeEnd(directory), end]) : end;
};
