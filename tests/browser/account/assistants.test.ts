import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { admin, startFreshService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';

const path = '/account?tab=assistants';

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
  const open = async (query = '') => {
    await page.goto(url + path + query);
    await page.getByRole('heading', { name: 'Connect an assistant' }).waitFor();
  };
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  return { url, page, complaints, open, region };
};

const isFocused = (page: Page, name: string) =>
  expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(name);

const readClipboard = (page: Page) =>
  page.evaluate('navigator.clipboard.readText()') as Promise<string>;

describe.skipIf(!hasBrowser)('connecting an assistant in a browser', () => {
  it('copies the address, and chooses a way by the keys of a radio group', async () => {
    const { url, page, complaints, open, region } = await start();
    await open();
    const card = region('Connect an assistant');
    await card.getByRole('button', { name: 'Copy: address' }).press('Enter');
    await page.getByText('Copied', { exact: true }).waitFor();
    expect(await readClipboard(page)).toBe(`${url}/mcp`);
    await card.getByText('Where do I add it?').click();
    await card.getByRole('button', { name: 'Copy: Claude Code' }).click();
    await expect
      .poll(() => readClipboard(page))
      .toBe(`claude mcp add --transport http handbill ${url}/mcp`);
    await inspect(page, 'account-assistants-address');

    await card.getByRole('radio', { name: 'By address' }).press('ArrowRight');
    await page.waitForURL(`${url}${path}&by=command`);
    await card.getByText('Create a token with what it may do.').waitFor();
    await card.getByRole('radio', { name: 'By command' }).press('ArrowRight');
    await page.waitForURL(`${url}${path}&by=token`);
    await page.reload();
    await expect.poll(() => card.getByRole('radio', { name: 'By token' }).isChecked()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('creates a token of a preset, copies the configuration with it and asks before it is lost', async () => {
    const { url, page, complaints, open, region } = await start();
    await open('&by=command');
    const card = region('Connect an assistant');
    await card.getByText('Only private, up to 7 days, 20 a day.').waitFor();
    await card.getByText('Says “Connected as').waitFor();
    await card.getByRole('button', { name: 'Create token' }).click();
    await card.getByText('You won’t see it again.').waitFor();
    await isFocused(page, 'Copy: configuration');
    await inspect(page, 'account-assistants-created');

    await page.getByRole('navigation', { name: 'Parts' }).getByText('API tokens').click();
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await question.getByText('the token that you haven’t copied').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    await card.getByRole('button', { name: 'Copy: configuration' }).press('Enter');
    await page.getByText('Copied', { exact: true }).waitFor();
    const { env } = JSON.parse(await readClipboard(page)).mcpServers.handbill;
    expect(env.HANDBILL_URL).toBe(url);
    await card.getByRole('button', { name: 'Copy: command that checks it' }).press('Enter');
    await expect
      .poll(() => readClipboard(page))
      .toBe(
        `HANDBILL_URL=${url} \\\n  HANDBILL_TOKEN=${env.HANDBILL_TOKEN} \\\n  handbill mcp --check`,
      );
    for (const snippet of await card.locator('.snip').all()) {
      const text = await snippet.locator('pre').boundingBox();
      const button = await snippet.getByRole('button').boundingBox();
      expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
    }

    const share = (body: object) =>
      send(`${url}/api/share`, {
        method: 'POST',
        token: env.HANDBILL_TOKEN,
        body: { content: 'Hi', ...body },
      });
    expect((await share({})).body).toMatchObject({ audience: 'private' });
    expect((await share({ audience: 'link' })).status).toBe(403);

    await page.getByRole('navigation', { name: 'Parts' }).getByText('API tokens').click();
    const tokens = region('API tokens');
    await tokens.getByText('Create, change and read shares').waitFor();
    await tokens.getByText('May publish: only private, up to 7 days, 20 a day').waitFor();
    await page.goBack();
    await card.getByText('Create a token with what it may do.').waitFor();
    await expect.poll(() => page.getByText(env.HANDBILL_TOKEN).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('creates a token that only reads, for a script', async () => {
    const { url, page, open, region } = await start();
    await open('&by=token');
    const card = region('Connect an assistant');
    await card.getByLabel('What it may do').selectOption('Read only');
    await card.getByText('Read shares and documents.').waitFor();
    await card.getByRole('button', { name: 'Create token' }).click();
    await isFocused(page, 'Copy: header');
    await card.getByRole('button', { name: 'Copy: header' }).press('Enter');
    await page.getByText('Copied', { exact: true }).waitFor();
    const token = (await readClipboard(page)).replace('Authorization: Bearer ', '');
    await card.getByText(token).nth(1).waitFor();
    const { body } = await send(`${url}/api/auth/tokens`, { token });
    expect(body.error.code).toBe('FORBIDDEN');
    expect((await send(`${url}/api/documents`, { token })).status).toBe(200);
    const created = await send(`${url}/api/share`, {
      method: 'POST',
      token,
      body: { content: 'Hi' },
    });
    expect(created.status).toBe(403);
  });

  it.each([
    [{ REGISTRATION: 'open' }, 'here, anyone can register.'],
    [{ REGISTRATION: 'invite', MAX_AUDIENCE: 'people' }, 'pages can be only for chosen people.'],
  ])('says why no page can be for everyone here with %j', async (settings, why) => {
    const { open, region } = await start(settings);
    await open('&by=command');
    const card = region('Connect an assistant');
    await card.getByText(why).waitFor();
    await expect
      .poll(() => card.locator('option:disabled').allTextContents())
      .toEqual(['Publish for everyone here']);
  });

  it('offers pages for everyone here where its users are known', async () => {
    const { open, region } = await start({ REGISTRATION: 'invite' });
    await open('&by=command');
    const card = region('Connect an assistant');
    await card.getByLabel('What it may do').selectOption('Publish for everyone here');
    await card.getByText('Only for everyone here, up to 7 days, 20 a day.').waitFor();
    await expect.poll(() => card.getByText('is off').count()).toBe(0);
  });
});
