import type { Page } from 'playwright-core';

/** Chooses an item of the open menu by Enter, once the menu has the focus: it takes that a moment after it opens. */
export const pressMenuItem = async (page: Page, name: string): Promise<void> => {
  await page.locator('[role=menuitem]:focus').waitFor();
  await page.getByRole('menuitem', { name }).press('Enter');
};
