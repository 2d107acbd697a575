import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { alerts, signIn, start } from '../flows/sign-in.ts';

describe.skipIf(!hasBrowser)('the sign-in pages in a browser', () => {
  it('check a field when it is left for the next, but not an empty one', async () => {
    const { open } = await start();
    const { page } = await open('/register');
    await page.getByLabel('Name').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.type('ann');
    await expect.poll(() => alerts(page).count()).toBe(0);
    await page.keyboard.press('Tab');
    await expect
      .poll(() => alerts(page).allInnerTexts())
      .toEqual(['Enter an email address, such as name@example.com.']);
  });

  it('send a form once, however often it is submitted', async () => {
    const { url, open } = await start();
    const { page } = await open('/login');
    let sent = 0;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/auth/login', async (route) => {
      sent++;
      await held;
      await route.continue();
    });
    await signIn(page);
    const button = page.getByRole('button', { name: 'Sign in', exact: true });
    await page.locator('[type="submit"][aria-busy="true"]').waitFor();
    await button.click();
    await page.getByLabel('Email').press('Enter');
    release();
    await page.waitForURL(`${url}/dashboard`);
    expect(sent).toBe(1);
  });

  it('keep what was entered while the service is out of reach', async () => {
    const { url, open } = await start();
    const { page } = await open('/login');
    await page.route('**/api/auth/login', (route) => route.abort());
    await signIn(page);
    await page.getByText('Can’t reach the server. Check your connection and try again.').waitFor();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('ann@example.com');
    await page.unroute('**/api/auth/login');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${url}/dashboard`);
  });

  it('state that they require JavaScript', async () => {
    const { url } = await start();
    const context = await openContext(browser, { javaScriptEnabled: false });
    const { page } = await openPage(context, `${url}/login`);
    const note = page.locator('noscript .note');
    await expect.poll(() => note.isVisible()).toBe(true);
    await expect.poll(() => note.innerText()).toContain('This page requires JavaScript.');
  });

  it('redirect only to paths of this host after signing in', async () => {
    const { url, open } = await start();
    // `web/site/account/sign-in.test.ts` has the others.
    const targets = [
      ['/api/health', `${url}/api/health`],
      ['//evil.test/', `${url}/dashboard`],
    ] as const;
    for (const [next, expected] of targets) {
      const path = `/login?next=${encodeURIComponent(next)}`;
      const { page, origins } = await open(path);
      await signIn(page);
      await page.waitForURL(expected);
      // A signed-in user is redirected immediately.
      await page.goto(`${url}${path}`);
      expect(page.url()).toBe(expected);
      expect([...origins]).toEqual([url]);
    }
  });

  it('recognize who comes from another site', async () => {
    const { url, open } = await start();
    const { page } = await open('/login');
    await signIn(page);
    await page.waitForURL(`${url}/dashboard`);
    const link = `<a href="${url}/login?next=/api/health">In</a>`;
    await page.route('https://elsewhere.test/', (route) =>
      route.fulfill({ contentType: 'text/html', body: link }),
    );
    await page.goto('https://elsewhere.test/');
    const [first] = await Promise.all([
      page.waitForResponse(/\/login/),
      page.getByRole('link').click(),
    ]);
    // The cookie didn't come with the link, but with what the page's script asked for.
    expect(first.status()).toBe(200);
    await page.waitForURL(`${url}/api/health`);
  });
});
