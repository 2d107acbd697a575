import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { send, startProcess, temporaryFolder } from '../run/process.ts';
import { openContext, openPage } from './open-page.ts';

export const person = { email: 'ann@example.com', name: 'Ann', password: 'correct horse' };

/** Starts the service in a separate process, without users. */
export const startComposer = async (): Promise<string> =>
  (await startProcess({ DATA_DIR: await temporaryFolder() })).url;

export const newContext = (browser: Browser): Promise<BrowserContext> =>
  openContext(browser, { permissions: ['clipboard-read', 'clipboard-write'] });

/** Registers by the API, stores the cookie in the browser and returns an access token. */
export const signUp = async (context: BrowserContext, url: string): Promise<string> => {
  const response = await context.request.post(`${url}/api/auth/register`, {
    data: { ...person, confirmPassword: person.password },
    headers: { origin: url },
  });
  expect(response.status()).toBe(201);
  return (await response.json()).token;
};

/** Signs in again and stores the cookie in the browser. */
export const signInAgain = async (context: BrowserContext, url: string): Promise<void> => {
  const { email, password } = person;
  const response = await context.request.post(`${url}/api/auth/login`, {
    data: { email, password },
    headers: { origin: url },
  });
  expect(response.status()).toBe(200);
};

export const openSignedIn = async (browser: Browser, url: string, path = '/') => {
  const context = await newContext(browser);
  const token = await signUp(context, url);
  return { context, token, ...(await openPage(context, `${url}${path}`)) };
};

/** Opens a new user's share in the composer. */
export const openEdit = async (browser: Browser, body: object) => {
  const url = await startComposer();
  const context = await newContext(browser);
  const token = await signUp(context, url);
  const made = await send(`${url}/api/share`, { method: 'POST', token, body });
  expect(made.status).toBe(201);
  const { id } = made.body as { id: string };
  const opened = await openPage(context, `${url}/?edit=${id}`);
  await opened.page.getByText('You’re editing a share.').waitFor();
  return {
    url,
    context,
    id,
    ...opened,
    own: async () => (await send(`${url}/api/share?mine=true&id=${id}`, { token })).body,
    /** Updates the share outside the page. */
    change: async (change: object) => {
      const response = await send(`${url}/api/share/${id}`, { method: 'PUT', token, body: change });
      expect(response.status).toBe(200);
    },
    make: async (another: object): Promise<string> =>
      (await send(`${url}/api/share`, { method: 'POST', token, body: another })).body.id,
  };
};

export const text = (page: Page) => page.getByLabel('Content', { exact: true });
export const share = (page: Page) => page.getByRole('button', { name: 'Share', exact: true });
export const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
export const link = (page: Page) => page.getByLabel('Link', { exact: true });

export const ready = (page: Page): Promise<void> =>
  page.getByRole('heading', { name: 'Your page is ready' }).waitFor();

export const saved = (page: Page): Promise<void> =>
  page.getByRole('heading', { name: 'Changes saved' }).waitFor();

/** Returns the drafts stored in the browser. */
export const kept = (page: Page): Promise<string> => page.evaluate('JSON.stringify(localStorage)');

/** Waits until the stored draft contains this text. */
export const isKept = (page: Page, part: string): Promise<void> =>
  expect.poll(() => kept(page)).toContain(part);

/** Selects a segmented option. */
export const choose = (page: Page, label: string): Promise<void> =>
  page.getByText(label, { exact: true }).click();

/** Returns the frame of the HTML preview. */
export const previewFrame = (page: Page) => page.frameLocator('#preview iframe:not(.next)');
