import type { Page } from 'playwright-core';
import type { PageState } from '../../support/pages/page-state.ts';

const openOptions = async (page: Page): Promise<void> => {
  await page.locator('#chip-who').click();
  await page.locator('#options').waitFor();
};

/** Shares a text, which the service doesn't store. */
const shareNothing = async (page: Page): Promise<void> => {
  const id = 'mZ3kP0cWbq7x1VvH9sTt2A';
  const url = new URL(`/s/${id}`, page.url()).href;
  await page.route('**/api/share', (route) =>
    route.fulfill({ status: 201, json: { id, url, password: 'k4Tz9Q', message: 'Shared' } }),
  );
  await page.getByLabel('Content', { exact: true }).fill('# Hello');
  await page.locator('#send').click();
  await page.locator('#result').waitFor();
};

const choose = async (page: Page, audience: string): Promise<void> => {
  await openOptions(page);
  await page.getByText(audience, { exact: true }).click();
};

const findPeople = async (page: Page): Promise<void> => {
  await choose(page, 'People you choose');
  await page.getByRole('combobox', { name: 'Add people' }).fill('n');
  await page.locator('[role=option]').first().waitFor();
};

/** The composer, its options, and what it says of a share. */
export const composerStates: readonly PageState[] = [
  { name: 'composer', path: '/', as: 'mei' },
  { name: 'composer-signed-out', path: '/' },
  { name: 'composer-options', path: '/', as: 'mei', act: openOptions },
  { name: 'composer-options-signed-out', path: '/', act: openOptions },
  // On a phone, the row at the end of the sheet is cut.
  { name: 'composer-people', path: '/', as: 'luca', act: findPeople, minWidth: 900 },
  { name: 'composer-result', path: '/', as: 'mei', act: shareNothing },
  {
    name: 'composer-result-people',
    path: '/',
    as: 'luca',
    act: async (page) => {
      await findPeople(page);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /^Remove / }).waitFor();
      await page.keyboard.press('Escape');
      await shareNothing(page);
    },
  },
];
