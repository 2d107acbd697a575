import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { admin, startFreshService } from '../run/fresh-service.ts';
import { send } from '../run/process.ts';
import { openContext, openPage } from './open-page.ts';

const writing = ['files:create', 'files:update', 'files:delete'];

export interface FilesService {
  readonly url: string;
  /** The origin of the S3 endpoint. */
  readonly s3: string;
  /** Creates a user, by default with upload permission, and returns an access token. */
  newUser(email: string, permissions?: readonly string[]): Promise<string>;
}

/** Starts the service, with a storage quota per user. */
export const startFiles = async (quota?: string): Promise<FilesService> => {
  const { url, output } = await startFreshService(
    quota === undefined ? {} : { FILES_QUOTA: quota },
  );
  const signIn = (email: string) =>
    send(`${url}/api/auth/login`, { method: 'POST', body: { email, password: admin.password } });
  const { token } = (await signIn(admin.email)).body;
  return {
    url,
    s3: output().match(/S3:? +(http:\/\/\S+)/)?.[1] ?? '',
    newUser: async (email, permissions = writing) => {
      const { password } = admin;
      const body = { email, name: email.split('@')[0], password, role: 'user', permissions };
      const made = await send(`${url}/api/users`, { method: 'POST', token, body });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      return (await signIn(email)).body.token;
    },
  };
};

/** Signs in with the browser's cookie. */
export const signIn = async (
  context: BrowserContext,
  url: string,
  email: string,
): Promise<void> => {
  const response = await context.request.post(`${url}/api/auth/login`, {
    data: { email, password: admin.password },
    headers: { origin: url },
  });
  expect(response.status()).toBe(200);
};

/** Opens the files page of a new, signed-in user. */
export const openFiles = async (
  browser: Browser,
  service: FilesService,
  { email = 'ann@example.com', path = '/files', permissions = writing } = {},
) => {
  const token = await service.newUser(email, permissions);
  const context = await openContext(browser, { acceptDownloads: true });
  await signIn(context, service.url, email);
  const opened = await openPage(context, `${service.url}${path}`);
  await opened.page.locator('#files .tools').waitFor();
  return { context, token, ...opened };
};

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Creates a file for an input. */
export const named = (name: string, bytes: Uint8Array | string) => ({
  name,
  mimeType: '',
  buffer: Buffer.from(bytes),
});

/** Finds the line of a file or folder in the list. */
export const line = (page: Page, name: string) =>
  page.locator('#files tbody tr').filter({ has: page.getByText(name, { exact: true }) });

/** Finds the line of an upload. */
export const uploadLine = (page: Page, name: string) =>
  page.locator('.tray li').filter({ has: page.getByText(name, { exact: true }) });

/** Selects an action from the menu of a file. */
export const choose = async (page: Page, name: string, act: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  // A name may begin another one, and be followed by its key.
  await page.getByRole('menuitem', { name: act }).first().click();
};

/** Returns name and SHA-256 of the file that a click downloads. */
export const downloaded = async (page: Page, click: () => Promise<void>) => {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(await download.path())) hash.update(chunk);
  return { name: download.suggestedFilename(), hash: hash.digest('hex') };
};

/** Returns the names in the list, in order. */
export const names = (page: Page): Promise<string[]> =>
  page
    .locator('#files .person b')
    .evaluateAll((all) => all.map(({ textContent }) => textContent ?? ''));

/** Waits for this summary of all uploads. */
export const expectTold = (page: Page, told: string): Promise<void> =>
  expect.poll(() => page.locator('#uploads-summary').innerText()).toBe(told);

/** Records the states shown in the upload list from now on. */
export const watchUploads = async (page: Page): Promise<() => Promise<string[]>> => {
  await page.evaluate(`{
    window.told = [];
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll('.tray .state')) told.push(textContent);
    }).observe(document.querySelector('main'), { childList: true, subtree: true, characterData: true });
  }`);
  return () => page.evaluate('told');
};
