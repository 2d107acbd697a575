import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  choosePassword,
  link,
  openMoreOptions,
  openOptions,
  openSignedIn,
  person,
  ready,
  share,
  startComposer,
  text,
} from '../../support/pages/composer-page.ts';
import { openContext } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('content that can’t be shared', () => {
  it('is shared once the user has signed in again over the page', async () => {
    const url = await startComposer();
    const { page, context } = await openSignedIn(browser, url);
    await text(page).fill('# Long work');
    await context.clearCookies();
    await share(page).click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Password').fill(person.password);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await ready(page);
  });

  it('leads to a wrong option below the folded ones, and lists there what is set', async () => {
    const { page } = await openSignedIn(browser, await startComposer());
    await text(page).fill('# Menu');
    await openOptions(page);
    const line = page.locator('#more-set');
    expect(await line.textContent()).toBe('Link name, embedding, notices');
    await openMoreOptions(page);
    await page.getByLabel('Name in the link').fill('a');
    await page.getByRole('switch', { name: 'Readers can end it' }).check();
    await expect.poll(() => line.textContent()).toBe('Name in the link · Readers can end it');
    await page.locator('#more > summary').click();
    await page.keyboard.press('Escape');
    await share(page).click();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('slug');
  });

  it('is not shared without the password that was chosen for it, nor without its date', async () => {
    const url = await startComposer();
    const { page } = await openSignedIn(browser, url);
    await text(page).fill('# Salaries');
    await openOptions(page);
    await choosePassword(page, 'Custom');
    await page.getByLabel('Custom password').fill('Abc123');
    await page.keyboard.press('Escape');
    await page.getByText('Draft saved').waitFor();
    // A draft has no password.
    await page.reload();
    await share(page).click();
    await page.getByText('Enter it, or choose something else.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('password');
    await page.keyboard.type('Abc123');
    await page.getByLabel('Expiration').selectOption('Custom date');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('expiresAt');
    await page.getByLabel('Expiration').selectOption('Never');
    await page.keyboard.press('Control+Enter');
    await ready(page);
    expect(await page.locator('#more').getAttribute('open')).toBeNull();
    const reader = await (await openContext(browser)).newPage();
    await reader.goto(await link(page).inputValue());
    await reader.getByText('This snippet is password-protected.').waitFor();
  });
});
