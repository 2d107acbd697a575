import type { Browser, Page } from 'playwright-core';
import { startFreshService } from '../run/fresh-service.ts';
import { send } from '../run/process.ts';
import { newContext, signUp } from './composer-page.ts';
import { openPage } from './open-page.ts';

/** Creates these shares and opens the list, signed in. */
export const openShares = async (browser: Browser, shares: readonly object[], path = '/shares') => {
  const { url } = await startFreshService();
  const context = await newContext(browser);
  const token = await signUp(context, url);
  const made: { id: string; url: string }[] = [];
  for (const body of shares) {
    const { body: share } = await send(`${url}/api/share`, { method: 'POST', token, body });
    made.push(share);
  }
  return { url, token, made, context, ...(await openPage(context, url + path)) };
};

/** Returns the rows of the list. */
export const rowsOf = (page: Page) => page.locator('#shares tbody tr');

/** Returns the names of the listed shares. */
export const namesOf = (page: Page) => page.locator('#shares .person a').allInnerTexts();

/** Filters the list by one of its menus, such as that of the status. */
export const filterBy = async (page: Page, name: string, value: string) => {
  await page
    .locator('#shares')
    .getByRole('button', { name: new RegExp(`^${name}\\b`) })
    .click();
  await page.getByRole('menuitemradio', { name: value, exact: true }).click();
};

/** Sorts the list by its menu. */
export const sortBy = async (page: Page, order: string) => {
  await page.getByRole('button', { name: /^Sort: / }).click();
  await page.getByRole('menuitemradio', { name: order, exact: true }).click();
};

/** The drawer of a share. */
export const drawerOf = (page: Page, name: string) => page.getByRole('dialog', { name });

/** Chooses an action from the menu of a share. */
export const chooseAction = async (page: Page, name: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
};
