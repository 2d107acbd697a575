import { expect } from 'vitest';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

/** How often an open page asks. ms. */
export const intervalMs = 15_000;

/** Notes when the page plans to ask. */
const notePlans = `globalThis.plans = 0;
const { setTimeout: plan } = globalThis;
globalThis.setTimeout = (act, ms, ...given) => {
  if (ms > 0 && ms % ${intervalMs} === 0) globalThis.plans++;
  return plan(act, ms, ...given);
};`;

const startMs = Date.parse('2026-11-21T12:00:00Z');

type Served = Awaited<ReturnType<typeof serveShares>>;

/** Opens a share with a clock that the test moves. `make` creates it and returns its URL. */
export const openLiveOf = async (make: (served: Served) => Promise<string>) => {
  const served = await serveShares();
  const url = await make(served);
  const id = url.split('/').at(-1);
  const context = await openContext(browser);
  // Time passes by the test only.
  await context.clock.install({ time: startMs - 60_000 });
  await context.clock.pauseAt(startMs);
  await context.addInitScript(notePlans);
  const { page, complaints } = await openPage(context, url);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  return {
    ...served,
    url,
    page,
    complaints,
    /** How often the page asked for the state. */
    countAsked: () => asked.filter((path) => path.endsWith('/live')).length,
    pass: (ms = intervalMs) => page.clock.runFor(ms),
    edit: (change: Record<string, unknown>) => served.ask(`PUT /api/share/${id}`, change),
    end: () => served.ask(`POST /api/share/${id}/end`),
  };
};

/** Opens a share of these fields, as `openLiveOf`. */
export const openLive = (fields: Record<string, unknown>) =>
  openLiveOf(({ share }) => share(fields));

/** Waits until the page has asked so often and plans to ask again. */
export const untilAsked = async (
  { countAsked, page }: Awaited<ReturnType<typeof openLive>>,
  count: number,
) => {
  await expect.poll(countAsked).toBe(count);
  // The first plan is to load what asks.
  await expect.poll(() => page.evaluate('plans')).toBe(count + 1);
};
