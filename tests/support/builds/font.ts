import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Returns the path of a font in WOFF2. */
export const findFont = (): string =>
  join(
    dirname(createRequire(import.meta.url).resolve('@fontsource-variable/inter/package.json')),
    'files/inter-latin-wght-normal.woff2',
  );
