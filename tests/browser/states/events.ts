import type { Page } from 'playwright-core';
import type { PageState } from '../../support/pages/page-state.ts';
import { choose } from '../../support/pages/series-question.ts';

const openEvent = async (page: Page, name: string) => {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('list', { name: 'Details' }).waitFor();
};

const edit = async (page: Page, scope: 'This event' | 'All events') => {
  await openEvent(page, 'Monday meeting');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await choose(page, scope, 'Edit');
  await page.getByLabel('Title', { exact: true }).waitFor();
};

const fillRule = async (page: Page) => {
  await page.getByRole('button', { name: 'Repeat', exact: true }).click();
  const editor = page.locator('.rule-editor');
  await editor.getByLabel('Repeats').selectOption('MONTHLY');
  await editor.getByLabel('On', { exact: true }).selectOption('weekday');
  await editor.getByLabel('Ends', { exact: true }).selectOption('count');
};

/** The calendar, and events beside it. */
export const eventStates: readonly PageState[] = [
  { name: 'calendar', path: '/calendar', as: 'nadia' },
  { name: 'calendar-week', path: '/calendar?view=week', as: 'nadia' },
  { name: 'calendar-day', path: '/calendar?view=day', as: 'nadia' },
  { name: 'calendar-agenda', path: '/calendar?view=agenda', as: 'nadia' },
  {
    name: 'calendar-failed',
    path: '/calendar',
    as: 'nadia',
    act: async (page) => {
      const error = { message: 'Something went wrong. Try again later.' };
      await page.route('**/api/calendar/events?*', (route) =>
        route.fulfill({ status: 500, json: { error } }),
      );
      await page.reload();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'event',
    path: '/calendar?view=agenda',
    as: 'ivy',
    act: (page) => openEvent(page, 'Launch of The Tidal Year'),
  },
  {
    name: 'event-invited',
    path: '/calendar?view=agenda',
    as: 'mei',
    act: (page) => openEvent(page, 'Launch of The Tidal Year'),
  },
  {
    name: 'event-which',
    path: '/calendar?view=agenda',
    as: 'nadia',
    act: async (page) => {
      await openEvent(page, 'Monday meeting');
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByRole('dialog', { name: 'Edit “Monday meeting”' }).waitFor();
    },
  },
  {
    name: 'event-answer-which',
    path: '/calendar?view=agenda',
    as: 'luca',
    act: async (page) => {
      await openEvent(page, 'Monday meeting');
      await page.getByRole('button', { name: 'No', exact: true }).click();
      await page.getByRole('dialog', { name: 'Decline “Monday meeting”' }).waitFor();
    },
  },
  {
    name: 'event-edit',
    path: '/calendar?view=agenda',
    as: 'nadia',
    act: (page) => edit(page, 'All events'),
  },
  {
    name: 'event-edit-one',
    path: '/calendar?view=agenda',
    as: 'nadia',
    act: (page) => edit(page, 'This event'),
  },
  { name: 'event-new', path: '/calendar?new=event', as: 'nadia' },
  {
    name: 'event-new-invalid',
    path: '/calendar?new=event',
    as: 'nadia',
    act: async (page) => {
      await page.getByRole('button', { name: 'Create event' }).click();
      await page.getByText('Title is required.').waitFor();
    },
  },
  { name: 'event-rule', path: '/calendar?new=event', as: 'nadia', act: fillRule },
  { name: 'event-unknown', path: '/calendar?open=1', as: 'nadia' },
  { name: 'calendar-feed', path: '/calendar?open=feed', as: 'nadia' },
  {
    name: 'calendar-feed-made',
    path: '/calendar?open=feed',
    as: 'mei',
    act: async (page) => {
      await page.getByRole('button', { name: /^Create (new )?address/ }).click();
      await page
        .getByLabel('Address', { exact: true })
        .or(page.locator('dialog.modal[open]'))
        .waitFor();
    },
  },
];
