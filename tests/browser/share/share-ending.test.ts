import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openPage } from '../../support/pages/open-page.ts';
import { start } from '../flows/share-ending.ts';

describe.skipIf(!hasBrowser)('ending a share on its page', () => {
  it('stops at once and can be taken back by keyboard', async () => {
    const { owner, share, state } = await start({});
    const { page, complaints } = await openPage(owner, share.url);
    const stop = page.getByRole('button', { name: 'Stop', exact: true });
    await stop.press('Enter');
    await page.getByText('Stopped. The link no longer works.').waitFor();
    await page.getByText('Ended on').waitFor();
    expect(await state()).toBe('owner');
    await inspect(page, 'share-stopped');
    // Pressed by a key, Stop has led to Undo.
    await page.keyboard.press('Enter');
    await page.getByText('The link works again.').waitFor();
    expect(await state()).toBe(null);
    expect(await stop.evaluate((button) => button === document.activeElement)).toBe(true);
    await stop.click();
    await page.getByText('Ended on').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: /^Ended on \d+ \w+$/ }).waitFor();
    await page.getByText('You stopped sharing it. It was never opened.').waitFor();
    await inspect(page, 'share-own-ended');
    expect(await state()).toBe('owner');
    expect(complaints.filter((text) => !text.includes('410'))).toEqual([]);
  });
});
