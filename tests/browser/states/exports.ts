import type { Page } from 'playwright-core';
import type { PageState } from '../../support/pages/page-state.ts';

const minuteMs = 60_000;

const after = (minutes: number): string => new Date(Date.now() + minutes * minuteMs).toISOString();

const ownData = {
  id: 21,
  kind: 'own-data',
  format: 'zip',
  filter: null,
  status: 'ready',
  problem: null,
  requestedAt: after(-180),
  readyAt: after(-170),
  expiresAt: after(9_900),
  bytes: 48_103_424,
  rows: 214,
  leftOut: ['“harbour-film.mp4” is larger than the archive can have.'],
};

const made = { ...ownData, leftOut: [] };
const unmade = { ...made, readyAt: null, expiresAt: null, bytes: null, rows: null };

const all = [
  {
    ...unmade,
    id: 24,
    kind: 'audit',
    format: 'ndjson',
    filter: 'action=user.update&from=2026-01-01',
    status: 'running',
    requestedAt: after(-1),
  },
  {
    ...made,
    id: 23,
    kind: 'sales',
    format: 'csv',
    filter: 'category=Prints',
    bytes: 12_582_912,
    rows: 123_456,
    requestedAt: after(-60),
  },
  {
    ...unmade,
    id: 22,
    kind: 'users',
    format: 'csv',
    status: 'failed',
    problem: 'Missing permission: users:export.',
    requestedAt: after(-120),
  },
  ownData,
];

/** Answers in place of the service, which prepares files in its own time. */
const answer = async (page: Page, data: readonly object[]): Promise<void> => {
  await page.route('**/api/users/me/exports', (route) =>
    route.fulfill({ json: { success: true, data } }),
  );
  await page.reload();
};

const account = '/account?tab=security#your-data';

/** What users take out, on the account page and on the pages of lists. */
export const exportStates: readonly PageState[] = [
  {
    name: 'account-exports',
    route: '/account',
    path: account,
    as: 'nadia',
    act: async (page) => {
      await answer(page, all);
      await page.getByText('1 thing isn’t included').click();
    },
  },
  {
    name: 'account-exports-waiting',
    route: '/account',
    path: account,
    as: 'mei',
    act: async (page) => {
      await answer(page, [{ ...unmade, status: 'waiting' }]);
      await page.getByText('Preparing…').waitFor();
    },
  },
  {
    name: 'audit-export-whole',
    path: '/audit',
    as: 'nadia',
    act: async (page) => {
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByRole('menuitem', { name: 'More than 10,000 rows…' }).click();
      await page.getByRole('dialog', { name: 'Export the whole list' }).waitFor();
    },
  },
];
