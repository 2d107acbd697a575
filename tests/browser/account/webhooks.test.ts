import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { admin } from '../../support/run/fresh-service.ts';
import { send, startProcess, temporaryFolder } from '../../support/run/process.ts';

const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 664 };

const internet = new URL('../../support/outbound/served-internet.ts', import.meta.url).pathname;

const hosts = {
  works: 'https://works.clients.example.com/handbill',
  fails: 'https://fails.clients.example.com/in',
  recovers: 'https://recovers.clients.example.com/in',
} as const;

/** Starts a service whose internet is that of the test, and opens the webhooks of its super_admin. */
const start = async (viewport = desk) => {
  const { url } = await startProcess(
    {
      DATA_DIR: await temporaryFolder(),
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      RATE_LIMIT_FACTOR: '1000',
    },
    [],
    internet,
  );
  const signedIn = await send(`${url}/api/auth/login`, { method: 'POST', body: admin });
  const { token } = signedIn.body;
  const context = await openContext(browser, {
    viewport,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await context.request.post(`${url}/api/auth/login`, { data: admin, headers: { origin: url } });
  const api = async (path: string, body: object) =>
    (await send(`${url}/api/webhooks${path}`, { method: 'POST', token, body })).body.data;
  return {
    url,
    /** Creates a webhook, as others of the user may have. */
    create: (body: object) => api('', { events: ['*'], ...body }),
    open: async (query = '') => openPage(context, `${url}/account?tab=webhooks${query}`),
  };
};

const readClipboard = (page: Page) =>
  page.evaluate('navigator.clipboard.readText()') as Promise<string>;

const drawerOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

const menuOf = async (page: Page, name: string, item: string) => {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};

describe.skipIf(!hasBrowser)('webhooks in a browser', () => {
  it('are added by keyboard; the secret is shown once, and not lost unasked', async () => {
    const { url, open } = await start();
    const { page, complaints } = await open();
    await page.getByText('No webhooks yet').waitFor();
    await inspect(page, 'account-webhooks-empty');
    await page.getByRole('banner').getByRole('link', { name: 'Add webhook' }).press('Enter');
    const drawer = drawerOf(page, 'Add webhook');
    const address = drawer.getByRole('textbox', { name: 'Address' });
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('url');
    await page.keyboard.press('Enter');
    await drawer.getByText('Enter an address that starts with https://.').waitFor();
    await drawer.getByText('Choose at least one event.').waitFor();
    await drawer.getByRole('checkbox', { name: 'Share opened' }).press('Space');
    await drawer.getByRole('checkbox', { name: 'Message received' }).press('Space');
    await inspect(page, 'account-webhooks-new');

    await address.fill('https://169.254.169.254/latest');
    await address.press('Enter');
    await drawer.getByText('This address isn’t public.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('url');
    await address.fill(hosts.works);
    await address.press('Enter');
    await drawer.waitFor({ state: 'hidden' });
    const secret = await page.getByLabel('Copy the secret now.').inputValue();
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    await page.getByText('Share opened and message received').waitFor();
    await page.getByText('Not called yet').waitFor();
    await inspect(page, 'account-webhooks-secret');

    await page.getByRole('navigation', { name: 'Parts' }).getByText('API tokens').click();
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await question.getByText('the secret that you haven’t copied').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Copy secret' }).press('Enter');
    await page.getByText('Copied', { exact: true }).waitFor();
    expect(await readClipboard(page)).toBe(secret);
    await page.getByRole('navigation', { name: 'Parts' }).getByText('API tokens').click();
    await page.waitForURL(`${url}/account?tab=tokens`);
    await page.goBack();
    await page.getByText('Working', { exact: true }).waitFor();
    expect(await page.getByText('Copy the secret now.').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('offers the audit’s names, and changes what a webhook is told', async () => {
    const { create, open } = await start();
    const { id } = await create({ url: hosts.works, label: 'Deploys' });
    const { page, complaints } = await open(`&open=${id}&part=settings`);
    const drawer = drawerOf(page, 'Deploys');
    await drawer.getByRole('checkbox', { name: 'All events' }).uncheck();
    await drawer.getByText('Events of the audit log').click();
    await drawer.getByRole('checkbox', { name: 'User created' }).check();
    await drawer.getByRole('radio', { name: 'Text' }).check();
    await inspect(page, 'account-webhooks-settings');
    await drawer.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Webhook saved').waitFor();
    await page.getByText('Deploys · User created').waitFor();
    await drawer.getByRole('textbox', { name: 'Label' }).fill('');
    await drawer.getByRole('button', { name: 'Save changes' }).click();
    await drawerOf(page, 'works.clients.example.com').waitFor();

    await page.getByRole('button', { name: 'Renew secret' }).click();
    const question = page.getByRole('dialog', { name: 'Renew the secret' });
    await question.getByRole('button', { name: 'Renew secret' }).click();
    await page.getByText('with the former secret, too, for 24 hours').waitFor();
    await page.keyboard.press('Escape');
    const loss = page.getByRole('dialog', { name: 'Discard your changes?' });
    await loss.getByText('the secret that you haven’t copied').waitFor();
    await loss.getByRole('button', { name: 'Cancel' }).click();
    await loss.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Copy secret' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    expect(await readClipboard(page)).toMatch(/^whsec_/);
    expect(complaints).toEqual([]);
  });

  it('sends a test, shows why it failed, and what its address answered', async () => {
    const { create, open } = await start();
    await create({ url: hosts.fails });
    const { page, complaints } = await open();
    await menuOf(page, hosts.fails, 'Send test');
    const drawer = drawerOf(page, 'fails.clients.example.com');
    await drawer.getByText(/^1 call failed\. The next try is in 1 minute\.$/).waitFor();
    await page.getByText('Failing', { exact: true }).waitFor();
    await page.getByText('1 failure', { exact: true }).waitFor();
    const call = drawer.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
    await call.getByText(/· try 1 of 5$/).waitFor();
    await call.locator('summary').press('Enter');
    await call.getByText('Internal Server Error').waitFor();
    await call.getByText(/^Response, 500, after \d+ ms$/).waitFor();
    await call.getByRole('button', { name: 'Copy: request' }).press('Enter');
    await page.getByText('Copied', { exact: true }).waitFor();
    const request = call.locator('pre').last();
    expect(await request.evaluate((pre) => pre.scrollWidth <= pre.clientWidth)).toBe(true);
    expect(JSON.parse(await readClipboard(page))).toMatchObject({
      type: 'webhook.test',
      data: { label: 'fails.clients.example.com' },
    });
    await inspect(page, 'account-webhooks-failing');
    expect(complaints).toEqual([]);
  });

  it('delivers again, and pauses and resumes', async () => {
    const { create, open } = await start();
    const { id } = await create({ url: hosts.works, label: 'Deploys' });
    const { page, complaints } = await open(`&open=${id}`);
    const drawer = drawerOf(page, 'Deploys');
    await drawer.getByText('No deliveries yet').waitFor();
    await drawer.getByRole('button', { name: 'Send test' }).click();
    const call = drawer.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
    await call.getByText(/· \d+ ms$/).waitFor();
    await call.locator('summary').click();
    await call.getByText('The response was empty.').waitFor();
    await call.getByRole('button', { name: 'Deliver again' }).click();
    await page.getByText('On its way again').waitFor();
    await call.getByText(/· \d+ ms$/).waitFor();

    await drawer.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await drawer.getByText('You paused it.').waitFor();
    await page.getByText('Paused', { exact: true }).waitFor();
    await expect.poll(() => drawer.getByRole('button', { name: 'Send test' }).count()).toBe(0);
    await drawer.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Working', { exact: true }).waitFor();
    await drawer.getByRole('button', { name: 'Send test' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('are deleted, which can be undone', async () => {
    const { create, open } = await start();
    await create({ url: hosts.fails });
    await create({ url: hosts.works, label: 'Deploys' });
    const { page, complaints } = await open();
    await menuOf(page, 'Deploys', 'Delete');
    await page.getByText('“Deploys” deleted').waitFor();
    const row = page.getByRole('link', { name: hosts.works });
    await expect.poll(() => row.count()).toBe(0);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(hosts.fails);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();

    await row.click();
    const drawer = drawerOf(page, 'Deploys');
    await drawer.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await drawer.waitFor({ state: 'hidden' });
    await page.getByText('“Deploys” deleted').waitFor();
    // What leaves the page is sent with it.
    await page.goto(page.url());
    await page.getByRole('link', { name: hosts.fails }).waitFor();
    await expect.poll(() => row.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('fit a phone, where the drawer covers the list', async () => {
    const { create, open } = await start(phone);
    await create({ url: `${hosts.recovers}/${'x'.repeat(300)}`, label: 'W'.repeat(60) });
    const { page, complaints } = await open();
    await page.getByText('Not called yet').waitFor({ state: 'attached' });
    const tab = page.getByRole('navigation', { name: 'Parts' }).getByText('Webhooks');
    const isWhole = await tab.evaluate(
      (link) =>
        link.getBoundingClientRect().right <=
        (link.parentElement?.getBoundingClientRect().right ?? 0),
    );
    expect(isWhole).toBe(true);
    await inspect(page, 'account-webhooks-phone');
    await page.getByRole('link', { name: hosts.recovers }).click();
    const drawer = drawerOf(page, 'W'.repeat(60));
    await drawer.getByRole('button', { name: 'Send test' }).click();
    await drawer.getByText(/· try 1 of 5$/).waitFor();
    await drawer.getByRole('listitem').locator('summary').click();
    await drawer.getByText('Internal Server Error').waitFor();
    await inspect(page, 'account-webhooks-phone-delivery');
    const size = await page.evaluate(
      '[document.documentElement.scrollWidth, document.querySelector("dialog[open] .fill").scrollWidth]',
    );
    expect(size).toEqual([phone.width, phone.width]);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    expect(complaints).toEqual([]);
  });
});
