import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openOptions } from '../../support/pages/composer-page.ts';
import { inspect, openPage } from '../../support/pages/open-page.ts';
import { admin } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';
import { ann, start } from '../flows/moderation.ts';

describe.skipIf(!hasBrowser)('moderation in a browser', () => {
  it('decides only on the share that was shown, once per key', async () => {
    const { url, ids, report, signedIn } = await start(
      ['First', 'Second', 'Third', 'Fourth'].map((title) => ({ content: title, title })),
    );
    for (const id of ids) await report(id, 'Spam');
    const [first = '', second = '', third = ''] = ids;
    const { page } = await openPage(await signedIn(admin), `${url}/moderation?open=${first}`);
    const waitForShare = async (name: string) => {
      const review = page.getByRole('dialog', { name });
      await review.getByRole('button', { name: 'Keep' }).waitFor();
    };
    const readStatus = async (id: string) => (await send(`${url}/api/share?id=${id}`)).status;
    await waitForShare('First');
    await page.keyboard.down('1');
    await page.getByText('“First” taken down').waitFor();
    // The key is still held when the next share opens.
    await waitForShare('Second');
    await page.keyboard.down('1');
    await page.keyboard.up('1');
    await page.keyboard.press('2');
    await page.getByText('“Second” kept').waitFor();
    await waitForShare('Third');
    // Sent once their toasts are gone.
    await expect.poll(() => readStatus(first)).toBe(410);
    expect(await readStatus(second)).toBe(200);

    // “Try again” is about the share whose decision failed.
    await page.route('**/decision', (route) => route.fulfill({ status: 500, body: '{}' }));
    await page.keyboard.press('1');
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute('**/decision');
    await waitForShare('Fourth');
    await again.click();
    await expect.poll(() => readStatus(third)).toBe(410);
    expect(await readStatus(ids[3] ?? '')).toBe(200);
    await page.getByRole('dialog', { name: 'Fourth' }).waitFor();

    // Without single keys, only buttons decide.
    await page.evaluate(() => localStorage.setItem('single-keys', 'off'));
    await page.keyboard.press('1');
    await page.getByRole('button', { name: 'Keep' }).press('Enter');
    await page.getByText('“Fourth” kept').waitFor();
  });

  it('offers to end a share instead of a limit that its views have reached', async () => {
    const { url, ids, signedIn } = await start([
      { content: 'x', title: 'First', viewLimit: 9 },
      { content: 'y', title: 'Second' },
    ]);
    const [first = '', second = ''] = ids;
    for (let views = 0; views < 7; views++) await send(`${url}/api/share?id=${first}`);
    const { page, complaints } = await openPage(await signedIn(ann), `${url}/?edit=${first}`);
    await page.getByText('You’re editing a share.').waitFor();
    await openOptions(page);
    await page.getByLabel('View limit').fill('5');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .locator('#share-viewLimit-wrong')
      .filter({ hasText: '7 views already counted' })
      .waitFor();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await inspect(page, `edit-limit-${width}`);
    }
    await page.getByRole('button', { name: 'End share now' }).click();
    await page.getByRole('heading', { name: 'This share has ended.' }).waitFor();
    expect((await send(`${url}/api/share?id=${first}`)).status).toBe(410);

    await page.getByRole('link', { name: 'Back to my shares' }).click();
    await page.getByRole('button', { name: 'Actions for Second' }).click();
    await page.getByRole('menuitem', { name: 'End now' }).click();
    await page.getByText('“Second” ended').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(async () => (await send(`${url}/api/share?id=${second}`)).status).toBe(410);
    await inspect(page, 'shares-ended');
    // Browsers log the expected rejection of the limit.
    expect(complaints.filter((one) => !one.includes('400'))).toEqual([]);
  });
});
