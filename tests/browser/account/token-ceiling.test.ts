import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { admin, startFreshService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';

const start = async (settings: Record<string, string> = {}) => {
  const { url } = await startFreshService(settings);
  const context = await openContext(browser, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page, complaints } = await openPage(context, `${url}/login?next=/account`);
  await page.getByLabel('Email').fill(admin.email);
  await page.getByLabel('Password', { exact: true }).fill(admin.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`${url}/account`);
  await page.goto(`${url}/account?tab=tokens&new`);
  const drawer = page.getByRole('dialog', { name: 'Create token' });
  const audience = drawer.getByLabel('Who can open what it publishes');
  await audience.waitFor();
  const off = audience.locator('option:disabled');
  return { url, page, drawer, audience, off, complaints };
};

describe.skipIf(!hasBrowser)('the ceiling of a new API token in a browser', () => {
  it('proposes who can open new shares, and bounds what the token publishes', async () => {
    const { url, page, drawer, audience, off, complaints } = await start({
      REGISTRATION: 'invite',
      DEFAULT_AUDIENCE: 'members',
    });
    await expect.poll(() => audience.inputValue()).toBe('members');
    await expect.poll(() => off.count()).toBe(0);
    await drawer.getByText('only pages for').waitFor();
    await audience.selectOption('private');
    await drawer.getByText(/^only.*pages$/).waitFor();
    await drawer.getByLabel('Token name').fill('Release notes');
    await inspect(page, 'account-token-ceiling');
    await drawer.getByRole('button', { name: 'Create token' }).click();
    await page.getByText('May publish: only private, up to 7 days, 20 a day').waitFor();
    await page.getByRole('button', { name: 'Copy token' }).click();
    const token = (await page.evaluate('navigator.clipboard.readText()')) as string;
    const share = (body: object) =>
      send(`${url}/api/share`, { method: 'POST', token, body: { content: 'Hi', ...body } });
    expect((await share({})).body).toMatchObject({ audience: 'private' });
    const refused = await share({ audience: 'link', expiresIn: 8 * 86_400 });
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      'This token may publish only private pages, for up to 7 days.',
    ]);
    expect(complaints).toEqual([]);
  });

  it('says that pages can’t be for everyone here while anyone can register', async () => {
    const { drawer, audience, off } = await start({ REGISTRATION: 'open' });
    await expect.poll(() => audience.inputValue()).toBe('link');
    await expect.poll(() => off.allTextContents()).toEqual(['everyone here']);
    await drawer.getByText('Pages can’t be for everyone here while anyone').waitFor();
  });

  it('offers nobody whom the service excludes', async () => {
    const { audience } = await start({ REGISTRATION: 'invite', MAX_AUDIENCE: 'people' });
    await expect.poll(() => audience.inputValue()).toBe('people');
    const offered = await audience.locator('option').allTextContents();
    expect(offered).toEqual(['private', 'people you choose']);
  });
});
