// The API reference as its readers use it. What it says is in `web/docs/`; where its console fails in `api-reference.long.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/pages/browser.ts';
import { openSignedIn, startComposer } from '../support/pages/composer-page.ts';
import { inspect, openContext } from '../support/pages/open-page.ts';
import { browser } from '../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('the API reference', () => {
  it('opens at an operation, follows what is read, and finds operations by keyboard', async () => {
    const url = await startComposer();
    const { page, complaints } = await openSignedIn(
      browser,
      url,
      '/api/docs/share#listShareRevisions',
    );
    const current = page.locator('#operation-list details [aria-current]');
    await expect.poll(() => current.innerText()).toContain('List revisions of a share');
    await page.mouse.move(600, 400);
    await page.mouse.wheel(0, -100_000);
    await expect.poll(() => current.innerText()).toContain('Create a share');
    await page.keyboard.press('/');
    await page.keyboard.type('post document');
    const found = page.locator('#operation-list details a:visible');
    await expect.poll(() => found.first().innerText()).toContain('Create a document');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${url}/api/docs/documents#createDocument`);
    expect(complaints).toEqual([]);
  });

  it('reads without script, on phones too, and is accessible in light and dark', async () => {
    const url = await startComposer();
    const context = await openContext(browser, {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 664 },
    });
    const page = await context.newPage();
    await page.goto(`${url}/api/docs/share`);
    await page.getByRole('button', { name: 'Operations' }).click();
    await page.getByRole('link', { name: 'GET List revisions of a share' }).click();
    expect(page.url()).toBe(`${url}/api/docs/share#listShareRevisions`);
    await page
      .locator('#createShare')
      .getByText('Whether to generate a password.')
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: 'Try it' }).count()).toBe(0);
    const scripted = await (await openContext(browser)).newPage();
    for (const path of ['/api/docs', '/api/docs/share', '/api/docs/auth']) {
      await scripted.goto(`${url}${path}`);
      await inspect(scripted, `api-reference${path.replaceAll('/', '-')}`);
    }
  });

  it('loads the console for one operation when it is wanted, and sends as the signed-in user', async () => {
    const url = await startComposer();
    const { page, complaints, origins } = await openSignedIn(
      browser,
      url,
      '/api/docs/checkin#checkIn',
    );
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    expect(
      await page.evaluate(`performance.getEntriesByType('resource').map(({ name }) => name)
      .filter((name) => name.includes('swagger'))`),
    ).toEqual([]);
    const section = page.locator('#checkIn');
    await section.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('sends a real request as Ann').waitFor();
    expect(loaded).toContain('/api/docs/swagger-ui-bundle.js');
    expect(await page.locator('.opblock').count()).toBe(1);
    await section.getByRole('button', { name: 'Execute' }).click();
    const answer = section.locator('.live-responses-table');
    await expect.poll(() => answer.innerText()).toContain('"streak": 1');
    await section.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Try it');
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual([url]);
  });
});
