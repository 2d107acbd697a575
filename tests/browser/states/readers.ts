import type { Page } from 'playwright-core';
import type { DemoService } from '../../support/pages/demo-service.ts';
import type { PageState } from '../../support/pages/page-state.ts';

const route = '/s/{id}';
const share =
  (title: string, rest = '') =>
  async (demo: DemoService) =>
    `/s/${await demo.shareId(title)}${rest}`;

/** Creates a share of this state alone. */
const newShare = async (demo: DemoService, fields: object = {}) => {
  const client = await demo.as('luca');
  const body = { content: '<p>Ten prints left.</p>', title: 'Print sale', ...fields };
  return client.call('POST /api/share', { body });
};
const own =
  (fields: object, rest = '') =>
  async (demo: DemoService) =>
    `/s/${(await newShare(demo, fields)).id}${rest}`;

const takenDown = async (demo: DemoService) => {
  const { id } = await newShare(demo);
  const [client, body] = [await demo.as('nadia'), { decision: 'take-down' } as const];
  await client.call('PUT /api/shares/{id}/decision', { params: { id }, body });
  return `/s/${id}`;
};

/** Creates a share request of this state alone. */
const newRequest = async (demo: DemoService, fields: object = {}) => {
  const client = await demo.as('luca');
  const body = {
    title: 'Logs of the outage',
    note: 'From 09:00 to 10:00, please.\nA screenshot of the error helps, too.',
    ...fields,
  };
  return client.call('POST /api/share/requests', { body });
};
const requested =
  (fields: object = {}, rest = '') =>
  async (demo: DemoService) =>
    `/r/${(await newRequest(demo, fields)).id}${rest}`;

const fillIn = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel('Your name').fill('Mei');
  await page.getByLabel('Text', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
};

/** Creates a share with a recipient link, maybe a revoked one. */
const newLink = async (demo: DemoService, isRevoked = false, body: object = { label: 'Mei' }) => {
  const { id } = await newShare(demo);
  const [client, params] = [await demo.as('luca'), { id }];
  const link = await client.call('POST /api/share/{id}/links', { params, body });
  if (isRevoked) {
    const path = 'DELETE /api/share/{id}/links/{linkId}';
    await client.call(path, { params: { id, linkId: link.id } });
  }
  return `/s/${link.id}`;
};

/** A recipient link that asks for a code. */
const asks = { email: 'mei.tanaka@example.com', verify: true };

const openMenu = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('link', { name: 'Raw' }).waitFor();
};

const press = async (page: Page, name: string, shown: string): Promise<void> => {
  await page.getByRole('button', { name }).click();
  await page.getByRole('heading', { name: shown }).waitFor();
};

/** The pages of shares, for readers and owners. */
export const readerStates: readonly PageState[] = [
  { name: 'share-markdown', route, path: share('Submission guidelines') },
  { name: 'share-code', route, path: share('EPUB build notes') },
  { name: 'share-html', route, path: share('Spring catalogue') },
  { name: 'share-password', route, path: share('Wholesale prices') },
  { name: 'share-view-limit', route, path: share('Proof of Nine Rivers, chapter 1') },
  {
    name: 'share-ended',
    route,
    path: async (demo) => `/s/${await demo.endedShareId()}`,
    status: 410,
  },
  { name: 'share-unknown', route, path: '/s/unknown-unknown-unknown', status: 404 },
  { name: 'share-sign-in', route, path: own({ audience: 'private' }), status: 401 },
  {
    name: 'share-not-found',
    route,
    path: own({ audience: 'private' }),
    as: 'mei',
    status: 404,
  },
  { name: 'share-private', route, path: own({ audience: 'private' }), as: 'luca' },
  {
    name: 'share-ended-by-views',
    route,
    path: async (demo) => {
      const { id } = await newShare(demo, { viewLimit: 1 });
      await (await demo.as('mei')).call('GET /api/share', { query: { id } });
      return `/s/${id}`;
    },
    status: 410,
  },
  { name: 'share-link', route, path: (demo) => newLink(demo) },
  { name: 'share-asks-for-code', route, path: (demo) => newLink(demo, false, asks), status: 401 },
  {
    name: 'share-code-sent',
    route: '/s/{id}/code',
    path: (demo) => newLink(demo, false, asks),
    status: 401,
    act: (page) => press(page, 'Send code', 'Check your email'),
  },
  { name: 'share-link-revoked', route, path: (demo) => newLink(demo, true), status: 410 },
  {
    name: 'share-left',
    route,
    path: own({ content: '<script>location = "/unknown/address"</script>' }),
    act: (page) => page.getByRole('alert').getByRole('button', { name: 'Reload' }).waitFor(),
  },
  { name: 'share-taken-down', route, path: takenDown, status: 410 },
  { name: 'share-menu', route, path: share('Submission guidelines'), act: openMenu },
  { name: 'share-owner', route, path: share('Submission guidelines'), as: 'mei', act: openMenu },
  { name: 'share-preview', route, path: share('Submission guidelines', '?preview'), as: 'mei' },
  { name: 'share-preview-html', route, path: own({}, '?preview'), as: 'luca' },
  { name: 'share-veiled', route, path: own({ viewLimit: 1 }), as: 'luca' },
  {
    name: 'share-stopped',
    route,
    path: own({}),
    as: 'luca',
    act: async (page) => {
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    },
  },
  {
    name: 'share-own-ended',
    route,
    path: async (demo) => `/s/${await demo.endedShareId()}`,
    as: 'luca',
    status: 410,
  },
  {
    name: 'share-wrong-password',
    route,
    path: share('Wholesale prices'),
    act: async (page) => {
      await page.getByLabel('Password').fill('Wr0ng7');
      await page.getByRole('button', { name: 'Open snippet' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'share-opened',
    route,
    path: own({ viewLimit: 5, readersCanEnd: true }),
    act: async (page) => {
      await page.getByRole('button', { name: 'Open snippet' }).click();
      await openMenu(page);
    },
  },
  {
    name: 'share-open-first',
    route: '/s/{id}/raw',
    path: share('Wholesale prices', '/raw'),
    status: 401,
  },
  { name: 'share-embed', route: '/s/{id}/embed', path: share('Submission guidelines', '/embed') },
  {
    name: 'share-embed-html',
    route: '/s/{id}/embed',
    path: own({ embedOrigins: ['*'] }, '/embed'),
  },
  {
    name: 'share-embed-locked',
    route: '/s/{id}/embed',
    path: own({ embedOrigins: ['*'], viewLimit: 2 }, '/embed'),
  },
  {
    name: 'share-embed-restricted',
    route: '/s/{id}/embed',
    path: own({ embedOrigins: ['*'], audience: 'private' }, '/embed'),
    status: 401,
  },
  {
    name: 'share-embed-unknown',
    route: '/s/{id}/embed',
    path: '/s/unknown-unknown-unknown/embed',
    status: 404,
  },
  { name: 'share-end', route: '/s/{id}/end', path: share('Submission guidelines', '/end') },
  {
    name: 'share-ended-by-reader',
    route: '/s/{id}/end',
    path: own({ readersCanEnd: true }, '/end'),
    act: (page) => press(page, 'End snippet', 'This share has ended'),
  },
  {
    name: 'share-revisions',
    route: '/s/{id}/revisions',
    path: share('How to cite our books', '/revisions'),
  },
  {
    name: 'share-revisions-changes',
    route: '/s/{id}/revisions',
    path: share('How to cite our books', '/revisions?version=1'),
    as: 'ivy',
  },
  {
    name: 'share-revisions-none',
    route: '/s/{id}/revisions',
    path: own({}, '/revisions'),
    as: 'luca',
  },
  { name: 'request', route: '/r/{id}', path: requested() },
  { name: 'request-password', route: '/r/{id}', path: requested({ password: 'Sesam1' }) },
  {
    name: 'request-wrong',
    route: '/r/{id}',
    path: requested(),
    act: async (page) => {
      await fillIn(page, ' ');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'request-received',
    route: '/r/{id}',
    path: requested({ submissions: 2 }),
    act: async (page) => {
      await fillIn(page, 'It began at 09:12.');
      await page.getByRole('heading', { name: 'Received' }).waitFor();
    },
  },
  {
    name: 'request-closed',
    route: '/r/{id}',
    path: async (demo) => {
      const { id } = await newRequest(demo);
      const params = { id };
      const client = await demo.as('luca');
      const body = { closed: true };
      await client.call('PUT /api/share/requests/{id}', { params, body });
      return `/r/${id}`;
    },
    status: 410,
  },
  { name: 'request-unknown', route: '/r/{id}', path: '/r/unknown-unknown-unknown', status: 404 },
  { name: 'request-report', route: '/r/{id}/report', path: requested({}, '/report') },
  { name: 'report', route: '/s/{id}/report', path: share('Submission guidelines', '/report') },
  {
    name: 'report-sent',
    route: '/s/{id}/report',
    path: own({}, '/report'),
    act: async (page) => {
      await page.getByLabel('What’s wrong with it?').fill('It shows a private address.');
      await press(page, 'Send report', 'Report sent');
    },
  },
];
