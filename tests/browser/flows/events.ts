import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startConsole } from '../../support/pages/console-service.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

export const ann = 'ann@example.com';
export const bob = 'bob@example.com';

/** The form of an event. */
export const drawer = (page: Page) => page.locator('dialog.drawer[open]');

/** What is shown of the event that is open. */
export const facts = (page: Page) => page.getByRole('list', { name: 'Details' });

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

export const field = (page: Page, name: string) => drawer(page).getByLabel(name, { exact: true });

/** Returns who is invited, with the answers. */
export const guests = (page: Page) => facts(page).locator('.guests li').allInnerTexts();

/** Starts a service with Ann, who finds people by name, and Bob, who finds them by address. */
export const start = async () => {
  const service = await startConsole(browser, [
    { name: 'Ann', permissions: ['calendar:*', 'users:view'], timezone: 'Europe/Berlin' },
    { name: 'Bob', permissions: ['calendar:*'], timezone: 'America/New_York' },
    { name: 'Cem' },
  ]);
  const { url, find, signIn } = service;
  const ids = { ann: (await find('ann')).id as number, bob: (await find('bob')).id as number };
  const token = await signIn(ann);
  const api = async (method: string, path: string, body?: unknown, by = token) =>
    (await send(url + path, { method, token: by, ...(body !== undefined && { body }) })).body;
  const create = async (body: object) => {
    const made = await api('POST', '/api/calendar/events', body);
    expect(made.success, JSON.stringify(made)).toBe(true);
    return made.data;
  };
  const read = async (id: number) => (await api('GET', `/api/calendar/events/${id}`)).data;
  return { ...service, ids, api, create, read };
};

/** Six Tuesdays. */
export const weekly = {
  title: 'Print review',
  start: '2027-02-02T11:30',
  end: '2027-02-02T12:30',
  timezone: 'Europe/Berlin',
  rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=6',
};

/** Returns the time of an event of `weekly` on another day. */
export const at = (day: string) => `2027-${day}T10:30:00.000Z`;
