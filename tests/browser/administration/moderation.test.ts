import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openOptions } from '../../support/pages/composer-page.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { admin, startFreshService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';

const ann = { email: 'ann@example.com', name: 'Ann', password: 'correct horse' };

describe.skipIf(!hasBrowser)('moderation in a browser', () => {
  /** Starts a service with a moderator, Ann, and these shares of hers. */
  const start = async (bodies: readonly object[]) => {
    const { url } = await startFreshService();
    const { token } = (
      await send(`${url}/api/auth/register`, {
        method: 'POST',
        body: { ...ann, confirmPassword: ann.password },
      })
    ).body;
    const ids: string[] = [];
    for (const body of bodies) {
      ids.push((await send(`${url}/api/share`, { method: 'POST', token, body })).body.id);
    }
    return {
      url,
      token,
      ids,
      report: (id: string, reason: string) =>
        send(`${url}/api/share/${id}/report`, { method: 'POST', body: { reason } }),
      signedIn: async (who: { email: string; password: string }) => {
        const context = await openContext(browser);
        const { email, password } = who;
        await context.request.post(`${url}/api/auth/login`, {
          data: { email, password },
          headers: { origin: url },
        });
        return context;
      },
    };
  };

  it('shows reported content in the sandbox and takes it down or keeps it', async () => {
    const { url, ids, report, signedIn, token } = await start([
      { content: '<p id="text">Bad <b>text</b></p>', title: 'Bad page' },
      { content: '# Fine', language: 'markdown', title: 'Fine page' },
    ]);
    const [bad = '', fine = ''] = ids;
    await report(bad, 'It asks for a password');
    await report(fine, 'I do not like it');
    const context = await signedIn(admin);
    const { page, complaints } = await openPage(context, `${url}/moderation`);
    await page.getByRole('link', { name: 'Bad page' }).waitFor();
    await inspect(page, 'moderation-list');
    await page.getByRole('link', { name: 'Bad page' }).click();
    await page.getByText('It asks for a password').waitFor();
    const frame = page.frameLocator('#preview iframe');
    expect(await frame.locator('#text').innerText()).toBe('Bad text');
    expect(await page.locator('#preview iframe').getAttribute('sandbox')).not.toContain('origin');
    const { page: looked } = await openPage(context, page.url());
    await looked.frameLocator('#preview iframe').locator('#text').waitFor();
    for (const width of [1280, 390]) {
      await looked.setViewportSize({ width, height: 900 });
      await inspect(looked, `moderation-review-${width}`);
    }
    await looked.close();

    // Uses the keyboard, because a click right after a scroll may hit the frame in its other process.
    const press = (name: string) => page.getByRole('button', { name }).first().press('Enter');
    // A new report must be seen before a decision.
    await report(bad, 'And it is ugly');
    await press('Take down');
    await page.getByText('This share changed or was reported again.').waitFor();
    await page.getByText('And it is ugly').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await press('Take down');
    await page.getByText('“Bad page” taken down').waitFor();
    expect((await send(`${url}/api/share?id=${bad}`)).status).toBe(410);
    // The next one opens by itself.
    await page.getByRole('dialog', { name: 'Fine page' }).waitFor();
    await frame.getByRole('heading', { name: 'Fine' }).waitFor();
    await page.keyboard.press('2');
    await page.getByText('“Fine page” kept').waitFor();
    await page.getByText('No shares are waiting for a decision').waitFor();
    await inspect(page, 'moderation-none');
    await page.getByRole('button', { name: 'All shares' }).click();
    await page.getByRole('link', { name: 'Bad page' }).click();
    const review = page.getByRole('dialog', { name: 'Bad page' });
    await review.getByText(/^Taken down by /).waitFor();
    await review.getByRole('link', { name: 'Ann' }).click();
    await page.getByRole('button', { name: 'Shares of Ann' }).waitFor();
    expect(await page.locator('#moderation tbody tr').count()).toBe(2);
    await inspect(page, 'moderation-of-owner');
    const { body } = await send(`${url}/api/notifications`, { token });
    expect(body.data.items.map(({ title }: { title: string }) => title)).toEqual([
      'Your share was reviewed',
      'Your share was taken down',
    ]);
    // Browsers log the expected rejection of the decision.
    expect(complaints.filter((one) => !one.includes('412'))).toEqual([]);
  });

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
    expect([await readStatus(first), await readStatus(second)]).toEqual([410, 200]);

    // “Try again” is about the share whose decision failed.
    await waitForShare('Third');
    await page.route('**/decision', (route) => route.fulfill({ status: 500, body: '{}' }));
    await page.keyboard.press('1');
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute('**/decision');
    await page.getByRole('link', { name: 'Fourth' }).click();
    await waitForShare('Fourth');
    await again.click();
    await page.getByText(/^“(Third|Fourth)” taken down$/).waitFor();
    expect([await readStatus(third), await readStatus(ids[3] ?? '')]).toEqual([410, 200]);
    await page.getByRole('dialog', { name: 'Fourth' }).waitFor();

    // Without single keys, only buttons decide.
    await page.evaluate(() => localStorage.setItem('single-keys', 'off'));
    await page.keyboard.press('1');
    await page.getByRole('button', { name: 'Keep' }).press('Enter');
    await page.getByText('“Fourth” kept').waitFor();
  });

  it('shows nothing to users without permission', async () => {
    const { url, ids, signedIn } = await start([{ content: 'x' }]);
    const { page } = await openPage(await signedIn(ann), `${url}/moderation?open=${ids[0]}`);
    await page.getByRole('heading', { name: 'No access' }).waitFor();
    expect(await page.locator('#moderation').count()).toBe(0);
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
