import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startWithProvider } from '../../support/issuer/provider-service.ts';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { register, signIn } from '../flows/sign-in.ts';

const ann = { sub: 'ann', name: 'Ann', email: 'ann@acme.example', email_verified: true };

/** Presses what has the focus, once it does. */
const press = async (page: Page, role: 'button' | 'link', name: string): Promise<void> => {
  const target = page.getByRole(role, { name, exact: true });
  await target.focus();
  await page.keyboard.press('Enter');
};

const viewports = [
  { width: 1280, height: 800 },
  { width: 390, height: 664 },
];

describe.skipIf(!hasBrowser)('accounts at providers in a browser', () => {
  it.each(viewports)('are connected, sign in and are disconnected at $width', async (viewport) => {
    const { url, origin } = await startWithProvider([ann]);
    await register(url);
    const { page, complaints } = await openPage(
      await openContext(browser, { viewport }),
      `${url}/login?next=/account?tab=security`,
    );
    await inspect(page, `login-provider-${viewport.width}`);
    await signIn(page);
    const card = page.getByRole('region', { name: 'Connected accounts' });
    await card.getByText('Not connected').waitFor();
    await press(page, 'button', 'Connect Acme');
    await page.waitForURL(`${origin}/**`);
    await press(page, 'link', 'Ann (ann@acme.example)');
    await page.waitForURL(`${url}/account?tab=security`);
    await card.getByText('ann@acme.example').waitFor();
    await inspect(page, `connected-accounts-${viewport.width}`);

    // Another browser signs in by it.
    const other = await openPage(
      await openContext(browser, { viewport }),
      `${url}/login?next=/files`,
    );
    await press(other.page, 'link', 'Continue with Acme');
    await other.page.waitForURL(`${origin}/**`);
    await press(other.page, 'link', 'Ann (ann@acme.example)');
    await other.page.waitForURL(`${url}/files`);

    await press(page, 'button', 'Disconnect Acme');
    const question = page.getByRole('dialog', { name: 'Disconnect Acme?' });
    await question.getByRole('button', { name: 'Disconnect' }).press('Enter');
    await question.waitFor({ state: 'hidden' });
    await card.getByText('Not connected').waitFor();
    expect([...complaints, ...other.complaints]).toEqual([]);
  });

  it('sign in at once where they are the only way, until one has signed out', async () => {
    const { url, origin } = await startWithProvider([ann], { PASSWORD_SIGN_IN: 'off' });
    const { page, complaints } = await openPage(await openContext(browser), `${url}/files`);
    await page.waitForURL(`${origin}/**`);
    await press(page, 'link', 'Ann (ann@acme.example)');
    await page.waitForURL(`${url}/files`);
    await page.goto(`${url}/account?tab=security`);
    const disconnect = page.getByRole('button', { name: 'Disconnect Acme' });
    await disconnect.waitFor();
    await expect
      .poll(() => disconnect.getAttribute('title'))
      .toContain('Set a password or passkey');
    await expect.poll(() => page.getByText('Change password').count()).toBe(0);
    await page.locator('.me').click();
    await page.locator('#sign-out').click();
    await page.waitForURL(`${url}/login?why=out`);
    await page.getByText('You’re signed out.').waitFor();
    await inspect(page, 'login-only-provider');
    expect(complaints).toEqual([]);
  });
});
