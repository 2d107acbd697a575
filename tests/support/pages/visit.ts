import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Username } from '../../../infra/local/demo/team.ts';
import { isComplaint } from './complaints.ts';
import { type DemoService, emailOf } from './demo-service.ts';
import type { PageState } from './page-state.ts';

/** How a state is shown. */
export interface View {
  readonly width: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly reducedMotion?: 'reduce';
  readonly forcedColors?: 'active';
  /** Pixels of the screen for each of the page. */
  readonly deviceScaleFactor?: number;
}

/** An open page. */
export interface Visit {
  readonly page: Page;
  /** Errors and warnings of the console, violations of the policy among them, and an unexpected status. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

const height = 900;
const timeoutMs = 60_000;

/** Nothing is in flight, and nothing moves, for this long. ms. */
const quietMs = 150;

const watch = (page: Page) => {
  const complaints: string[] = [];
  let inFlight = 0;
  let changedAt = Date.now();
  const count = (by: number) => () => {
    inFlight += by;
    changedAt = Date.now();
  };
  page.on('request', count(1));
  page.on('requestfinished', count(-1));
  page.on('requestfailed', count(-1));
  page.on('console', (message) => {
    if (isComplaint(message)) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const isQuiet = () => inFlight <= 0 && Date.now() - changedAt >= quietMs;
  return { complaints, isQuiet };
};

const isStill = `document.readyState === 'complete' && document.fonts.status === 'loaded' &&
  !document.querySelector('main[aria-busy="true"]') &&
  document.getAnimations().every(({ playState, effect }) =>
    playState !== 'running' || effect.getComputedTiming().iterations === Infinity)`;

/** Creates a function that opens states of the demo's pages, with a context for each person and view. */
export const createVisits = (browser: Browser, demo: DemoService) => {
  const states = new Map<Username, ReturnType<BrowserContext['storageState']>>();

  const signIn = async (who: Username) => {
    const context = await browser.newContext();
    const response = await context.request.post(`${demo.url}/api/auth/login`, {
      data: { email: emailOf(who), password: demo.password },
      headers: { origin: demo.url },
    });
    if (!response.ok()) throw new Error(`${who} can’t sign in: ${await response.text()}`);
    const state = await context.storageState();
    await context.close();
    return state;
  };
  const stateOf = (who: Username) => {
    const state = states.get(who) ?? signIn(who);
    states.set(who, state);
    return state;
  };

  return async (state: PageState, { width, ...view }: View): Promise<Visit> => {
    const { as, path, status = 200, reply, act } = state;
    const context = await browser.newContext({
      ...view,
      viewport: { width, height },
      locale: 'en-GB',
      timezoneId: 'Europe/London',
      ...(as && { storageState: await stateOf(as) }),
    });
    const page = await context.newPage();
    page.setDefaultTimeout(timeoutMs);
    const { complaints, isQuiet } = watch(page);
    const settle = async () => {
      const end = Date.now() + timeoutMs;
      while (Date.now() < end) {
        if (isQuiet() && (await page.evaluate(isStill))) return;
        await page.waitForTimeout(quietMs / 3);
      }
      throw new Error(`${state.name} doesn’t come to rest`);
    };
    try {
      const target = typeof path === 'string' ? path : await path(demo);
      if (reply) {
        const answer = { status, contentType: 'text/html; charset=utf-8', body: reply() };
        await page.route(`${demo.url}${target}`, (route) => route.fulfill(answer));
      }
      const response = await page.goto(`${demo.url}${target}`);
      const received = response?.status();
      if (received !== status) complaints.push(`Status ${received} instead of ${status}`);
      await settle();
      await act?.(page);
      if (act) await settle();
    } catch (error) {
      await context.close();
      throw error;
    }
    return { page, complaints, close: () => context.close() };
  };
};

export type VisitPage = ReturnType<typeof createVisits>;
