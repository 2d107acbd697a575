import type { Page } from 'playwright-core';

/** Answers which events of a series are meant, and waits until the question is gone. “This event” is chosen at first. */
export const choose = async (page: Page, scope: 'This event' | 'All events', action: string) => {
  const dialog = page.locator('dialog.modal[open]');
  const name = new RegExp(`^${scope}`);
  if (scope === 'This event') await dialog.getByRole('radio', { name, checked: true }).waitFor();
  else await dialog.getByRole('radio', { name }).check();
  await dialog.getByRole('button', { name: action, exact: true }).press('Enter');
  await dialog.waitFor({ state: 'hidden' });
};
