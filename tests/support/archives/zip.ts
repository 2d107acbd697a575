import { crc32, deflateRawSync } from 'node:zlib';

/** The fields of an entry’s header that the writer computes, to be overwritten. */
export interface Header {
  readonly name: string | Uint8Array;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly compressed: number;
  readonly size: number;
  readonly extra: Uint8Array;
}

/** An entry. All but its name and content is computed unless it is given. */
export interface ZipEntry extends Partial<Header> {
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  /** What is stored of it, if not its content as `method` compresses it. */
  readonly data?: Uint8Array;
  /** What the local header says otherwise than the central one. */
  readonly local?: Partial<Header>;
  /** Sizes and CRC follow the data, which may lie. */
  readonly descriptor?: Partial<Pick<Header, 'crc' | 'compressed' | 'size'>>;
  /** The mode in Unix, such as 0o120777 for a link. */
  readonly mode?: number;
  /** Where the central header says that the local one is. */
  readonly offset?: number;
}

/** The end of an archive. All is computed unless it is given. */
export interface ZipEnd {
  readonly count?: number;
  readonly directorySize?: number;
  readonly directoryOffset?: number;
  readonly disk?: number;
  readonly comment?: Uint8Array;
  /** Whether there are ZIP64 records, which have the count; and where the locator says that they are. */
  readonly zip64?: { readonly count?: number; readonly offset?: number };
  readonly prepended?: Uint8Array;
  readonly appended?: Uint8Array;
}

const encoder = new TextEncoder();

const toBytes = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? encoder.encode(text) : text;

/** Writes numbers of 2, 4 or 8 bytes, little-endian. */
export const pack = (...fields: readonly (readonly [bytes: number, value: number])[]): Buffer => {
  const packed = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 8) packed.writeBigUInt64LE(BigInt(value), at);
    else packed.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return packed;
};

/** An extra field of a header. */
export const extraField = (id: number, data: Uint8Array): Buffer =>
  Buffer.concat([pack([2, id], [2, data.length]), data]);

const commonFields = (header: Header): Buffer =>
  pack(
    ...([
      [2, 20],
      [2, header.flags],
      [2, header.method],
      [4, 0x5a_21_00_00],
      [4, header.crc],
      [4, header.compressed],
      [4, header.size],
      [2, toBytes(header.name).length],
      [2, header.extra.length],
    ] as const),
  );

/** Writes a local header. */
export const writeLocal = (header: Header): Buffer =>
  Buffer.concat([pack([4, 0x04034b50]), commonFields(header), toBytes(header.name), header.extra]);

const writeCentral = (header: Header, mode: number, offset: number): Buffer =>
  Buffer.concat([
    // Made by Unix, version 2.0.
    pack([4, 0x02014b50], [2, 0x0314]),
    commonFields(header),
    pack([2, 0], [2, 0], [2, 0], [4, mode * 0x10000], [4, offset]),
    toBytes(header.name),
    header.extra,
  ]);

const toHeader = (entry: ZipEntry): { header: Header; data: Uint8Array } => {
  const content = toBytes(entry.content ?? '');
  const method = entry.method ?? 8;
  const data = entry.data ?? (method === 8 ? deflateRawSync(content) : content);
  const header: Header = {
    name: entry.name,
    // Names are in UTF-8.
    flags: entry.flags ?? (typeof entry.name === 'string' ? 0x800 : 0) + (entry.descriptor ? 8 : 0),
    method,
    crc: entry.crc ?? crc32(content),
    compressed: entry.compressed ?? data.length,
    size: entry.size ?? content.length,
    extra: entry.extra ?? Buffer.alloc(0),
  };
  return { header, data };
};

const writeDescriptor = (header: Header, lies: NonNullable<ZipEntry['descriptor']>): Buffer => {
  const { crc, compressed, size } = { ...header, ...lies };
  return pack([4, 0x08074b50], [4, crc], [4, compressed], [4, size]);
};

/** Writes the end of an archive, whose directory of a size begins at an offset. */
export const writeEnd = (
  entries: number,
  size: number,
  offset: number,
  { comment = Buffer.alloc(0), zip64, ...end }: ZipEnd,
): Buffer => {
  const parts: Buffer[] = [];
  const disk = end.disk ?? 0;
  if (zip64) {
    const count = zip64.count ?? entries;
    parts.push(
      pack([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, disk], [4, disk]),
      pack([8, count], [8, count], [8, size], [8, offset]),
      pack([4, 0x07064b50], [4, 0], [8, zip64.offset ?? offset + size], [4, 1]),
    );
  }
  const count = end.count ?? (zip64 ? 0xffff : entries);
  parts.push(
    pack([4, 0x06054b50], [2, disk], [2, disk], [2, count], [2, count]),
    pack([4, end.directorySize ?? size], [4, end.directoryOffset ?? offset], [2, comment.length]),
    Buffer.from(comment),
  );
  return Buffer.concat(parts);
};

/** Writes an archive, of which each field can lie. */
export const createZip = (entries: readonly ZipEntry[], end: ZipEnd = {}): Buffer => {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  const add = (part: Uint8Array): void => {
    parts.push(part);
    at += part.length;
  };
  for (const entry of entries) {
    const { header, data } = toHeader(entry);
    directory.push(writeCentral(header, entry.mode ?? 0o100644, entry.offset ?? at));
    const unknown = entry.descriptor ? { crc: 0, compressed: 0, size: 0 } : {};
    add(writeLocal({ ...header, ...unknown, ...entry.local }));
    add(data);
    if (entry.descriptor) add(writeDescriptor(header, entry.descriptor));
  }
  const central = Buffer.concat(directory);
  return Buffer.concat([
    end.prepended ?? Buffer.alloc(0),
    ...parts,
    central,
    writeEnd(entries.length, central.length, at, end),
    end.appended ?? Buffer.alloc(0),
  ]);
};

/** Writes an archive of files by their paths. */
export const zipFiles = (files: Readonly<Record<string, string | Uint8Array>>): Buffer =>
  createZip(Object.entries(files).map(([name, content]) => ({ name, content })));
