import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openPage } from '../../support/pages/open-page.ts';
import { start } from '../flows/share-ending.ts';

describe.skipIf(!hasBrowser)('ending a share on its page', () => {
  it('asks the owner first, and ends it at once', async () => {
    const { owner, share, state } = await start({});
    const { page, complaints } = await openPage(owner, share.url);
    const stop = page.getByRole('button', { name: 'Stop', exact: true });
    await stop.click();
    const question = page.getByRole('alertdialog', { name: 'Stop sharing?' });
    await question.getByRole('button', { name: 'Keep sharing' }).click();
    await expect.poll(() => question.isVisible()).toBe(false);
    await expect.poll(() => state()).toBe(null);
    await stop.click();
    await question.getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByRole('heading', { name: 'This share has ended' }).waitFor();
    await expect.poll(() => state()).toBe('owner');
    expect(complaints.filter((text) => !text.includes('410'))).toEqual([]);
  });
});
