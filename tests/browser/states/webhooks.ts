import type { Page } from 'playwright-core';
import type { PageState } from '../../support/pages/page-state.ts';

const minuteMs = 60_000;

const ago = (minutes: number): string => new Date(Date.now() - minutes * minuteMs).toISOString();

const delivered = (minutes: number) => ({
  at: ago(minutes),
  delivered: true,
  httpStatus: 204,
  reason: null,
  ms: 84,
});

const refused = (minutes: number) => ({
  at: ago(minutes),
  delivered: false,
  httpStatus: 500,
  reason: 'Answered with 500',
  ms: 212,
});

const late = (minutes: number) => ({
  at: ago(minutes),
  delivered: false,
  httpStatus: null,
  reason: 'No answer within 10 seconds',
  ms: 10_000,
});

const hook = (id: number, url: string, fields: object) => ({
  id,
  url,
  label: null,
  events: ['*'],
  format: 'json',
  status: 'working',
  active: true,
  pausedBy: null,
  failures: 0,
  failingSince: null,
  lastDelivery: null,
  createdAt: ago(60 * 24 * 40),
  updatedAt: ago(60 * 24 * 40),
  version: 1,
  ...fields,
});

const failing = hook(12, 'https://ci.example.com/in', {
  status: 'failing',
  failures: 6,
  failingSince: ago(31),
  lastDelivery: refused(2),
});

const paused = hook(13, 'https://old.example.com/x', {
  label: 'The former shop',
  events: ['share.reported', 'share.ended', 'document.shared', 'message.received'],
  status: 'paused',
  active: false,
  pausedBy: 'failures',
  failures: 41,
  failingSince: ago(60 * 24 * 9),
  lastDelivery: late(60 * 24 * 6),
});

const hooks = [
  hook(11, 'https://hooks.studio.example.com/handbill', {
    events: ['share.opened', 'share.ended'],
    lastDelivery: delivered(9),
  }),
  failing,
  paused,
];

const delivery = (at: number, type: string, fields: object) => ({
  id: `${Date.now() - at * minuteMs}-evt_${at}`,
  eventId: `evt_${at}`,
  type,
  timestamp: ago(at),
  status: 'delivered',
  tries: 1,
  maxTries: 5,
  lastTry: delivered(at),
  nextTryAt: null,
  ...fields,
});

const answerCalls = async (page: Page): Promise<void> => {
  const first = delivery(31, 'share.opened', {
    status: 'waiting',
    tries: 3,
    lastTry: refused(2),
    nextTryAt: ago(-12),
  });
  const items = [
    first,
    delivery(420, 'share.opened', { status: 'failed', tries: 5, lastTry: late(62) }),
    delivery(500, 'share.submitted', {}),
    delivery(1_500, 'share.ended', {}),
  ];
  const event = {
    type: 'share.opened',
    timestamp: first.timestamp,
    data: { share: { id: 'Qm4xT9aKz1', label: 'Spring catalogue' } },
  };
  const detail = {
    ...first,
    request: JSON.stringify(event),
    answer: 'Internal Server Error',
  };
  const page1 = { items, total: 4, totalIsExact: true, page: 1, pageSize: 20, nextCursor: null };
  await page.route('**/api/webhooks/*/deliveries*', (route) =>
    route.fulfill({ json: { success: true, data: page1 } }),
  );
  await page.route('**/api/webhooks/*/deliveries/*', (route) =>
    route.fulfill({ json: { success: true, data: detail } }),
  );
};

/** Answers in place of the service: what its own calls come to depends on the internet. */
const answerHooks = async (page: Page, data: readonly object[] = hooks): Promise<void> => {
  await page.route('**/api/webhooks', (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ json: { success: true, data } })
      : route.continue(),
  );
  await answerCalls(page);
  await page.reload();
};

/** The webhooks on the account page. */
export const webhookStates: readonly PageState[] = [
  {
    name: 'account-webhooks',
    path: '/account?tab=webhooks',
    as: 'mei',
    act: async (page) => {
      await answerHooks(page);
      await page.getByText('Failing', { exact: true }).waitFor();
    },
  },
  { name: 'account-webhooks-empty', path: '/account?tab=webhooks', as: 'tomas' },
  {
    name: 'account-webhooks-new',
    path: '/account?tab=webhooks&new',
    as: 'mei',
    act: async (page) => {
      const drawer = page.getByRole('dialog', { name: 'Add webhook' });
      await drawer.getByRole('checkbox', { name: 'Share opened' }).check();
      await drawer.getByRole('textbox', { name: 'Address' }).fill('https://10.0.0.1/hook');
      await drawer.getByRole('button', { name: 'Add webhook' }).click();
      await drawer.getByText('This address isn’t public.').waitFor();
    },
  },
  {
    name: 'account-webhooks-secret',
    path: '/account?tab=webhooks&new',
    as: 'mei',
    act: async (page) => {
      const created = { ...hooks[0], secret: `whsec_${'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'}` };
      await page.route('**/api/webhooks', (route) =>
        route.fulfill({
          json: { success: true, data: route.request().method() === 'GET' ? [] : created },
        }),
      );
      const drawer = page.getByRole('dialog', { name: 'Add webhook' });
      await drawer.getByRole('checkbox', { name: 'Share opened' }).check();
      await drawer.getByRole('textbox', { name: 'Address' }).fill('https://hooks.studio.example');
      await drawer.getByRole('button', { name: 'Add webhook' }).click();
      await page.getByText('You won’t see it again.').waitFor();
    },
  },
  {
    name: 'account-webhooks-deliveries',
    path: `/account?tab=webhooks&open=${failing.id}`,
    as: 'mei',
    act: async (page) => {
      await answerHooks(page);
      const drawer = page.getByRole('dialog', { name: 'ci.example.com' });
      await drawer.locator('summary').first().click();
      await drawer.getByText('Internal Server Error').waitFor();
    },
  },
  {
    name: 'account-webhooks-paused',
    path: `/account?tab=webhooks&open=${paused.id}&part=settings`,
    as: 'mei',
    act: async (page) => {
      await answerHooks(page);
      const drawer = page.getByRole('dialog', { name: 'The former shop' });
      await drawer.getByRole('link', { name: 'Deliveries' }).click();
      await drawer.getByText('Paused after three days of failures.').waitFor();
    },
  },
];
