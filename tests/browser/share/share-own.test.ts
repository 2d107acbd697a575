import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { arrive } from '../flows/share-cdn.ts';
import { start } from '../flows/share-ending.ts';

describe.skipIf(!hasBrowser)('an own share in a browser', () => {
  it('opens from a link of another site without a view or password, and says that it is the owner’s', async () => {
    const { owner, share, views } = await start({ viewLimit: 1, password: 'Abc123' });
    const { page, complaints } = await openPage(owner, 'about:blank');
    await arrive(page, share.url);
    await page.getByText('This is yours').waitFor();
    await page.getByText('0 views · anyone with the link and the password').waitFor();
    await page.getByRole('heading', { name: 'Offer', level: 1 }).waitFor();
    await inspect(page, 'share-own');
    await page.reload();
    await page.getByText('This is yours').waitFor();
    expect(await views()).toBe(0);
    const { page: theirs } = await openPage(await openContext(browser), 'about:blank');
    await arrive(theirs, share.url);
    await theirs.getByLabel('Password').waitFor();
    expect(complaints).toEqual([]);
  });
});
