import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { PageState } from '../../support/pages/page-state.ts';
import type { VisitPage } from '../../support/pages/visit.ts';
import { pageStates } from '../states/states.ts';

/** What the README shows. No bundle contains it. */
const folder = join(import.meta.dirname, '../../../functions/web/pictures');

/** The largest picture, so that the README opens quickly. Bytes. */
const maxBytes = 150 * 1_000;

/** Sharp on dense screens. */
const deviceScaleFactor = 2;

const find = (name: string): PageState => {
  const state = pageStates.find((one) => one.name === name);
  if (!state) throw new Error(`No state ${name}`);
  return state;
};

/** Takes a picture of what is in view, of the best quality that is small enough. */
const takeWebp = async (page: Page): Promise<Buffer> => {
  const session = await page.context().newCDPSession(page);
  for (let quality = 90; quality >= 30; quality -= 10) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
    const bytes = Buffer.from(data, 'base64');
    if (bytes.length <= maxBytes) return bytes;
  }
  throw new Error('The picture is too large');
};

const gap = 32;

/** Shows pictures side by side. */
const joinPictures = async (page: Page, pictures: readonly Buffer[], width: number) => {
  const images = pictures.map(
    (bytes) => `<img width="${width}" src="data:image/png;base64,${bytes.toString('base64')}">`,
  );
  const style = `body{margin:0;padding:${gap}px;display:flex;gap:${gap}px;align-items:start;background:#e9eaf2}img{border-radius:10px;box-shadow:0 4px 18px #0003}`;
  await page.setContent(`<style>${style}</style>${images.join('')}`);
  await page.setViewportSize({
    width: pictures.length * (width + gap) + gap,
    height: (await page.evaluate(
      `Math.max(...[...document.images].map(({ height }) => height)) + ${2 * gap}`,
    )) as number,
  });
};

const sample = `# Reading list for May

Three books that **everyone** at Heron Press should open this month.

| Book | Author | Pages |
|---|---|---:|
| Nine Rivers | Mara Lind | 240 |
| The Lamp Room | June Okoro | 192 |

- [x] Send proofs to the printer
- [ ] Agree on the covers
`;

/** Writes a text into the composer, as a user would see it with its preview. */
const composer: PageState = {
  ...find('composer'),
  act: async (page) => {
    await page.locator('.cm-content').waitFor();
    await page.getByLabel('Title', { exact: true }).fill('Reading list for May');
    await page.getByLabel('Content', { exact: true }).fill(sample);
    await page.locator('#preview').getByRole('heading').first().waitFor();
  },
};

/** Takes the pictures of the README, and returns a line about each. */
export const takeReadmePictures = async (visit: VisitPage): Promise<string[]> => {
  await mkdir(folder, { recursive: true });
  const save = async (name: string, bytes: Buffer) => {
    await writeFile(join(folder, name), bytes);
    return `${name}  ${Math.round(bytes.length / 1_000)} KB`;
  };
  const shoot = async (state: PageState, width: number): Promise<Buffer> => {
    const { page, close } = await visit(state, { width, deviceScaleFactor });
    const bytes = await page.screenshot();
    await close();
    return bytes;
  };
  const pair = [await shoot(composer, 1_100), await shoot(find('share-markdown'), 1_100)];
  const { page, close } = await visit(find('dashboard-service'), {
    width: 1_280,
    deviceScaleFactor,
  });
  const dashboard = await save('dashboard.webp', await takeWebp(page));
  // The policy of a page of the service would refuse the style.
  const blank = await page.context().newPage();
  await joinPictures(blank, pair, 620);
  const share = await save('share.webp', await takeWebp(blank));
  await close();
  return [share, dashboard];
};
