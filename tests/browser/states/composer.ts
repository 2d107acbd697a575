import type { Page } from 'playwright-core';
import { zipFiles } from '../../support/archives/zip.ts';
import type { PageState } from '../../support/pages/page-state.ts';

const openOptions = async (page: Page): Promise<void> => {
  await page.locator('#chip-who').click();
  await page.locator('#options').waitFor();
};

/** Shares a text, which the service doesn't store. */
const shareNothing = async (page: Page, answer: object = { password: 'k4Tz9Q' }): Promise<void> => {
  const id = 'mZ3kP0cWbq7x1VvH9sTt2A';
  const url = new URL(`/s/${id}`, page.url()).href;
  await page.route('**/api/share', (route) =>
    route.fulfill({ status: 201, json: { id, url, message: 'Shared', ...answer } }),
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

const style = 'header { padding: 2rem; background: #f3ecdf } img { width: 9rem }';
const drawing = (color: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 6"><rect width="9" height="6" fill="${color}"/></svg>`;

/** The files of a page, of which two are missing. */
const site = {
  'index.html':
    '<!doctype html>\n<html lang="en">\n<title>The paper mill</title>\n<link rel="stylesheet" href="style.css">\n<header>\n  <h1>The paper mill</h1>\n</header>\n<img src="img/mill-1.svg" alt="The mill">\n<img src="img/mill-2.svg" alt="The wheel">\n<img src="img/mill-3.svg" alt="The barn">\n',
  'style.css': `@font-face { font-family: Mill; src: url(fonts/mill.woff2) }\n${style}\n`,
  'img/mill-1.svg': drawing('#c9b48a'),
  'img/mill-2.svg': drawing('#76947f'),
  'pages/a-visit-in-spring-with-all-that-was-open-to-us.html': '<h1>A visit</h1>',
  'pages/paper.html': '<h1>Paper</h1>',
};

const addSite = async (page: Page): Promise<void> => {
  const archive = { name: 'mill.zip', mimeType: 'application/zip', buffer: zipFiles(site) };
  await page.locator('#file').setInputFiles(archive);
  await page.getByText('2 files are missing').waitFor();
};

const addWithoutUpload = async (page: Page): Promise<void> => {
  await page.route('**/api/share/uploads', (route) =>
    route.fulfill({ status: 409, json: { error: { code: 'CONFLICT', message: 'Five uploads' } } }),
  );
  await addSite(page);
  const film = { name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(5_000_000) };
  await page.locator('#file').setInputFiles(film);
  await page.getByText('1 file wasn’t added').waitFor();
};

const dragFiles = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([], 'a.txt'));
    document.body.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true }));
  });

const seal = async (page: Page): Promise<void> => {
  await openOptions(page);
  await page.getByRole('switch', { name: /^Sealed/ }).check();
  await page.getByRole('switch', { name: /^Passphrase/ }).check();
  await page.locator('#share-passphrase').fill('quiet harbour');
};

const shareSealed = async (page: Page): Promise<void> => {
  await seal(page);
  await page.keyboard.press('Escape');
  await shareNothing(page, {});
};

const addSealed = async (page: Page): Promise<void> => {
  await seal(page);
  await page.keyboard.press('Escape');
  const archive = { name: 'mill.zip', mimeType: 'application/zip', buffer: zipFiles(site) };
  await page.locator('#file').setInputFiles(archive);
  await page.locator('.tree').getByText('download the other files').waitFor({ state: 'attached' });
};

/** The composer, its options, and what it says of a share. */
export const composerStates: readonly PageState[] = [
  { name: 'composer', path: '/', as: 'mei' },
  { name: 'composer-signed-out', path: '/' },
  { name: 'composer-options', path: '/', as: 'mei', act: openOptions },
  { name: 'composer-options-signed-out', path: '/', act: openOptions },
  // On a phone, the row at the end of the sheet is cut.
  { name: 'composer-people', path: '/', as: 'luca', act: findPeople, minWidth: 900 },
  { name: 'composer-files', path: '/', as: 'mei', act: addSite },
  { name: 'composer-files-failed', path: '/', as: 'mei', act: addWithoutUpload },
  { name: 'composer-files-drop', path: '/', as: 'mei', act: dragFiles },
  { name: 'composer-result', path: '/', as: 'mei', act: (page) => shareNothing(page) },
  { name: 'composer-sealed', path: '/', as: 'mei', act: seal },
  { name: 'composer-sealed-files', path: '/', as: 'mei', act: addSealed },
  { name: 'composer-sealed-result', path: '/', as: 'mei', act: shareSealed },
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
