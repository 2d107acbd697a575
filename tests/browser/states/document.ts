import type { DemoService } from '../../support/pages/demo-service.ts';
import type { PageState } from '../../support/pages/page-state.ts';

const route = '/documents/{id}';

/** Returns the page of the document that a user’s search finds first. */
const pathOf = (who: 'mei' | 'luca', search: string) => async (demo: DemoService) => {
  const client = await demo.as(who);
  const { items } = await client.call('GET /api/documents', { query: { search } });
  const [found] = items;
  if (!found) throw new Error(`The demo has no document ${search}`);
  return `/documents/${found.id}`;
};

/** The page of one document. */
export const documentStates: readonly PageState[] = [
  {
    name: 'document',
    route,
    path: pathOf('mei', 'Editorial calendar'),
    as: 'mei',
    act: (page) => page.locator('.src .editor, .src textarea, .preview p').first().waitFor(),
  },
  {
    name: 'document-menu',
    route,
    path: pathOf('mei', 'Editorial calendar'),
    as: 'mei',
    act: async (page) => {
      await page.getByRole('button', { name: 'Actions for this document' }).click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'document-revisions',
    route,
    path: async (demo) => `${await pathOf('mei', 'Editorial calendar')(demo)}?revisions=list`,
    as: 'mei',
    act: (page) => page.locator('.diff, .revs li').first().waitFor(),
  },
  {
    name: 'document-revision',
    route,
    path: async (demo) => {
      const path = await pathOf('mei', 'Editorial calendar')(demo);
      const id = path.replace(/.*\//, '');
      const client = await demo.as('mei');
      const options = { params: { id: Number(id) } };
      const { items } = await client.call('GET /api/documents/{id}/revisions', options);
      return `${path}?revisions=${items.at(-1)?.version}`;
    },
    as: 'mei',
    act: (page) => page.locator('.diff').waitFor(),
  },
  {
    name: 'document-revisions-none',
    route,
    path: async (demo) => `${await pathOf('luca', 'Ideas for a new logo')(demo)}?revisions=list`,
    as: 'luca',
    act: (page) => page.locator('.revs .empty').waitFor(),
  },
  {
    name: 'document-read',
    route,
    path: pathOf('luca', 'Editorial calendar'),
    as: 'luca',
    act: (page) => page.locator('.preview table, .preview p, .preview li').first().waitFor(),
  },
  { name: 'document-missing', route, path: '/documents/1', as: 'mei' },
];
