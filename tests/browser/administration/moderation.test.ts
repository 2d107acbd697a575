import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { admin } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';
import { start } from '../flows/moderation.ts';

describe.skipIf(!hasBrowser)('moderation in a browser', () => {
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
    await page.getByRole('link', { name: 'Bad page' }).click();
    await page.getByText('It asks for a password').waitFor();
    const frame = page.frameLocator('#preview iframe');
    await expect.poll(() => frame.locator('#text').innerText()).toBe('Bad text');
    await expect
      .poll(() => page.locator('#preview iframe').getAttribute('sandbox'))
      .not.toContain('origin');

    // Uses the keyboard, because a click right after a scroll may hit the frame in its other process.
    const press = (name: string) => page.getByRole('button', { name }).first().press('Enter');
    /** Closes the toast, after which a decision can't be undone, unless its time is over. */
    const settle = async () => {
      const dismiss = page.getByRole('button', { name: 'Dismiss' }).first();
      await dismiss.press('Enter', { timeout: 2_000 }).catch(() => {});
    };
    const statusOf = async (id: string) => (await send(`${url}/api/share?id=${id}`)).status;
    // A decision can be undone while its toast is there.
    await page.getByLabel('Reason for the owner').fill('It copies a sign-in page.');
    await press('Take down');
    // It stays while the pointer is over it.
    await page.getByText('“Bad page” taken down').hover();
    // The next one opens by itself.
    await page.getByRole('dialog', { name: 'Fine page' }).waitFor();
    await page.getByText('1 waiting').waitFor();
    await press('Undo');
    await page.getByText('2 waiting').waitFor();
    expect(await statusOf(bad)).toBe(200);
    // What was undone is open again, with what was written.
    await page.getByRole('dialog', { name: 'Bad page' }).waitFor();
    // A new report must be seen before a decision.
    await report(bad, 'And it is ugly');
    expect(await page.getByLabel('Reason for the owner').inputValue()).toMatch(/^It copies/);
    await press('Take down');
    await settle();
    await page.getByText('It changed or was reported again.').waitFor();
    await page.getByText('And it is ugly').waitFor();
    await settle();
    expect(await page.getByLabel('Reason for the owner').inputValue()).toMatch(/^It copies/);
    await press('Take down');
    await settle();
    await expect.poll(() => statusOf(bad)).toBe(410);
    await page.getByRole('dialog', { name: 'Fine page' }).waitFor();
    await frame.getByRole('heading', { name: 'Fine' }).waitFor();
    await page.keyboard.press('2');
    await page.getByText('“Fine page” kept').waitFor();
    await page.getByText('No shares are waiting for a decision').waitFor();
    await settle();
    await page.getByRole('button', { name: 'All shares' }).click();
    await page.getByRole('link', { name: 'Bad page' }).click();
    const review = page.getByRole('dialog', { name: 'Bad page' });
    await review.getByText(/^Taken down by /).waitFor();
    await review.getByText('It copies a sign-in page.').waitFor();
    await review.getByRole('link', { name: 'Ann' }).click();
    await page.getByRole('button', { name: 'Shares of Ann' }).waitFor();
    await expect.poll(() => page.locator('#moderation tbody tr').count()).toBe(2);
    const told = async () => {
      const { body } = await send(`${url}/api/notifications`, { token });
      return body.data.items.map(({ title }: { title: string }) => title);
    };
    await expect.poll(told).toEqual(['Your share was reviewed', 'Your share was taken down']);
    // Browsers log the expected rejection of the decision.
    expect(complaints.filter((one) => !one.includes('412'))).toEqual([]);
  });

  it('lists reported requests, and takes one down', async () => {
    const { url, signedIn, token } = await start([]);
    const body = { title: 'Access to the tool', note: 'Your password, please.' };
    const request = (await send(`${url}/api/share/requests`, { method: 'POST', token, body })).body;
    const visitor = await openPage(await openContext(browser), `${request.url}/report`);
    await visitor.page.getByLabel('What’s wrong with it?').fill('It asks for passwords.');
    await visitor.page.getByRole('button', { name: 'Send report' }).click();
    await visitor.page.getByRole('heading', { name: 'Report sent' }).waitFor();
    const { page, complaints } = await openPage(await signedIn(admin), `${url}/moderation`);
    await page.getByRole('button', { name: 'Requests' }).click();
    await page.getByRole('link', { name: 'Access to the tool' }).click();
    const review = page.getByRole('dialog', { name: 'Access to the tool' });
    await review.getByText('It asks for passwords.').waitFor();
    await review.getByText('Your password, please.').waitFor();
    await inspect(page, 'moderation-request');
    await page.getByRole('heading', { name: 'Access to the tool' }).focus();
    await page.keyboard.press('1');
    await page.getByText('“Access to the tool” taken down').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await review.waitFor();
    await review.getByLabel('Reason for the owner').fill('Nobody may ask for passwords.');
    await review.getByRole('button', { name: 'Take down' }).click();
    await page.getByText('No requests are waiting for a decision').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).last().click();
    const statusOf = async () =>
      (await send(`${url}/api/share/requests/${request.id}`, { token })).body.status;
    await expect.poll(statusOf).toBe('taken-down');
    expect((await fetch(request.url)).status).toBe(410);
    expect(complaints).toEqual([]);
  });
});
