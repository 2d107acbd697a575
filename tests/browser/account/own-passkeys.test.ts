import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { pressMenuItem } from '../../support/pages/menus.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { startFreshService } from '../../support/run/fresh-service.ts';
import { register, signIn } from '../flows/sign-in.ts';
import { ageProofs } from './proofs.ts';

/** Gives a page a device that makes passkeys and confirms who its user is by itself. */
const addAuthenticator = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
};

const press = async (page: Page, name: string) => {
  await page.getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
};

describe.skipIf(!hasBrowser)('passkeys on the account page in a browser', () => {
  it('are added, renamed, used to prove who one is, and removed', async () => {
    const service = await startFreshService();
    await register(service.url);
    const context = await openContext(browser, { viewport: { width: 390, height: 664 } });
    const { page, complaints } = await openPage(
      context,
      `${service.url}/login?next=/account?tab=security`,
    );
    await addAuthenticator(page);
    await signIn(page);
    const card = page.getByRole('region', { name: 'Passkeys', exact: true });
    await card.getByText('No passkeys yet.').waitFor();

    await press(page, 'Add passkey');
    const codes = page.getByRole('dialog', { name: 'Save your recovery codes' });
    await codes.waitFor();
    await page.getByLabel('I saved the codes').check();
    await press(page, 'Done');
    await codes.waitFor({ state: 'hidden' });
    await page.getByText('Passkey “Chrome on Linux” added').waitFor();
    await card.getByText('never used').waitFor();
    await page.getByText('10 of 10 left').waitFor();

    await press(page, 'Actions for Chrome on Linux');
    await pressMenuItem(page, 'Rename');
    const form = page.getByRole('dialog', { name: 'Rename passkey' });
    await form.getByLabel('Name').and(page.locator(':focus')).waitFor();
    await form.getByLabel('Name').fill('Laptop');
    await page.keyboard.press('Enter');
    await card.getByText('Laptop', { exact: true }).waitFor();
    await inspect(page, 'account-passkeys');

    await ageProofs(service);
    await press(page, 'Create new codes');
    const question = page.getByRole('dialog', { name: 'Create new recovery codes?' });
    await question.getByRole('button', { name: 'Create new codes' }).press('Enter');
    const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
    const use = proof.getByRole('button', { name: 'Use a passkey' });
    await use.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await codes.waitFor();
    await page.getByLabel('I saved the codes').check();
    await press(page, 'Done');
    await codes.waitFor({ state: 'hidden' });

    await press(page, 'Actions for Laptop');
    await pressMenuItem(page, 'Remove');
    const last = page.getByRole('dialog', { name: 'Remove “Laptop”?' });
    await last.getByText('your recovery codes stop working').waitFor();
    await last.getByRole('button', { name: 'Remove' }).press('Enter');
    await page.getByText('Passkey “Laptop” removed').waitFor();
    await card.getByText('No passkeys yet.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Passkeys');
    expect(complaints).toEqual([]);
  });
});
