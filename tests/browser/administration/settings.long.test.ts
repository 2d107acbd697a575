import { describe, expect, it } from 'vitest';
import { jobKeys } from '../../../shared/jobs/keys.ts';
import { hasBrowser } from '../../support/pages/browser.ts';
import { root, startConsole } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { startOwnService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('the settings in a browser', () => {
  /** What the page says of jobs: those of sign-ins may still run. */
  const jobs = /\d+ waiting, \d+ running, \d+ due later/;

  it('says what fails, and checks again', async () => {
    const { open } = await startConsole(browser, [], startOwnService);
    const { page } = await open(root, '/settings');
    await page.getByText(jobs).waitFor();
    await page.route('**/api/settings/**', (route) =>
      route.fulfill({ status: 503, json: { error: { message: 'Busy. Try again.' } } }),
    );
    await page.getByRole('button', { name: 'Send test email' }).click();
    await page.locator('.toast').getByText('Busy. Try again.').waitFor();
    await page.getByRole('button', { name: 'Check again' }).click();
    await expect
      .poll(() => page.locator('#settings').getByText('Busy. Try again.').count())
      .toBe(2);
    await page.unroute('**/api/settings/**');
    await page.getByRole('button', { name: 'Check again' }).click();
    await expect
      .poll(() => page.locator('#settings').getByText('Busy. Try again.').count())
      .toBe(0);
  });

  it('lists the jobs that failed, and tries them again', async () => {
    const { open, store, url, token } = await startConsole(browser, [
      { name: 'Vera', role: 'guest', permissions: ['settings:view'] },
    ]);
    for (const [kind, error] of [
      ['invitation-email', 'MailSetupError'],
      ['delete-revisions', 'TimeoutError'],
    ]) {
      const failedAt = Date.now();
      const id = `${failedAt}-${kind}`;
      const data = { id: 'gone', userId: 1 };
      await store({
        ...jobKeys.failed.at({ id }),
        ...{ id, kind, error, queue: 'work', failedAt: new Date(failedAt).toISOString() },
        message: JSON.stringify({ id: kind, kind, data }),
      });
    }
    const { page, complaints } = await open(root, '/settings', { width: 390, height: 844 });
    const list = page.getByRole('region', { name: 'Failed jobs' });
    await list.getByText('MailSetupError').waitFor();
    await expect.poll(() => list.getByRole('listitem').count()).toBe(2);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await inspect(page, 'settings-failed-jobs');
    const again = list.getByRole('button', { name: 'Try again: delete-revisions' });
    await again.focus();
    await page.keyboard.press('Enter');
    await page.getByText('delete-revisions runs again within a minute').waitFor();
    await expect
      .poll(() => list.getByRole('listitem').allInnerTexts())
      .toEqual([expect.stringContaining('invitation-email')]);
    await list.getByRole('button', { name: 'Try again: invitation-email' }).click();
    await list.waitFor({ state: 'detached' });
    const retries = async () =>
      (await send(`${url}/api/audit?action=job.retry`, { token })).body.data.items;
    await expect.poll(retries).toHaveLength(2);
    expect(complaints).toEqual([]);
    const { page: other } = await open('vera@example.com', '/settings');
    await other.getByText(jobs).waitFor();
    await expect.poll(() => other.getByText('Failed jobs').count()).toBe(0);
  });

  it('says that a failed job could not be tried again', async () => {
    const { open } = await startConsole(browser, [], startOwnService);
    const { page } = await open(root, '/settings');
    const id = `${Date.now()}-gone`;
    const job = { id, kind: 'purge-share', queue: 'work', failedAt: new Date(), error: 'Error' };
    const url = '**/api/settings/failed-jobs';
    await page.route(url, (route) => route.fulfill({ json: { success: true, data: [job] } }));
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('button', { name: 'Try again: purge-share' }).click();
    await page.locator('.toast').getByText('Failed job not found.').waitFor();
  });

  it('is for users with its permission', async () => {
    const { open } = await startConsole(browser, [
      { name: 'Vera', role: 'guest', permissions: ['settings:view'] },
      { name: 'Ada', role: 'admin' },
    ]);
    const { page } = await open('vera@example.com', '/settings', { width: 390, height: 844 });
    await page.getByText(jobs).waitFor();
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await inspect(page, 'settings-phone');
    const { page: denied } = await open('ada@example.com', '/settings');
    await denied.getByRole('heading', { name: 'No access' }).waitFor();
  });
});
