import type { Page } from 'playwright-core';

/** Chooses a format in the menu that exports a list. */
export const exportAs = async (page: Page, format: string): Promise<void> => {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: format }).click();
};
