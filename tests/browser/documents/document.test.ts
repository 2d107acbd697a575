// Writing a document. The route is in `api/documents/`, conflicts in `document-conflict.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { text } from '../../support/pages/composer-page.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { ann, bob, codeMirror, start, stateIs, textIs, title } from '../flows/document.ts';

describe.skipIf(!hasBrowser)('a document in a browser', () => {
  it('saves itself, its title too, and shows what it looks like', async () => {
    const { open, path, stored } = await start();
    const { page, complaints } = await open(ann, path);
    await codeMirror(page);
    await stateIs(page, 'Saved');
    await page.locator('.preview h1', { hasText: 'Plans' }).waitFor();
    await text(page).press('Control+End');
    await page.keyboard.type(' Second.');
    await stateIs(page, 'Saved');
    await expect.poll(async () => (await stored()).content).toBe('# Plans\n\nFirst. Second.');
    await page.locator('.preview', { hasText: 'First. Second.' }).waitFor();
    await inspect(page, 'document');
    await title(page).fill('Plans of May');
    await page.keyboard.press('Control+s');
    await stateIs(page, 'Saved');
    await expect.poll(() => stored()).toMatchObject({ title: 'Plans of May', version: 3 });
    await title(page).fill('Paid in $& more');
    // The alert of the new sign-in may have come.
    await expect.poll(() => page.title()).toMatch(/^(\(1\) )?Paid in \$& more · Handbill$/);
    expect(complaints).toEqual([]);
  });

  it('keeps an unsaved change across reload and sign-out, for its user only', async () => {
    const { open, path, url, stored } = await start();
    const { page } = await open(ann, path);
    await codeMirror(page);
    await page.route('**/api/documents/*', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await text(page).press('Control+End');
    await page.keyboard.type(' Kept.');
    await stateIs(page, 'Offline. Kept here, and sent when you’re back.');
    await page.reload();
    await page.getByText('Your unsaved changes are back.').waitFor();
    await textIs(page, '# Plans\n\nFirst. Kept.');

    // Another user in the same browser sees what is stored.
    const context = page.context();
    const become = (email: string) =>
      context.request.post(`${url}/api/auth/login`, {
        data: { email, password: 'correct horse' },
        headers: { origin: url },
      });
    await become('mod@example.com');
    await page.goto(url + path);
    await codeMirror(page);
    await textIs(page, '# Plans\n\nFirst.');
    await become(ann);
    await page.unroute('**/api/documents/*');
    await page.goto(url + path);
    await textIs(page, '# Plans\n\nFirst. Kept.');
    await stateIs(page, 'Saved');
    await expect.poll(async () => (await stored()).content).toBe('# Plans\n\nFirst. Kept.');
  });

  it('is shown to readers, who see why they can’t change it', async () => {
    const { open, path, change } = await start();
    const { page, complaints } = await open(bob, path);
    await page.getByText('You can read this document. Ann decides who can change it.').waitFor();
    await page.locator('.preview h1', { hasText: 'Plans' }).waitFor();
    await expect.poll(() => page.locator('textarea, .cm-content, #save-state').count()).toBe(0);
    await change({ visibility: 'private' });
    await page.reload();
    await page.getByRole('heading', { name: 'No such document' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
