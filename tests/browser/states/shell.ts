import type { Page } from 'playwright-core';
import type { PageState } from '../../support/pages/page-state.ts';

/** Any page in the shell. */
const anyPage = { path: '/sales', as: 'nadia' } as const;

/** The width from which there is a sidebar, beside it the bottom bar of phones. */
const sidebarWidth = 721;

/** What opens over every page of the shell. */
export const shellStates: readonly PageState[] = [
  {
    name: 'shell-palette',
    ...anyPage,
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.locator('#palette input').fill('e');
      await page.locator('#palette [role=option]').first().waitFor();
    },
  },
  {
    name: 'shell-notifications',
    ...anyPage,
    act: async (page) => {
      await page.locator('#bell').click();
      await page.locator('#inbox:popover-open').waitFor();
    },
  },
  {
    name: 'shell-keys',
    ...anyPage,
    act: async (page) => {
      await page.keyboard.press('?');
      await page.locator('#keys[open]').waitFor();
    },
  },
  {
    name: 'shell-user-menu',
    ...anyPage,
    minWidth: sidebarWidth,
    act: (page) => page.locator('.me').click(),
  },
  {
    name: 'shell-more',
    ...anyPage,
    maxWidth: sidebarWidth - 1,
    act: (page) => page.getByRole('button', { name: 'More' }).click(),
  },
  {
    name: 'shell-sign-in-again',
    ...anyPage,
    act: async (page: Page) => {
      await page.context().clearCookies();
      await page.locator('#bell').click();
      await page.getByLabel('Password').waitFor();
    },
  },
];
