// The envelopes of sealed shares in a browser, whose WebCrypto isn’t that of Node.js.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { startComposer } from '../../support/pages/composer-page.ts';
import { openContext } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

const room = join(import.meta.dirname, '../../../functions/web/browser/sealed');

const vectors = JSON.parse(readFileSync(join(room, 'vectors.json'), 'utf8'));

/** Bundles the module as a script that leaves it in `sealed`. */
const bundle = async (): Promise<string> => {
  const { outputFiles } = await build({
    stdin: {
      contents: "export * from './key.ts'; export * from './content.ts';",
      resolveDir: room,
    },
    ...{ bundle: true, write: false, format: 'iife', globalName: 'sealed' },
  });
  return outputFiles[0]?.text ?? '';
};

const openAll = `(async (vectors) => {
  const opened = [];
  for (const { fragment, passphrase, envelope } of vectors) {
    const key = await sealed.readKey(fragment, passphrase);
    const content = await sealed.openContent(key, envelope);
    const again = await sealed.openContent(key, await sealed.sealContent(key, content));
    opened.push({ proof: await sealed.toProof(key), content, again });
  }
  return opened;
})`;

describe.skipIf(!hasBrowser)('sealed envelopes in Chromium', () => {
  it('are those of the vectors, and are sealed again', async () => {
    const url = await startComposer();
    const page = await (await openContext(browser)).newPage();
    // WebCrypto is there for secure origins only, as this host is.
    await page.goto(`${url}/api/docs`);
    await page.evaluate(`${await bundle()};globalThis.sealed = sealed`);
    const opened = await page.evaluate(`${openAll}(${JSON.stringify(vectors)})`);
    expect(opened).toEqual(
      vectors.map(({ proof, content }: Record<string, unknown>) => ({
        ...{ proof, content, again: content },
      })),
    );
  });
});
