import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { admin, startFreshService } from '../../support/run/fresh-service.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const toCeiling = (maxAudience: string, days: number, sharesPerDay: number) => ({
  maxAudience,
  maxAge: (days * dayMs) / 1_000,
  maxViews: null,
  sharesPerDay,
});

const allApps = () => [
  {
    id: 3,
    name: 'Claude',
    host: 'claude.ai',
    permissions: ['shares:create', 'shares:view'],
    ceiling: toCeiling('private', 7, 20),
    createdAt: ago(60 * dayMs),
    lastUsedAt: ago(12 * minuteMs),
    sharesToday: 3,
  },
  {
    id: 2,
    name: 'Notebook <b>',
    host: 'localhost',
    permissions: ['documents:view'],
    ceiling: null,
    createdAt: ago(90 * dayMs),
    lastUsedAt: ago(30 * dayMs),
    sharesToday: 0,
  },
  {
    id: 1,
    name: 'ci.example',
    host: 'ci.example',
    permissions: ['shares:create'],
    ceiling: toCeiling('link', 30, 50),
    createdAt: ago(0),
    lastUsedAt: null,
    sharesToday: 0,
  },
];

/** Answers for the connected apps of the service, and records what changes them. */
const answerForApps = async (page: Page) => {
  let apps = allApps();
  const changes: string[] = [];
  let failure: { readonly status: number; readonly message: string } | undefined;
  const answer = (route: Route) => {
    const request = route.request();
    const { pathname } = new URL(request.url());
    const [, id, action] = pathname.match(/^\/api\/apps\/(\d+)(\/restore)?$/) ?? [];
    if (failure) {
      const { status, message } = failure;
      const error = { code: 'CONFLICT', message, details: [], requestId: 'r' };
      return route.fulfill({ status, json: { success: false, error } });
    }
    if (id === undefined) return route.fulfill({ json: { success: true, data: apps } });
    changes.push(`${request.method()} ${pathname}`);
    apps = allApps().filter((app) => action !== undefined || app.id !== Number(id));
    return route.fulfill({ json: { success: true, data: { id: Number(id) } } });
  };
  await page.route(/\/api\/apps(\/|$)/, answer);
  return {
    changes,
    set: (next: ReturnType<typeof allApps>) => {
      apps = next;
    },
    fail: (next: typeof failure) => {
      failure = next;
    },
  };
};

const start = async () => {
  const { url } = await startFreshService();
  const { page } = await openPage(await openContext(browser), `${url}/login?next=/account`);
  await page.getByLabel('Email').fill(admin.email);
  await page.getByLabel('Password', { exact: true }).fill(admin.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`${url}/account`);
  const service = await answerForApps(page);
  const card = page.getByRole('region', { name: 'Connected apps', exact: true });
  const open = () => page.goto(`${url}/account?tab=assistants`);
  return { page, service, card, open };
};

/** Lets the page believe that the user has come back to it. */
const comeBack = (page: Page) =>
  page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");

const isFocused = (page: Page, name: string) =>
  expect
    .poll(() =>
      page.evaluate(
        'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
      ),
    )
    .toBe(name);

describe.skipIf(!hasBrowser)('the connected apps in a browser', () => {
  it('say what each may, and when it was used', async () => {
    const { page, card, open } = await start();
    await open();
    const rows = card.getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(3);
    const texts = await rows.allInnerTexts();
    const words = (at: number) => texts[at]?.replaceAll(/\s+/g, ' ');
    expect(words(0)).toMatch(
      /Claude Create and read shares · only private, up to 7 days, 20 a day Used 12 min ago · connected .* 3 today Revoke$/,
    );
    expect(words(1)).toMatch(/Notebook <b> Read documents Used .* · connected .* Revoke$/);
    expect(words(2)).toMatch(
      /ci\.example Create shares · anyone, up to 30 days, 50 a day Never used · connected today New Revoke$/,
    );
    await inspect(page, 'account-connected-apps');
  });

  it('are revoked at once, by keys, and come back by Undo', async () => {
    const { page, service, card, open } = await start();
    await open();
    await card.getByRole('button', { name: 'Revoke: Claude' }).press('Enter');
    await page.getByText('“Claude” revoked').waitFor();
    await isFocused(page, 'Revoke: Notebook <b>');
    await expect.poll(() => card.getByRole('listitem').count()).toBe(2);
    expect(service.changes).toEqual(['DELETE /api/apps/3']);
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await isFocused(page, 'Revoke: Claude');
    await expect.poll(() => card.getByRole('listitem').count()).toBe(3);
    await expect
      .poll(() => service.changes)
      .toEqual(['DELETE /api/apps/3', 'POST /api/apps/3/restore']);
  });

  it('come back with the reason when they can’t be revoked', async () => {
    const { page, service, card, open } = await start();
    await open();
    await card.getByRole('button', { name: 'Revoke: ci.example' }).waitFor();
    service.fail({ status: 409, message: 'It is being used. Try again.' });
    await card.getByRole('button', { name: 'Revoke: ci.example' }).click();
    await page.getByText('Couldn’t revoke “ci.example”. It is being used. Try again.').waitFor();
    await expect.poll(() => card.getByRole('listitem').count()).toBe(3);
    service.fail(undefined);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('“ci.example” revoked').waitFor();
  });

  it('stay revoked with the reason once their time to be restored is over', async () => {
    const { page, service, card, open } = await start();
    await open();
    await card.getByRole('button', { name: 'Revoke: Claude' }).click();
    await page.getByText('“Claude” revoked').waitFor();
    service.fail({ status: 404, message: 'App not found.' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Couldn’t restore “Claude”. App not found.').waitFor();
    await expect.poll(() => card.getByRole('listitem').count()).toBe(2);
  });

  it('are read again when the page is seen again; without any, words say what will be here', async () => {
    const { page, service, card, open } = await start();
    service.set([]);
    await open();
    await card.getByText('No connected apps').waitFor();
    await inspect(page, 'account-no-connected-apps');
    const [app] = allApps();
    if (app) service.set([app, { ...app, id: 9, host: 'claude.example' }]);
    await comeBack(page);
    // Two of one name are told apart by their hosts.
    await card.getByText(/· claude\.ai$/).waitFor();
    await card.getByText(/· claude\.example$/).waitFor();
  });

  it('say that they could not be read, and try again', async () => {
    const { service, card, open } = await start();
    service.fail({ status: 400, message: 'Something is wrong.' });
    await open();
    await card.getByText('Something is wrong.').waitFor();
    service.fail(undefined);
    await card.getByRole('button', { name: 'Try again' }).click();
    await card.getByText('Notebook <b>').waitFor();
  });
});
