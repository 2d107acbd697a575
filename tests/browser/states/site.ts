import type { Page } from 'playwright-core';
import type { PageState } from '../../support/pages/page-state.ts';
import { refuseEmails } from '../../support/pages/refused-emails.ts';

const openMenu = (page: Page, name: string | RegExp = /^Actions for/) =>
  page.getByRole('button', { name }).first().click();

/** Opens the menu of a share that can be ended. */
const openActiveShare = (page: Page) => openMenu(page, 'Actions for Spring catalogue');

const goodLines = [
  'Sold at;Amount;Cost;Customer;Category',
  '2026-11-20;49,90;12,50;Quay Books;Books',
  '2026-11-20 14:30;1.234,50;300;"Walsh; E.";Prints',
  '2026-11-19T10:00:00Z;9,99;0,80;;E-books',
];
const wrongLines = [
  '2026-11-18;12,345;1;S. Iyer;Books',
  '11/20/2026;;1;L. Berg;Books',
  '2026-11-17;5',
];

const newUsers = [
  'Name;Email;Role',
  'Priya Raman;priya.raman@example.com;user',
  'Jonas Vogt;jonas.vogt@example.com;guest',
];
const wrongUsers = ['Otto;otto at example.com;user', 'Lena Holm;lena.holm@example.com;boss'];

const chooseFile = async (page: Page, lines: readonly string[], button: string) => {
  const buffer = Buffer.from(lines.join('\r\n'));
  await page.locator('#csv').setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: button }).waitFor();
};

/** The pages of the site. */
export const siteStates: readonly PageState[] = [
  { name: 'api-reference', path: '/api/docs' },
  { name: 'api-reference-group', route: '/api/docs/{group}', path: '/api/docs/share' },
  { name: 'shares', path: '/shares', as: 'luca' },
  {
    name: 'shares-selected',
    path: '/shares',
    as: 'luca',
    act: async (page) => {
      for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
      await page.getByRole('toolbar').waitFor();
    },
  },
  {
    name: 'shares-menu',
    path: '/shares',
    as: 'luca',
    act: async (page) => {
      await openActiveShare(page);
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'shares-links',
    path: '/shares',
    as: 'luca',
    act: async (page) => {
      await openActiveShare(page);
      await page.getByRole('menuitem', { name: 'Links' }).click();
      const dialog = page.locator('dialog.drawer[open]');
      const revoke = dialog.getByRole('button', { name: /^Revoke/ });
      await dialog.getByLabel('For', { exact: true }).waitFor();
      for (const name of ['Mei', 'Nadia']) {
        const before = await dialog.getByRole('listitem').count();
        if (before >= 2) break;
        await dialog.getByLabel('For', { exact: true }).fill(name);
        await dialog.getByRole('button', { name: 'Create link' }).click();
        await dialog.getByRole('listitem').nth(before).waitFor();
      }
      if ((await revoke.count()) > 1) await revoke.first().click();
      await dialog.getByText('Revoked', { exact: true }).waitFor();
    },
  },
  {
    name: 'shares-extend',
    path: '/shares?sort=expiresAt',
    as: 'luca',
    act: async (page) => {
      for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
      await page.getByRole('toolbar').getByRole('button', { name: 'Extend' }).click();
      const dialog = page.getByRole('dialog', { name: /^Extend/ });
      await dialog.getByLabel('New expiration').selectOption('Custom date');
      await dialog.getByLabel('Expires on').waitFor();
    },
  },
  {
    name: 'shares-end',
    path: '/shares',
    as: 'luca',
    act: async (page) => {
      await openActiveShare(page);
      await page.getByRole('menuitem', { name: 'End now' }).click();
      await page.getByRole('button', { name: 'Undo' }).click();
    },
  },
  { name: 'shares-with-me', path: '/shares?with=me', as: 'luca' },
  { name: 'shares-with-me-no-match', path: '/shares?with=me&search=unknown', as: 'luca' },
  { name: 'shares-requests', path: '/shares?with=requests', as: 'luca' },
  { name: 'shares-requests-empty', path: '/shares?with=requests', as: 'tomas' },
  {
    name: 'shares-request',
    path: '/shares?with=requests',
    as: 'luca',
    act: async (page) => {
      await page.getByRole('link', { name: 'What you know about the old bindery' }).click();
      await page.getByText('From outside: Edith Walsh').waitFor();
    },
  },
  {
    name: 'shares-ask',
    path: '/shares?with=requests',
    as: 'luca',
    act: async (page) => {
      await page.getByRole('button', { name: 'Ask for content' }).click();
      const dialog = page.getByRole('dialog', { name: 'Ask for content' });
      await dialog.getByLabel('Password').selectOption('Choose one');
      await dialog.getByRole('button', { name: 'Create link' }).click();
      await dialog.getByText('Enter what you ask for.').waitFor();
    },
  },
  {
    name: 'shares-details',
    path: '/shares?sort=title',
    as: 'luca',
    act: async (page) => {
      await page.locator('#shares td.m a').first().click();
      await page.getByRole('link', { name: 'Open page' }).waitFor();
    },
  },
  {
    name: 'shares-people',
    path: '/shares',
    as: 'nadia',
    act: async (page) => {
      await page.getByRole('link', { name: 'Offer for The Lamp Room' }).click();
      await page.getByRole('link', { name: 'People' }).click();
      await page
        .getByText(/^Opened .+ · /)
        .first()
        .waitFor();
    },
  },
  { name: 'shares-no-match', path: '/shares?search=unknown', as: 'luca' },
  { name: 'shares-empty', path: '/shares', as: 'tomas' },
  { name: 'files', path: '/files', as: 'mei' },
  { name: 'files-folder', path: '/files?folder=Manuscripts', as: 'mei' },
  { name: 'files-search', path: '/files?search=zzz', as: 'mei' },
  { name: 'files-none', path: '/files?show=video', as: 'mei' },
  {
    name: 'files-preview',
    path: '/files?folder=Manuscripts',
    as: 'mei',
    act: async (page) => {
      await page.locator('#files td.m a').first().click();
      await page.locator('dialog.drawer[open]').waitFor();
    },
  },
  {
    name: 'files-move',
    path: '/files?folder=Manuscripts',
    as: 'mei',
    act: async (page) => {
      await openMenu(page);
      await page.getByRole('menuitem', { name: 'Move' }).click();
      await page
        .getByRole('dialog')
        .getByText('No folders here.')
        .or(page.locator('.folders li'))
        .first()
        .waitFor();
    },
  },
  {
    name: 'files-uploads',
    path: '/files',
    as: 'mei',
    act: async (page) => {
      await page.route('**/api/files/presign', (route) =>
        route.fulfill({ status: 413, json: { error: { message: 'The file is too large.' } } }),
      );
      await page
        .locator('#choose')
        .setInputFiles({ name: 'cover.tif', mimeType: '', buffer: Buffer.from('x') });
      await page.getByText('1 file failed to upload').waitFor();
    },
  },
  { name: 'notifications', path: '/notifications', as: 'mei' },
  { name: 'notifications-none', path: '/notifications?show=task', as: 'tomas' },
  { name: 'messages', path: '/messages', as: 'mei' },
  { name: 'messages-sent', path: '/messages?show=sent', as: 'tomas' },
  {
    name: 'messages-conversation',
    path: '/messages',
    as: 'nadia',
    act: async (page) => {
      await page.locator('.convs li a').nth(3).click();
      await page.locator('.write textarea').waitFor();
    },
  },
  { name: 'messages-new', path: '/messages?new=1', as: 'mei' },
  {
    name: 'messages-attach',
    path: '/messages?new=1',
    as: 'mei',
    act: async (page) => {
      await page.getByRole('button', { name: 'Attach files' }).click();
      await page.locator('.own-files button').first().click();
    },
  },
  { name: 'notification-settings', path: '/notifications?open=settings', as: 'nadia' },
  { name: 'dashboard', path: '/dashboard', as: 'mei' },
  { name: 'dashboard-service', path: '/dashboard?view=service', as: 'nadia' },
  { name: 'sales', path: '/sales', as: 'nadia' },
  {
    name: 'sales-open',
    path: '/sales',
    as: 'nadia',
    act: async (page) => {
      await page.locator('#sales td.m a').nth(1).click();
      await page.locator('#sale').waitFor();
    },
  },
  { name: 'sales-new', path: '/sales?new=sale', as: 'nadia' },
  { name: 'sales-customer', path: '/sales?customer=Quay+Books', as: 'nadia' },
  { name: 'sales-no-match', path: '/sales?category=Unknown', as: 'nadia' },
  { name: 'sales-import', path: '/sales?import=csv', as: 'nadia' },
  {
    name: 'sales-import-preview',
    path: '/sales?import=csv',
    as: 'nadia',
    act: (page) => chooseFile(page, goodLines, 'Import 3 sales'),
  },
  {
    name: 'sales-import-errors',
    path: '/sales?import=csv',
    as: 'nadia',
    act: (page) => chooseFile(page, [...goodLines, ...wrongLines], 'Import 3 sales'),
  },
  {
    name: 'sales-import-failed',
    path: '/sales?import=csv',
    as: 'nadia',
    act: async (page) => {
      const error = { message: 'The sale could not be saved. Try again.' };
      await page.route('**/api/sales', (route) => route.fulfill({ status: 409, json: { error } }));
      await chooseFile(page, goodLines, 'Import 3 sales');
      await page.getByRole('button', { name: 'Import 3 sales' }).click();
      await page.getByText('3 lines failed').waitFor();
    },
  },
  {
    name: 'sales-empty',
    path: '/sales',
    as: 'nadia',
    act: async (page) => {
      const none = { items: [], total: 0, totalIsExact: true, page: 1, pageSize: 25 };
      const json = { success: true, data: { ...none, nextCursor: null } };
      await page.route('**/api/sales?*', (route) => route.fulfill({ json }));
      await page.reload();
      await page.getByText('No sales yet').waitFor();
    },
  },
  { name: 'users', path: '/users', as: 'nadia' },
  {
    name: 'users-open',
    path: '/users',
    as: 'nadia',
    act: async (page) => {
      await page.locator('#users td.m a').nth(1).click();
      await page.locator('#user').waitFor();
    },
  },
  {
    name: 'users-no-emails',
    path: '/users',
    as: 'nadia',
    act: async (page) => {
      await refuseEmails(page);
      await page.reload();
      await page.locator('#users td.m a').nth(1).click();
      await page.locator('#user').waitFor();
    },
  },
  { name: 'users-new', path: '/users?new=user', as: 'nadia' },
  { name: 'users-import', path: '/users?import=csv', as: 'nadia' },
  {
    name: 'users-import-check',
    path: '/users?import=csv',
    as: 'nadia',
    act: (page) => chooseFile(page, [...newUsers, ...wrongUsers], 'Create and invite 2 users'),
  },
  {
    name: 'users-import-stopped',
    path: '/users?import=csv',
    as: 'nadia',
    act: async (page) => {
      await chooseFile(page, newUsers, 'Create and invite 2 users');
      const error = { message: 'The users could not be saved. Try again.' };
      await page.route('**/api/users/import', (route) =>
        route.fulfill({ status: 409, json: { error } }),
      );
      await page.getByRole('button', { name: 'Create and invite 2 users' }).click();
      await page.getByText('Stopped. 2 users left.').waitFor();
    },
  },
  {
    name: 'users-export',
    path: '/users',
    as: 'nadia',
    act: async (page) => {
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  { name: 'users-roles', path: '/users?tab=roles', as: 'nadia' },
  { name: 'moderation', path: '/moderation', as: 'ivy' },
  { name: 'moderation-all', path: '/moderation?list=all', as: 'ivy' },
  { name: 'moderation-requests', path: '/moderation?list=requests', as: 'ivy' },
  {
    name: 'moderation-request',
    path: '/moderation?list=requests',
    as: 'ivy',
    act: async (page) => {
      await page.getByRole('link', { name: 'Access to the newsletter tool' }).click();
      await page.getByText('This asks for passwords.').waitFor();
    },
  },
  {
    name: 'moderation-review',
    path: '/moderation',
    as: 'ivy',
    act: async (page) => {
      await page.locator('#moderation td.m a').first().click();
      await page.locator('.framed iframe:not(.next)').waitFor();
    },
  },
  { name: 'audit', path: '/audit', as: 'nadia' },
  { name: 'audit-no-match', path: '/audit?from=2020-01-01&to=2020-01-02', as: 'nadia' },
  {
    name: 'audit-entry',
    path: '/audit?action=user.create',
    as: 'nadia',
    act: async (page) => {
      await page.locator('#audit td.m a').first().click();
      await page.locator('.difference').waitFor();
    },
  },
  { name: 'settings', path: '/settings', as: 'nadia' },
  {
    name: 'settings-failed',
    path: '/settings',
    as: 'nadia',
    act: async (page) => {
      const url = '**/api/settings/health';
      await page.route(url, async (route) => {
        const response = await route.fetch();
        const { data, ...body } = await response.json();
        const jobs = { ...data.jobs, failed: 3 };
        await route.fulfill({ json: { ...body, data: { ...data, bucket: 'failed', jobs } } });
      });
      await page.getByRole('button', { name: 'Check again' }).click();
      await page.getByText('Doesn’t answer').waitFor();
    },
  },
  {
    name: 'settings-failed-jobs',
    path: '/settings',
    as: 'nadia',
    act: async (page) => {
      const failedAt = '2026-11-20T12:00:00.000Z';
      const data = [
        { kind: 'event-reminder-email', queue: 'mail', error: 'MailSetupError' },
        { kind: 'reconcile-user', queue: 'work', error: 'JobTimeoutError' },
      ].map((job) => ({ ...job, id: `1795176000000-${job.kind}`, failedAt }));
      const json = { success: true, data };
      await page.route('**/api/settings/failed-jobs', (route) => route.fulfill({ json }));
      await page.getByRole('button', { name: 'Check again' }).click();
      await page.getByText('Failed jobs').waitFor();
    },
  },
  { name: 'forbidden', path: '/moderation', as: 'tomas', status: 403 },
  { name: 'not-found', route: '', path: '/nothing-here', status: 404 },
];
