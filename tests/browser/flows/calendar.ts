import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startConsole } from '../../support/pages/console-service.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

export const ann = 'ann@example.com';

const events = (page: Page) => page.locator('#calendar .ev:not(.gap) b:visible');

/** Returns the titles that the calendar shows. */
export const titles = (page: Page) => events(page).allInnerTexts();

/** The cell of a day. */
export const day = (page: Page, date: string) => page.locator(`[data-day="${date}"]`);

/** Returns the month that is shown. */
export const heading = (page: Page) => page.locator('.cal-tools h2').innerText();

/** Starts a service with events of Ann, whose time zone is given. */
export const start = async (timezone: string, all: readonly object[]) => {
  const service = await startConsole(browser, [
    { name: 'Ann', permissions: ['calendar:*'], timezone },
    { name: 'Vera' },
  ]);
  const { url, signIn } = service;
  const token = await signIn(ann);
  for (const body of all) {
    const made = await send(`${url}/api/calendar/events`, { method: 'POST', token, body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  const stored = async (from: string, to: string) =>
    (await send(`${url}/api/calendar/events?start=${from}&end=${to}`, { token })).body.data
      .items as { title: string; start: string; end: string; status: string }[];
  return { ...service, stored };
};

/** An event between two times. */
export const meeting = (title: string, from: string, to: string) => ({
  title,
  start: from,
  end: to,
});
