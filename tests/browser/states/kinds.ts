import type { Page } from 'playwright-core';
import { filesToMarkdown } from '../../../shared/markdown/files/files-to-markdown.ts';
import type { DemoService } from '../../support/pages/demo-service.ts';
import type { PageState } from '../../support/pages/page-state.ts';

const route = '/s/{id}';

/** Shares a text as a file of lines. */
const ofText = (name: string, text: string) => async (demo: DemoService) => {
  const content = filesToMarkdown([{ name, text }]);
  const body = { content, language: 'markdown', fileName: name } as const;
  return `/s/${(await (await demo.as('luca')).call('POST /api/share', { body })).id}`;
};

/** Shares a cover that is among the files of the demo. */
const ofCover = async (demo: DemoService) => {
  const client = await demo.as('luca');
  const { items } = await client.call('GET /api/files', { query: { search: 'rivers' } });
  const { id } = await client.call('POST /api/share', { body: { file: items[0]?.id ?? 0 } });
  return `/s/${id}`;
};

const sales = [
  'title,format,copies,revenue,note',
  ...['Peat', 'The Tidal Year', 'Salt Roads', 'Nine Rivers'].flatMap((title, at) => [
    `${title},Paperback,${1_250 - 130 * at},"${(14_375.5 - 1_495 * at).toFixed(2)}",`,
    `${title},Hardback,${310 - 40 * at},"${(7_440 - 960 * at).toFixed(2)}","Signed copies, first printing"`,
  ]),
].join('\n');

const book = JSON.stringify({
  isbn: '978-0-00-000000-2',
  title: 'Nine Rivers',
  pages: 288,
  price: 18.0,
  isOut: false,
  authors: [{ name: 'Maria Okafor', born: 1979 }],
  blurb: 'Nine rivers, nine winters, and one boat that should not float. '.repeat(8),
});

const askForLink = async (page: Page): Promise<void> => {
  await page
    .locator('#files tbody')
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Share as a link' }).click();
  await page.getByRole('button', { name: 'Create link' }).waitFor();
};

/** The pages of files that are more than lines, and the way of a stored file to such a page. */
export const kindStates: readonly PageState[] = [
  { name: 'share-csv', route, path: ofText('sales.csv', sales) },
  { name: 'share-csv-wrong', route, path: ofText('sales.csv', `${sales}\n"a"b`) },
  { name: 'share-json', route, path: ofText('book.json', book) },
  { name: 'share-picture', route, path: ofCover },
  { name: 'files-link', path: '/files?folder=Manuscripts', as: 'mei', act: askForLink },
];
