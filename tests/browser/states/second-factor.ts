import type { Page } from 'playwright-core';
import { enrolPage } from '../../../functions/web/site/enrol/page.ts';
import type { PageState } from '../../support/pages/page-state.ts';

/** Answers what the scripts of the pages send. */
const answer = (page: Page, path: string, data: object) =>
  page.route(`**${path}`, (route) => route.fulfill({ json: { success: true, data } }));

const signIn = async (page: Page, methods: readonly string[]) => {
  await answer(page, '/api/auth/login', { mfaRequired: true, mfaToken: 'token', methods });
  await page.getByLabel('Email').fill('nadia@heron.example.com');
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

const enrol = {
  path: '/enrol',
  reply: () =>
    enrolPage({
      theme: undefined,
      email: 'nadia@heron.example.com',
      destination: '/dashboard',
      hasPasskeys: true,
    }),
} as const;

const setUp = async (page: Page) => {
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const uri = `otpauth://totp/Handbill:nadia%40heron.example.com?issuer=Handbill&secret=${secret}`;
  await answer(page, '/api/auth/totp', { secret, uri });
  await page.getByRole('button', { name: 'Use an authenticator app' }).click();
  await page.getByLabel('Enter the code it shows').waitFor();
};

/** The step after the password, and the page of users whose role requires a second factor. */
export const secondFactorStates: readonly PageState[] = [
  {
    name: 'login-second-factor',
    path: '/login',
    act: async (page) => {
      await signIn(page, ['totp', 'passkey', 'recovery']);
      await page.getByLabel('6-digit code').fill('39');
    },
  },
  {
    name: 'login-passkey',
    path: '/login',
    act: async (page) => {
      await signIn(page, ['passkey', 'recovery']);
      await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
    },
  },
  {
    name: 'login-recovery-code',
    path: '/login',
    act: async (page) => {
      await signIn(page, ['totp', 'recovery']);
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await page.getByLabel('Recovery code').waitFor();
    },
  },
  { ...enrol, name: 'enrol' },
  { ...enrol, name: 'enrol-authenticator', act: setUp },
  {
    ...enrol,
    name: 'enrol-codes',
    act: async (page) => {
      const codes = Array.from({ length: 10 }, (_, at) => `7hqp-m2x${at}`);
      await answer(page, '/api/auth/totp/confirm', { codes });
      await setUp(page);
      await page.getByLabel('Enter the code it shows').fill('123456');
      await page.getByLabel('I saved the codes').waitFor();
    },
  },
];
