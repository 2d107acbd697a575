import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { link, save, saved, share, text, textIs } from '../../support/pages/composer-page.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { goOn, openRecorded, seal, sizes } from '../../support/sealed/composing.ts';
import { openByLink } from '../../support/sealed/opening.ts';

const toFile = (name: string, content: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

const files = [
  toFile('index.html', '<h1>Codes of Falke</h1>'),
  toFile('about.html', '<p>About 4711</p>'),
  toFile('falke-codes.csv', 'name,code\nFalke,4711\n'),
];

/** What tells something of the files above. */
const secret = /Falke|4711|about|codes|\.csv|\.html/i;

describe.skipIf(!hasBrowser).each(sizes)('the files of a sealed share at $width', (viewport) => {
  it('are sealed one by one: what was uploaded before is deleted, and their names leave no browser', async () => {
    const { page, sent, context } = await openRecorded(browser, { viewport });
    // A plain share uploads them at once.
    const announced = page.waitForResponse(/api\/share\/uploads$/);
    await page.locator('#file').setInputFiles(files);
    await announced;
    const deleted = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await seal(page);
    expect((await deleted).status()).toBe(200);
    await page.getByText('The uploaded files were deleted').waitFor();
    await page.getByText('Readers see the main page, and download the other files.').waitFor();
    await inspect(page, `sealed-files-${viewport.width}`);

    sent.length = 0;
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Your page is ready' }).waitFor();
    const whole = await link(page).inputValue();
    expect(sent.filter((request) => /\/api\/share/.test(request))).not.toEqual([]);
    expect(sent.filter((request) => secret.test(request))).toEqual([]);

    const { content, share: stored, readFile } = await openByLink(whole);
    expect(content).toMatchObject({ language: 'html', text: '<h1>Codes of Falke</h1>' });
    expect(content.files.map(({ name, type, size }) => [name, type, size])).toEqual([
      ['about.html', 'text/html', 17],
      ['falke-codes.csv', 'text/csv', 21],
    ]);
    expect(await Promise.all(content.files.map(readFile))).toEqual([
      '<p>About 4711</p>',
      'name,code\nFalke,4711\n',
    ]);
    expect(JSON.stringify(stored.files)).not.toMatch(/about|codes|csv/i);
    expect(stored.title).toBeNull();

    // Only what is new is sealed and sent with the next version.
    await goOn(page);
    await page.getByText('You’re editing a share.').waitFor();
    await page.locator('#file').setInputFiles([toFile('more.txt', 'More of 4711')]);
    await page.locator('[role=treeitem][data-path="more.txt"]').waitFor({ state: 'attached' });
    await page.keyboard.press('Control+Enter');
    await saved(page);
    const next = await openByLink(whole);
    expect(next.content.files.map(({ name }) => name)).toEqual([
      ...['about.html', 'falke-codes.csv', 'more.txt'],
    ]);
    expect(next.content.files.slice(0, 2)).toEqual(content.files);
    expect(await Promise.all(next.content.files.map(next.readFile))).toEqual([
      ...['<p>About 4711</p>', 'name,code\nFalke,4711\n', 'More of 4711'],
    ]);

    // A copy seals them again, with its own key.
    const copy = await context.newPage();
    const { origin, pathname, hash } = new URL(whole);
    await copy.goto(`${origin}/?duplicate=${pathname.split('/').at(-1)}${hash}`);
    await copy.getByText('It gets a link and a key of its own.').waitFor();
    await copy.keyboard.press('Control+Enter');
    await copy.getByRole('heading', { name: 'Your page is ready' }).waitFor();
    const copied = await openByLink(await link(copy).inputValue());
    expect(copied.content.files.map(({ name }) => name)).toEqual(
      next.content.files.map(({ name }) => name),
    );
    const ids = new Set(next.content.files.map(({ id }) => id));
    expect(copied.content.files.filter(({ id }) => ids.has(id))).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)('a sealed share of files', () => {
  it('needs no text, and can be one file', async () => {
    const { page } = await openRecorded(browser);
    await seal(page);
    await page.locator('#file').setInputFiles([toFile('plan.pdf', '%PDF-1.7 plan')]);
    await page.getByText('Readers download this file.').waitFor();
    await share(page).click();
    await page.getByRole('heading', { name: 'Your page is ready' }).waitFor();
    const whole = await link(page).inputValue();
    const { content, readFile } = await openByLink(whole);
    expect(content.text).toBe('');
    expect(content.files.map(({ name }) => name)).toEqual(['plan.pdf']);
    const [file] = content.files;
    expect(file && (await readFile(file))).toBe('%PDF-1.7 plan');
    await goOn(page);
    await page.getByText('Readers download this file.').waitFor();
    await save(page).click();
    await saved(page);
  });

  it('takes a file that can’t be its text as one of its files', async () => {
    const { page } = await openRecorded(browser);
    await seal(page);
    const log = toFile('falke.log', 'Line of a log\n'.repeat(60_000));
    await page.locator('#file').setInputFiles([log]);
    await page.getByText('Readers download this file.').waitFor();
    await share(page).click();
    await page.getByRole('heading', { name: 'Your page is ready' }).waitFor();
    const { content } = await openByLink(await link(page).inputValue());
    expect(content.files.map(({ name, size }) => [name, size])).toEqual([['falke.log', 840_000]]);
  });

  it('says which file is too large to be sealed, and sends nothing', async () => {
    const { page, sent } = await openRecorded(browser);
    await text(page).fill('# Plans');
    await seal(page);
    const large = { name: 'film.mp4', mimeType: '', buffer: Buffer.alloc(4 * 1_024 * 1_024) };
    await page.locator('#file').setInputFiles([large]);
    await page.locator('[role=treeitem][data-path="film.mp4"]').waitFor();
    sent.length = 0;
    await share(page).click();
    await page.getByText('film.mp4 has 4 MB. A sealed file can have at most 3.9 MB.').waitFor();
    expect(sent.filter((request) => /\/api\/share/.test(request))).toEqual([]);
    await textIs(page, '# Plans');
  });
});
