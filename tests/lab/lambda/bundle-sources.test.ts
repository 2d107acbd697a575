// Foreign code in a bundle is found. That the bundles contain none is in `functions.test.ts`.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { foreignSources, sourcesIn } from './bundle-sources.ts';

describe('the bundles', () => {
  it.each([
    [
      "import ical from 'ical.js'; export const handler = () => ical.parse('');",
      'node_modules/ical.js',
    ],
    [
      "export { keepSecret as handler } from './tests/support/run/secrets.ts';",
      'tests/support/run/secrets.ts',
    ],
    [
      "export { listen as handler } from './infra/local/aws/host/listen.ts';",
      'infra/local/aws/host/listen.ts',
    ],
  ])('are caught with %s', async (contents, source) => {
    const folder = mkdtempSync(join(tmpdir(), 'handbill-bundle-'));
    await build({
      stdin: {
        contents,
        resolveDir: join(import.meta.dirname, '../../..'),
        sourcefile: 'functions/x/index.ts',
      },
      outfile: join(folder, 'index.js'),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      mainFields: ['module', 'main'],
      sourcemap: 'external',
      packages: contents.includes('ical.js') ? 'bundle' : 'external',
      logLevel: 'silent',
    });
    expect(foreignSources(sourcesIn(folder))).toContain(source);
    rmSync(folder, { recursive: true });
  });
});
