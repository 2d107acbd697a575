import type { Page } from 'playwright-core';
import { loginPage } from '../../../functions/web/site/account/login-page.ts';
import { emailLinkPage, forgotPage } from '../../../functions/web/site/account/sign-in-pages.ts';
import { parseProviders } from '../../../shared/runtime/provider-settings.ts';
import type { PageState } from '../../support/pages/page-state.ts';

const providers = parseProviders({
  OIDC_ACME_ISSUER: 'https://id.acme.example',
  OIDC_ACME_CLIENT_ID: 'handbill',
  OIDC_GITHUB_ISSUER: 'https://github.com',
  OIDC_GITHUB_CLIENT_ID: 'handbill',
  OIDC_GOOGLE_ISSUER: 'https://accounts.google.com',
  OIDC_GOOGLE_CLIENT_ID: 'handbill',
  OIDC_MICROSOFT_ISSUER: 'https://login.microsoftonline.com/common/v2.0',
  OIDC_MICROSOFT_CLIENT_ID: 'handbill',
});

const all = { hasPasswords: true, hasEmail: true, hasPasskeys: true, providers };

const visit = { theme: undefined, isUnknown: false, next: undefined, signedOut: undefined };

const incorrect = {
  success: false,
  error: { code: 'UNAUTHORIZED', message: 'Incorrect code. 3 attempts left.', details: [] },
};

const askForCode = async (page: Page): Promise<void> => {
  await page.route('**/api/auth/login/email', (route) =>
    route.fulfill({ json: { success: true, data: {} } }),
  );
  await page.route('**/api/auth/login/email/code', (route) =>
    route.fulfill({ status: 401, json: incorrect }),
  );
  await page.getByLabel('Email').fill('nadia@heron.example.com');
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await page.getByLabel('6-digit code').fill('482');
};

/** Signing in at providers and by email, which the settings of the demo don't have. */
export const signInWayStates: readonly PageState[] = [
  { name: 'login-ways', path: '/login', reply: () => loginPage('open', all, visit) },
  {
    name: 'login-providers',
    path: '/login',
    reply: () => loginPage('open', { ...all, hasPasswords: false, hasEmail: false }, visit),
  },
  {
    name: 'login-by-email',
    path: '/login',
    reply: () => loginPage('open', { ...all, hasPasswords: false, providers: [] }, visit),
  },
  {
    name: 'login-email-code',
    path: '/login',
    reply: () => loginPage('open', all, visit),
    act: askForCode,
  },
  {
    name: 'login-email-code-wrong',
    path: '/login',
    reply: () => loginPage('open', all, visit),
    act: async (page) => {
      await askForCode(page);
      await page.getByLabel('6-digit code').fill('482915');
      await page.getByText('Incorrect code.').waitFor();
    },
  },
  { name: 'login-email-link', path: '/login/email', reply: () => emailLinkPage(undefined) },
  {
    name: 'forgot-no-passwords',
    path: '/forgot',
    reply: () => forgotPage('no-passwords', undefined),
  },
];
