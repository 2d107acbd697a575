import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { pressMenuItem } from '../../support/pages/menus.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { startFreshService } from '../../support/run/fresh-service.ts';
import { codeOf, followingCode, wrongCode } from '../../support/users/authenticator.ts';
import { register, signIn } from '../flows/sign-in.ts';
import { ageProofs, readSecret } from './proofs.ts';

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const focus = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).and(page.locator(':focus')).waitFor();
const press = async (page: Page, name: string) => {
  await page.getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
};

const start = async (viewport: { readonly width: number; readonly height: number }) => {
  const service = await startFreshService();
  await register(service.url);
  const context = await openContext(browser, { viewport });
  const opened = await openPage(context, `${service.url}/login?next=/account?tab=security`);
  await signIn(opened.page);
  await opened.page.waitForURL(`${service.url}/account?tab=security`);
  await region(opened.page, 'Second factor').getByText('Not set up').waitFor();
  return { ...opened, service };
};

/** Sets up an authenticator app by keyboard, and returns its key. The dialog is open. */
const enterFirstCode = async (page: Page): Promise<string> => {
  await dialog(page, 'Set up your authenticator app')
    .getByLabel('Enter the code it shows')
    .and(page.locator(':focus'))
    .waitFor();
  const secret = await readSecret(page);
  await page.keyboard.type(codeOf(secret));
  return secret;
};

const saveCodes = async (page: Page): Promise<void> => {
  const codes = dialog(page, 'Save your recovery codes');
  await codes.waitFor();
  // The dialog gives it the focus, also after a question before it, and would take it from what has it earlier.
  await focus(page, 'Copy');
  const saved = codes.getByLabel('I saved the codes');
  await saved.press('Space');
  await expect.poll(() => saved.isChecked()).toBe(true);
  await page.keyboard.press('Tab');
  await focus(page, 'Done');
  await page.keyboard.press('Enter');
  await codes.waitFor({ state: 'hidden' });
};

describe.skipIf(!hasBrowser)('second factors on the account page in a browser', () => {
  it.each([
    { width: 1280, height: 800 },
    { width: 390, height: 664 },
  ])('are set up, replaced and removed by keyboard at $width × $height', async (viewport) => {
    const { page, complaints } = await start(viewport);
    const card = region(page, 'Second factor');
    await card.getByText('Off', { exact: true }).waitFor();
    await inspect(page, 'account-security-off');

    await press(page, 'Set up');
    await enterFirstCode(page);
    await dialog(page, 'Save your recovery codes').waitFor();
    await focus(page, 'Copy');
    await page.keyboard.press('Escape');
    await dialog(page, 'Close without saving the codes?').waitFor();
    await focus(page, 'Cancel');
    await page.keyboard.press('Enter');
    await dialog(page, 'Close without saving the codes?').waitFor({ state: 'hidden' });
    await saveCodes(page);
    await card.getByText('On', { exact: true }).waitFor();
    await card.getByText('10 of 10 left').waitFor();
    await focus(page, 'Replace');
    await inspect(page, 'account-security-on');

    await page.keyboard.press('Enter');
    await enterFirstCode(page);
    await page.getByText('Authenticator app set up').waitFor();
    await focus(page, 'Replace');

    await press(page, 'Create new codes');
    await dialog(page, 'Create new recovery codes?').waitFor();
    await focus(page, 'Cancel');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await saveCodes(page);
    await focus(page, 'Create new codes');

    await press(page, 'Actions for the authenticator app');
    await pressMenuItem(page, 'Remove');
    const question = dialog(page, 'Remove the authenticator app?');
    await question.getByText('your recovery codes stop working').waitFor();
    await focus(page, 'Cancel');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Authenticator app removed').waitFor();
    await card.getByText('Off', { exact: true }).waitFor();
    await expect.poll(() => page.getByText('of 10 left').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('are asked for again before a password changes, and what was typed is kept', async () => {
    const { page, service } = await start({ width: 1280, height: 800 });
    await press(page, 'Set up');
    const secret = await enterFirstCode(page);
    await saveCodes(page);
    await focus(page, 'Replace');
    await ageProofs(service);

    await press(page, 'Change password');
    const form = dialog(page, 'Change password');
    await form.getByLabel('Current password').and(page.locator(':focus')).waitFor();
    await form.getByLabel('Current password').fill('correct horse');
    await form.getByLabel('New password').fill('battery staple');
    await form.getByLabel('Confirm password').fill('battery staple');
    await page.keyboard.press('Enter');
    const proof = dialog(page, 'Confirm it’s you');
    const code = proof.getByLabel('6-digit code');
    await code.and(page.locator(':focus')).waitFor();
    await inspect(page, 'account-step-up');
    await page.keyboard.type('00');
    await page.keyboard.press('Escape');
    await proof.waitFor({ state: 'hidden' });
    await form.getByText('You didn’t confirm that it’s you, so nothing was changed.').waitFor();
    expect(await form.getByLabel('New password').inputValue()).toBe('battery staple');

    await form.getByLabel('Confirm password').focus();
    await page.keyboard.press('Enter');
    await code.and(page.locator(':focus')).waitFor();
    await page.keyboard.type(wrongCode(secret));
    await proof.getByText('Incorrect code. Try again.').waitFor();
    await page.keyboard.type(followingCode(secret));
    await proof.waitFor({ state: 'hidden' });
    await page.getByText('Password changed. All other sessions were signed out.').waitFor();
    await focus(page, 'Change password');
  });

  it('are proven by a recovery code in place of the app', async () => {
    const { page, service } = await start({ width: 390, height: 664 });
    await press(page, 'Set up');
    await enterFirstCode(page);
    await dialog(page, 'Save your recovery codes').waitFor();
    const [recovery = ''] = await page.locator('.codes > li').allInnerTexts();
    await saveCodes(page);
    await focus(page, 'Replace');
    await ageProofs(service);
    await press(page, 'Replace');
    const proof = dialog(page, 'Confirm it’s you');
    await proof.getByLabel('6-digit code').and(page.locator(':focus')).waitFor();
    await press(page, 'Use a recovery code');
    await proof.getByLabel('Recovery code').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await proof.getByText('Enter a recovery code, such as').waitFor();
    await page.keyboard.type(recovery);
    await page.keyboard.press('Enter');
    await enterFirstCode(page);
    await page.getByText('Authenticator app set up').waitFor();
    await page.reload();
    await page.getByText('9 of 10 left').waitFor();
  });

  it('are set up after the password, where one signed in over 15 minutes ago', async () => {
    const { page, service } = await start({ width: 1280, height: 800 });
    await ageProofs(service);
    await press(page, 'Set up');
    const proof = dialog(page, 'Confirm it’s you');
    await proof.getByLabel('Password').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await proof.getByText('Incorrect password. Try again.').waitFor();
    await proof.getByLabel('Password').and(page.locator(':focus')).waitFor();
    await proof.getByLabel('Password').fill('correct horse');
    await page.keyboard.press('Enter');
    await enterFirstCode(page);
    await dialog(page, 'Save your recovery codes').waitFor();
  });
});
