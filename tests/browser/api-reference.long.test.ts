// The smaller parts of the API reference: a console that doesn’t load, what names its controls, and copying. Its flows are in `api-reference.test.ts`.

import { describe, expect, it } from 'vitest';
import { findViolations } from '../support/pages/axe.ts';
import { hasBrowser } from '../support/pages/browser.ts';
import { openSignedIn, startComposer } from '../support/pages/composer-page.ts';
import { openContext } from '../support/pages/open-page.ts';
import { browser } from '../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('the API reference', () => {
  it('says where the console was wanted that it didn’t load, and tries again', async () => {
    const url = await startComposer();
    const { page } = await openSignedIn(browser, url, '/account');
    await page.route('**/swagger-ui-bundle.js', (route) => route.abort(), { times: 1 });
    await page.goto(`${url}/api/docs/checkin`);
    const section = page.locator('#checkIn');
    await section.getByRole('button', { name: 'Try it' }).click();
    await section.getByText('Couldn’t load the console. Try again.').waitFor();
    await section.getByRole('button', { name: 'Try it' }).click();
    await section.locator('.opblock').waitFor();
  });

  it('names all controls of the console', async () => {
    const url = await startComposer();
    const { page } = await openSignedIn(browser, url, '/api/docs/share#createShare');
    const section = page.locator('#createShare');
    await section.getByRole('button', { name: 'Try it' }).click();
    await page.getByRole('combobox', { name: 'notify' }).waitFor();
    // The console is a `main` of its own within the page’s, which only a role can undo.
    const isOfMain = (one: string) => one.startsWith('aria-allowed-role #operations');
    expect((await findViolations(page)).filter((one) => !isOfMain(one))).toEqual([]);
  });

  it('copies the command of an operation', async () => {
    const url = await startComposer();
    const context = await openContext(browser, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    await page.goto(`${url}/api/docs/checkin`);
    await page.locator('#checkIn').getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `curl -X POST "${url}/api/checkin" \\\n  -H "Authorization: Bearer $TOKEN"`,
    );
  });
});
