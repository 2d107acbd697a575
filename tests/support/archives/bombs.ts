import { constants, crc32, deflateRawSync } from 'node:zlib';
import { createZip, type Header, writeEnd, writeLocal, type ZipEntry } from './zip.ts';

const megabyte = 1024 * 1024;

/** Returns bytes that don’t compress. */
export const createNoise = (length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  let state = 1;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 16;
  }
  return bytes;
};

/** Compresses zeros without compressing each: a block of 16 MB is repeated, and an empty block ends them. */
export const deflateZeros = (blocks: number): Buffer => {
  const block = deflateRawSync(Buffer.alloc(16 * megabyte), {
    level: 9,
    finishFlush: constants.Z_FULL_FLUSH,
  });
  return Buffer.concat([...Array.from({ length: blocks }, () => block), Buffer.from([3, 0])]);
};

/** An entry of 4 GB of zeros in 4 MB. Its header may say that it is shorter. */
export const zeros = (size: number): ZipEntry => ({
  name: 'zeros.html',
  data: deflateZeros(256),
  size,
});

const numbered = (at: number): string => `${String(at).padStart(4, '0')}.txt`;

/**
 * Entries that quote each other: each is stored blocks with the header and data of the next one, so that all unpack the
 * same kernel (David Fifield, A better zip bomb).
 */
export const createQuotedBomb = (count: number): Buffer => {
  const kernel = createNoise(megabyte);
  let data: Buffer = deflateRawSync(kernel);
  let content: Buffer = kernel;
  const entries: { header: Header; fromEnd: number }[] = [];
  for (let at = count; at > 0; at--) {
    const header: Header = {
      ...{ name: numbered(at), flags: 0x800, method: 8, extra: Buffer.alloc(0) },
      ...{ crc: crc32(content), compressed: data.length, size: content.length },
    };
    const local = writeLocal(header);
    const whole = Buffer.concat([local, data]);
    entries.unshift({ header, fromEnd: whole.length });
    // A stored block quotes the header; the data goes on as blocks.
    const block = Buffer.alloc(5);
    block.writeUInt16LE(local.length, 1);
    block.writeUInt16LE(~local.length & 0xffff, 3);
    data = Buffer.concat([block, whole]);
    content = Buffer.concat([local, content]);
  }
  const files = data.subarray(5);
  const directory = createZip(
    entries.map(({ header, fromEnd }) => ({
      ...header,
      data: Buffer.alloc(0),
      offset: files.length - fromEnd,
    })),
  );
  const start = directory.indexOf('PK\x01\x02');
  const central = directory.subarray(start, directory.lastIndexOf('PK\x05\x06'));
  return Buffer.concat([files, central, writeEnd(count, central.length, files.length, {})]);
};

/** Entries that all point to the data of one. */
export const createSharedBomb = (count: number): Buffer =>
  createZip(
    Array.from({ length: count }, (_, at) => ({
      name: numbered(at),
      method: 0,
      content: createNoise(90_000),
      ...(at > 0 && { offset: 0, data: Buffer.alloc(0), compressed: 90_000 }),
    })),
  );

/** Entries without content. Their headers, and the directory, may be elsewhere than the archive says. */
export const createMany = (
  count: number,
  isZip64: boolean,
  lies?: { readonly offset: number },
): Buffer => {
  const nameLength = 6;
  const model = createZip([{ name: '0'.repeat(nameLength), method: 0 }]);
  const local = model.subarray(0, 30 + nameLength);
  const central = model.subarray(local.length, local.length + 46 + nameLength);
  const directoryOffset = count * local.length;
  const entries = Buffer.alloc(directoryOffset + count * central.length);
  for (let at = 0; at < count; at++) {
    const [offset, header] = [at * local.length, directoryOffset + at * central.length];
    local.copy(entries, offset);
    central.copy(entries, header);
    entries.writeUInt32LE(lies?.offset ?? offset, header + 42);
    const name = String(at).padStart(nameLength, '0');
    entries.write(name, offset + 30);
    entries.write(name, header + 46);
  }
  const end = writeEnd(count, count * central.length, lies?.offset ?? directoryOffset, {
    ...(isZip64 ? { zip64: {} } : { count: count & 0xffff }),
  });
  return Buffer.concat([entries, end]);
};
