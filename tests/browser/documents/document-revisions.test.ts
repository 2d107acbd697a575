// Former contents of a document. The routes are in `api/documents/`.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { text } from '../../support/pages/composer-page.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { ann, codeMirror, menu, start, stateIs, textIs } from '../flows/document.ts';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page) => page.getByRole('heading', { name: 'Revisions', exact: true });
const diff = (page: Page) => page.getByRole('group', { name: 'Differences' });
const diffIs = (page: Page, expected: string) =>
  expect.poll(async () => (await diff(page).innerText()).trim()).toContain(expected);

/** Starts a service with a document of Ann’s that Mod has changed, and opens it as Ann. */
const startRevised = async (viewport?: { readonly width: number; readonly height: number }) => {
  const service = await start();
  const { open, path, url, signIn } = service;
  const token = await signIn('mod@example.com');
  const asMod = async (body: object) => {
    const options = { method: 'PUT', headers: { authorization: `Bearer ${token}` } };
    const sent = await fetch(`${url}/api${path}`, { ...options, body: JSON.stringify(body) });
    expect(sent.status).toBe(200);
  };
  await asMod({ content: '# Plans\n\nBy Mod.' });
  const { page, complaints } = await open(ann, path, viewport);
  await codeMirror(page);
  await stateIs(page, 'Saved');
  return { ...service, page, complaints, asMod };
};

const openRevisions = async (page: Page) => {
  await menu(page, 'Revisions');
  await heading(page).waitFor();
};

describe.skipIf(!hasBrowser)('the revisions of a document, in a browser', () => {
  it('show who wrote what, and are restored with Undo', async () => {
    const { page, stored, complaints } = await startRevised();
    await text(page).press('Control+End');
    await page.keyboard.type(' More.');
    // What is written is saved first.
    await openRevisions(page);
    await expect.poll(() => page.getByRole('listitem').count()).toBe(2);
    await expect
      .poll(() => page.getByRole('listitem').allInnerTexts())
      .toEqual([expect.stringContaining('Mod'), expect.stringContaining('You')]);
    await diffIs(page, '-By Mod.\n');
    await diffIs(page, '+By Mod. More.');
    await inspect(page, 'document revisions');

    await page.getByRole('listitem').last().getByRole('button').click();
    await diffIs(page, '-First.\n');
    await press(page, 'Next revision');
    await expect.poll(() => diff(page).innerText()).not.toContain('More');
    await press(page, 'Restore');
    await page.getByText(/^Restored the revision of /).waitFor();
    await heading(page).waitFor({ state: 'hidden' });
    await textIs(page, '# Plans\n\nFirst.');
    await stateIs(page, 'Saved');
    await expect.poll(async () => (await stored()).content).toBe('# Plans\n\nFirst.');

    await press(page, 'Undo');
    await textIs(page, '# Plans\n\nBy Mod. More.');
    await expect.poll(async () => (await stored()).content).toBe('# Plans\n\nBy Mod. More.');
    await stateIs(page, 'Saved');
    expect(complaints).toEqual([]);
  });

  it('are compared again if someone changes the document meanwhile, and are left by Escape and Back', async () => {
    const { page, stored, complaints, asMod } = await startRevised();
    await openRevisions(page);
    await diffIs(page, '+By Mod.');
    await asMod({ content: '# Plans\n\nBy Mod again.', title: 'Mod’s plans' });
    await press(page, 'Restore');
    await page.getByText('Someone changed this document.').waitFor();
    await diffIs(page, '+By Mod again.');
    await page.getByText('Title: “Plans”, then “Mod’s plans”').waitFor();
    expect((await stored()).content).toBe('# Plans\n\nBy Mod again.');

    await page.keyboard.press('Escape');
    await heading(page).waitFor({ state: 'hidden' });
    await textIs(page, '# Plans\n\nBy Mod again.');
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('Actions for this document');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Revisions' }).press('Enter');
    await heading(page).waitFor();
    await page.goBack();
    await heading(page).waitFor({ state: 'hidden' });
    await stateIs(page, 'Saved');
    expect(complaints.filter((one) => !one.includes('412'))).toEqual([]);
  });

  it('wait for what can’t be saved', async () => {
    const { page } = await startRevised();
    await page.route('**/api/documents/*', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await text(page).press('Control+End');
    await page.keyboard.type(' Unsaved.');
    await menu(page, 'Revisions');
    await page.locator('.toast').getByText('Not saved yet').waitFor();
    await page.unroute('**/api/documents/*');
    await press(page, 'Try again');
    await diffIs(page, '+By Mod. Unsaved.');
  });

  it('have the whole phone: the list, then what changed', async () => {
    const { page, stored, complaints } = await startRevised({ width: 390, height: 664 });
    await openRevisions(page);
    const entry = page.getByRole('listitem').getByRole('button');
    await entry.waitFor();
    await expect.poll(() => diff(page).isVisible()).toBe(false);
    await entry.click();
    await diffIs(page, '+By Mod.');
    await expect.poll(() => entry.isVisible()).toBe(false);
    await press(page, 'All revisions');
    await expect
      .poll(() => entry.evaluate((button) => button === document.activeElement))
      .toBe(true);
    await entry.press('Enter');
    await diffIs(page, '+By Mod.');
    await inspect(page, 'document revision');
    await press(page, 'Restore');
    await page.getByText(/^Restored the revision of /).waitFor();
    await expect.poll(async () => (await stored()).content).toBe('# Plans\n\nFirst.');
    expect(complaints).toEqual([]);
  });
});
