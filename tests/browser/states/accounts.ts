import { leavingPage } from '../../../functions/web/site/account/leaving-page.ts';
import type { PageState } from '../../support/pages/page-state.ts';
import { refuseEmails } from '../../support/pages/refused-emails.ts';

const toPath = (link: string): string => {
  const { pathname, search } = new URL(link);
  return pathname + search;
};

/** Signing in, and the account of the user. */
export const accountStates: readonly PageState[] = [
  { name: 'login', path: '/login' },
  {
    name: 'login-refused',
    path: '/login',
    act: async (page) => {
      await page.getByLabel('Email').fill('nadia@heron.example.com');
      await page.getByLabel('Password', { exact: true }).fill('incorrect');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByText('Incorrect email or password').waitFor();
    },
  },
  { name: 'login-signed-out', path: '/login?why=out' },
  { name: 'login-left', path: '/login?why=left' },
  { name: 'register', path: '/register' },
  { name: 'forgot', path: '/forgot' },
  {
    name: 'invite',
    route: '/invite',
    path: async (demo) => toPath(await demo.invitationLink()),
  },
  { name: 'invite-invalid', route: '/invite', path: '/invite?token=1.unknown', status: 400 },
  { name: 'reset', route: '/reset', path: async (demo) => toPath(await demo.resetLink()) },
  { name: 'reset-invalid', route: '/reset', path: '/reset?token=1.unknown', status: 400 },
  {
    name: 'undo-email-invalid',
    route: '/undo-email',
    path: '/undo-email?token=1.unknown',
    status: 400,
  },
  { name: 'verify', path: '/verify', as: 'nadia' },
  { name: 'verify-signed-out', path: '/verify' },
  { name: 'verify-invalid', path: '/verify?token=1.unknown', as: 'mei' },
  { name: 'account', path: '/account', as: 'nadia' },
  {
    name: 'account-no-emails',
    path: '/account?tab=security',
    as: 'mei',
    act: async (page) => {
      await refuseEmails(page);
      await page.reload();
      await page.getByText('so we send none').waitFor();
    },
  },
  { name: 'account-security', path: '/account?tab=security', as: 'mei' },
  {
    name: 'account-delete',
    path: '/account?tab=security',
    as: 'mei',
    act: async (page) => {
      await page.getByRole('button', { name: 'Delete my account' }).click();
      await page.getByRole('dialog', { name: 'Delete your account?' }).waitFor();
    },
  },
  {
    name: 'leaving',
    path: '/leaving',
    reply: () =>
      leavingPage(
        { email: 'mei@heron.example.com', timezone: 'Europe/Berlin' },
        '2026-11-29T12:00:00.000Z',
        { theme: undefined, destination: '/dashboard' },
      ),
  },
  { name: 'account-tokens', path: '/account?tab=tokens', as: 'nadia' },
  {
    name: 'account-new-token',
    path: '/account?tab=tokens&new',
    as: 'mei',
    act: async (page) => {
      await page.getByText('All permissions').click();
      await page.getByLabel('Documents: view').check();
    },
  },
  { name: 'account-assistants', path: '/account?tab=assistants', as: 'nadia' },
  {
    name: 'account-assistants-command',
    path: '/account?tab=assistants&by=command',
    as: 'nadia',
  },
  { name: 'account-assistants-token', path: '/account?tab=assistants&by=token', as: 'mei' },
  { name: 'account-check-in', path: '/account?tab=check-in', as: 'mei' },
];
