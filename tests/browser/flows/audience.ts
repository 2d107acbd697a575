import type { Page } from 'playwright-core';
import { startConsole } from '../../support/pages/console-service.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { startFreshService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';

export const ann = 'ann@example.com';

/** Starts a service that people join by invitation, with Ann, who writes, and three others. */
export const start = async (settings: Readonly<Record<string, string>> = {}) => {
  const service = await startConsole(
    browser,
    ['Ann', 'Bob', 'Carl', 'Dana'].map((name) => ({ name })),
    () => startFreshService({ REGISTRATION: 'invite', ...settings }),
  );
  const token = await service.signIn(ann);
  return {
    ...service,
    /** Stores a share of Ann's and returns its id. */
    make: async (body: object): Promise<string> =>
      (await send(`${service.url}/api/share`, { method: 'POST', token, body })).body.id,
    /** Returns a share of Ann's, by its address. */
    read: async (address: string) => {
      const id = address.split('/').at(-1);
      return (await send(`${service.url}/api/share?mine=true&id=${id}`, { token })).body;
    },
  };
};

/** The search for the people who can open a share. */
export const search = (page: Page) => page.getByRole('combobox', { name: 'Add people' });

/** Picks someone by the keyboard, in the search that has the focus. */
export const pick = async (page: Page, name: string): Promise<void> => {
  await page.keyboard.type(name.slice(0, 3));
  await page.getByRole('option', { name }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
};

/** The chips of the bar that are shown. */
export const chips = (page: Page) => page.locator('.setting:visible').allInnerTexts();
