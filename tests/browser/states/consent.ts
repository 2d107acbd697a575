import type { Page } from 'playwright-core';
import {
  answerDecisions,
  answerRequest,
  question,
  toConsent,
} from '../../support/apps/consent-request.ts';
import type { PageState } from '../../support/pages/page-state.ts';

const askAgain = async (page: Page, answer?: Parameters<typeof answerRequest>[1]) => {
  await answerRequest(page, answer);
  await page.reload();
};

const ofMei = { path: toConsent(), route: '/authorize', as: 'mei' } as const;

const heading = (page: Page, name: string) => page.getByRole('heading', { name });

/** The page that asks whether an app may act for its user. */
export const consentStates: readonly PageState[] = [
  { name: 'consent-sign-in', path: toConsent(), route: '/authorize' },
  {
    ...ofMei,
    name: 'consent',
    act: async (page) => {
      await askAgain(page);
      await heading(page, 'Allow Claude?').waitFor();
    },
  },
  {
    ...ofMei,
    name: 'consent-narrowed',
    act: async (page) => {
      const permissions = [...question.permissions, 'documents:view', 'messages:create'];
      const client = { name: 'An assistant with a name of several words', host: null };
      await askAgain(page, { data: { ...question, client, isLoopback: true, permissions } });
      await page.getByLabel('Send messages in your name').uncheck();
      await page.getByLabel('Days').fill('0');
      await page.getByLabel('Shares a day').focus();
      await page.getByText('Enter a number from 1 to 3,650.').waitFor();
    },
  },
  {
    ...ofMei,
    name: 'consent-proof',
    act: async (page) => {
      const details = [{ field: 'currentPassword', message: 'is required' }];
      const error = { code: 'REAUTHENTICATION_REQUIRED', message: 'x', details };
      await answerDecisions(page, { status: 403, error });
      await askAgain(page);
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('dialog').getByLabel('Password').waitFor();
    },
  },
  {
    ...ofMei,
    name: 'consent-closed',
    act: async (page) => {
      await answerDecisions(page, { data: { location: 'claude-app://callback?code=1' } });
      await page.goto(toConsent({ redirect_uri: 'claude-app://callback' }));
      await askAgain(page);
      await page.getByRole('button', { name: 'Allow' }).click();
      await heading(page, 'You can close this page').waitFor();
    },
  },
  {
    ...ofMei,
    name: 'consent-unknown',
    act: async (page) => {
      const message = 'Invalid client_id: must be known.';
      const details = [{ field: 'client_id', message: 'must be known' }];
      await askAgain(page, {
        status: 400,
        error: { code: 'VALIDATION_ERROR', message, details },
      });
      await heading(page, 'Unknown app').waitFor();
    },
  },
  {
    ...ofMei,
    name: 'consent-help',
    act: async (page) => {
      await askAgain(page);
      await heading(page, 'Allow Claude?').waitFor();
      await page.getByRole('button', { name: 'Help' }).click();
    },
  },
];
