import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { arrive } from '../flows/share-cdn.ts';
import { start } from '../flows/share-ending.ts';

describe.skipIf(!hasBrowser)('an own share in a browser', () => {
  it('opens from a link of another site without a view or password, and is previewed until Esc', async () => {
    const { owner, share, views } = await start({ viewLimit: 1, password: 'Abc123' });
    const { page, complaints } = await openPage(owner, 'about:blank');
    await arrive(page, share.url);
    await page.getByText('This is yours').waitFor();
    await page.getByText('Not opened yet · ends with the first opening').waitFor();
    await page.getByRole('heading', { name: 'Offer', level: 1 }).waitFor();
    await inspect(page, 'share-own');
    await page.getByRole('link', { name: 'Preview' }).click();
    await page.getByText('no view is counted').waitFor();
    await inspect(page, 'share-preview');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Raw' }).waitFor({ state: 'hidden' });
    expect(page.url()).toContain('?preview');
    await page.keyboard.press('Escape');
    await page.getByText('This is yours').waitFor();
    await page.goBack();
    expect(page.url()).toMatch(/^data:/);
    expect(await views()).toBe(0);
    const { page: theirs } = await openPage(await openContext(browser), 'about:blank');
    await arrive(theirs, share.url);
    await theirs.getByLabel('Password').waitFor();
    expect(complaints).toEqual([]);
  });
});
