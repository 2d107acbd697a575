import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { schema } from '../../../shared/db/key.ts';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { connectToTable, startFreshService } from '../../support/run/fresh-service.ts';
import { codeOf } from '../../support/users/authenticator.ts';
import { phone, typePassword } from '../flows/second-step.ts';
import { register } from '../flows/sign-in.ts';

/** Marks the sessions of a service as those of users whose role requires a second factor. */
const requireFactor = async (service: Parameters<typeof connectToTable>[0]): Promise<void> => {
  const client = connectToTable(service);
  const TableName = 'handbill';
  const { Items = [] } = await client.send(new ScanCommand({ TableName }));
  const { partitionKey, sortKey } = schema;
  for (const item of Items.filter((one) => String(one[sortKey]).startsWith('SESSION#'))) {
    await client.send(
      new UpdateCommand({
        TableName,
        Key: { [partitionKey]: item[partitionKey], [sortKey]: item[sortKey] },
        UpdateExpression: 'SET mustEnrol = :yes',
        ExpressionAttributeValues: { ':yes': true },
      }),
    );
  }
  client.destroy();
};

/** Opens the page once the service knows that the session needs it: what it has just read of a session may be older. */
const openEnrol = async (page: Page, address: string): Promise<void> => {
  const open = async () => {
    await page.goto(address);
    return page.url();
  };
  await expect.poll(open).toBe(address);
};

describe.skipIf(!hasBrowser)('the page of a required second factor', () => {
  it.each([
    ['on a desk', {}],
    ['on a phone', phone],
  ])('sets up an app by keyboard %s, shows the codes, and leads on', async (where, options) => {
    const service = await startFreshService();
    const { url } = service;
    await register(url);
    const context = await openContext(browser, options);
    const { page, complaints } = await openPage(context, `${url}/login`);
    await typePassword(page);
    await page.waitForURL(`${url}/dashboard`);
    await requireFactor(service);
    await openEnrol(page, `${url}/enrol?next=/account`);
    await page.locator('button:focus', { hasText: 'Use an authenticator app' }).waitFor();
    await inspect(page, `enrol ${where}`);
    await page.keyboard.press('Enter');
    const code = page.getByLabel('Enter the code it shows');
    await code.and(page.locator(':focus')).waitFor();
    await inspect(page, `enrol-authenticator ${where}`);
    await page.keyboard.type('000000');
    await page.getByText('Incorrect code. Try again.').waitFor();
    const key = (await page.locator('.keyline > span').innerText()).replaceAll(' ', '');
    await page.keyboard.type(codeOf(key));
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    await expect.poll(() => page.locator('.codes li').count()).toBe(10);
    await inspect(page, `enrol-codes ${where}`);
    await page.getByLabel('I saved the codes').press('Space');
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await page.waitForURL(`${url}/account`);
    // Whoever has a second factor needs no page for it.
    await page.goto(`${url}/enrol`);
    expect(page.url()).toBe(`${url}/dashboard`);
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
  });

  it('lets its user sign out', async () => {
    const service = await startFreshService();
    const { url } = service;
    await register(url);
    const { page } = await openPage(await openContext(browser), `${url}/login`);
    await typePassword(page);
    await page.waitForURL(`${url}/dashboard`);
    await requireFactor(service);
    await openEnrol(page, `${url}/enrol`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('#login-email:focus').waitFor();
  });
});
