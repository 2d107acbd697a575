// The envelopes of sealed shares in a browser, whose WebCrypto isn’t that of Node.js.
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { startComposer } from '../../support/pages/composer-page.ts';
import { openContext } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { bundleSealed, openedVectors, openVectors } from '../../support/shares/sealed-script.ts';

describe.skipIf(!hasBrowser)('sealed envelopes in Chromium', () => {
  it('are those of the vectors, and are sealed again', async () => {
    const url = await startComposer();
    const page = await (await openContext(browser)).newPage();
    // WebCrypto is there for secure origins only, as this host is.
    await page.goto(`${url}/api/docs`);
    await page.evaluate(`${await bundleSealed()};globalThis.sealed = sealed`);
    expect(await page.evaluate(openVectors)).toEqual(openedVectors);
  });
});
