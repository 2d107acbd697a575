import type { Page } from 'playwright-core';
import type { PageState } from '../../support/pages/page-state.ts';

const factors = {
  totp: { createdAt: '2026-10-12T12:00:00.000Z' },
  passkeys: [
    {
      id: 'a',
      name: 'Chrome on macOS',
      createdAt: '2026-10-12T12:00:00.000Z',
      lastUsedAt: '2026-11-19T12:00:00.000Z',
      isSynced: true,
    },
    {
      id: 'b',
      name: 'iPhone',
      createdAt: '2026-10-12T12:00:00.000Z',
      lastUsedAt: null,
      isSynced: false,
    },
  ],
  recoveryCodes: { left: 2, createdAt: '2026-10-12T12:00:00.000Z' },
};

const codes = Array.from({ length: 10 }, (_, at) => `7hq${at}-m2xk`);

const unproven = {
  code: 'REAUTHENTICATION_REQUIRED',
  message: 'x',
  details: [{ field: 'code', message: 'is required' }],
};

/** Answers a route of the API in place of the service, whose users keep what they have. */
const answer = (page: Page, path: string, data: object): Promise<unknown> =>
  page.route(`**${path}`, (route) => route.fulfill({ json: { success: true, data } }));

/** Second factors on the account page. */
export const securityStates: readonly PageState[] = [
  {
    name: 'account-second-factor',
    path: '/account?tab=security',
    as: 'nadia',
    act: async (page) => {
      await answer(page, '/api/auth/factors', factors);
      await page.reload();
      await page.getByText('Only 2 recovery codes are left.').waitFor();
    },
  },
  {
    name: 'account-authenticator',
    path: '/account?tab=security',
    as: 'mei',
    act: async (page) => {
      await page.getByRole('button', { name: 'Set up' }).click();
      await page.locator('.qr path[d^=M]').waitFor();
    },
  },
  {
    name: 'account-recovery-codes',
    path: '/account?tab=security',
    as: 'mei',
    act: async (page) => {
      await answer(page, '/api/auth/totp/confirm', { factors, codes });
      await page.getByRole('button', { name: 'Set up' }).click();
      await page.getByLabel('Enter the code it shows').fill('482915');
      await page.getByText('Save your recovery codes').waitFor();
    },
  },
  {
    name: 'account-proof',
    path: '/account?tab=security',
    as: 'mei',
    act: async (page) => {
      await answer(page, '/api/auth/factors', factors);
      await page.route('**/api/auth/totp', (route) =>
        route.fulfill({ status: 403, json: { success: false, error: unproven } }),
      );
      await page.reload();
      await page.getByRole('button', { name: 'Replace' }).click();
      await page.getByRole('dialog', { name: 'Confirm it’s you' }).waitFor();
    },
  },
  {
    name: 'account-password',
    path: '/account?tab=security',
    as: 'mei',
    act: async (page) => {
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByRole('button', { name: 'Show password' }).waitFor();
    },
  },
];
