import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import subsetFont from 'subset-font';

const folder = dirname(
  createRequire(import.meta.url).resolve('@fontsource-variable/inter/package.json'),
);

/** Characters of Latin-1, and the punctuation, arrows and signs that the pages show. */
const characters = [
  ...Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCodePoint(0x20 + at)),
  ...Array.from({ length: 0x100 - 0xa0 }, (_, at) => String.fromCodePoint(0xa0 + at)),
  ...'–—‘’“”„…•‹›€′″−←↑→↓↵⌘×÷',
].join('');

/** Fields of the font that name its author and its licence. */
const licenceFields = [0, 13, 14];

/** Returns the part of Inter that the pages use, in the weights that they use. */
export const readFont = (): Promise<Uint8Array> =>
  subsetFont(readFileSync(join(folder, 'files/inter-latin-wght-normal.woff2')), characters, {
    targetFormat: 'woff2',
    preserveNameIds: licenceFields,
    variationAxes: { wght: { min: 400, max: 650 } },
  });
