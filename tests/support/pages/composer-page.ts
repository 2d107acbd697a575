import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { startFreshService } from '../run/fresh-service.ts';
import { send } from '../run/process.ts';
import { openContext, openPage } from './open-page.ts';

export const person = { email: 'ann@example.com', name: 'Ann', password: 'correct horse' };

/** Returns the URL of a service with no user but its super_admin. */
export const startComposer = async (): Promise<string> => (await startFreshService()).url;

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

/** Opens the composer once CodeMirror has taken over. */
export const openEditor = async (browser: Browser) => {
  const opened = await openPage(await newContext(browser), await startComposer());
  await codeMirror(opened.page);
  return opened;
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

/** The content: a textarea, and soon CodeMirror. */
export const text = (page: Page) => page.getByLabel('Content', { exact: true });

/** Returns the content. */
export const read = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const area = document.querySelector('textarea');
    const lines = document.querySelector('.editor')?.shadowRoot?.querySelectorAll('.cm-line') ?? [];
    const texts = [...lines].map((line) =>
      line.querySelector('.cm-placeholder') ? '' : line.textContent,
    );
    return area ? area.value : texts.join('\\n');
  })()`);

/** Waits until the content is this text. */
export const textIs = (page: Page, expected: string): Promise<void> =>
  expect.poll(() => read(page)).toBe(expected);

/** Waits until CodeMirror has taken the place of the textarea. */
export const codeMirror = (page: Page): Promise<void> => page.locator('.cm-content').waitFor();

/** Opens the options of the share. */
export const openOptions = async (page: Page): Promise<void> => {
  const options = page.locator('#options');
  if (!(await options.isVisible())) await page.locator('#chip-password').click();
  await options.waitFor();
};

/** How the password of the share is chosen: `none`, `random`, `own` or `keep`. */
export const passwordMode = (page: Page) => page.locator('#share-passwordMode');

/** Chooses a password in the open options of the share. */
export const choosePassword = async (
  page: Page,
  choice: 'None' | 'Generate' | 'Custom' | 'Keep current',
): Promise<void> => {
  await page.getByRole('switch', { name: 'Password' }).setChecked(choice !== 'None');
  if (choice === 'None') return;
  const kinds = page.getByRole('group', { name: 'Which password' });
  await kinds.getByRole('button', { name: choice }).click();
};

/** Opens the options of the share with those below "More". */
export const openMoreOptions = async (page: Page): Promise<void> => {
  await openOptions(page);
  const more = page.locator('#more');
  if ((await more.getAttribute('open')) === null) await more.locator('summary').click();
};

/** Discards the draft, or the changes of a share. */
export const discard = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: /^Discard/ }).click();
};
export const share = (page: Page) => page.getByRole('button', { name: 'Share', exact: true });
export const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
export const link = (page: Page) => page.locator('#result').getByLabel('Link', { exact: true });

export const ready = (page: Page): Promise<void> =>
  page.getByRole('heading', { name: 'Your page is ready' }).waitFor();

/** Shares what is in the composer and returns the link. */
export const shareAndRead = async (page: Page): Promise<string> => {
  await share(page).click();
  await ready(page);
  return link(page).inputValue();
};

export const saved = (page: Page): Promise<void> =>
  page.getByRole('heading', { name: 'Changes saved' }).waitFor();

/** Returns the drafts stored in the browser. */
export const kept = (page: Page): Promise<string> => page.evaluate('JSON.stringify(localStorage)');

/** Waits until the stored draft contains this text. */
export const isKept = (page: Page, part: string): Promise<void> =>
  expect.poll(() => kept(page)).toContain(part);

/** Presses the button of a language. */
export const choose = (page: Page, label: 'Markdown' | 'HTML'): Promise<void> =>
  page.getByRole('button', { name: label, exact: true }).click();

/** Whether the button of a language is pressed. */
export const isChosen = async (page: Page, label: 'Markdown' | 'HTML'): Promise<boolean> =>
  (await page.getByRole('button', { name: label, exact: true }).getAttribute('aria-pressed')) ===
  'true';

/** Returns the frame of the HTML preview. */
export const previewFrame = (page: Page) => page.frameLocator('#preview iframe:not(.next)');
