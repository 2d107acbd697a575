import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listRoutes } from '../../functions/routes.ts';
import { findViolations } from '../support/pages/axe.ts';
import { hasBrowser, launchBrowser } from '../support/pages/browser.ts';
import { type DemoService, startDemoService } from '../support/pages/demo-service.ts';
import { findOverflows, readFrame } from '../support/pages/inspections.ts';
import { existsAt } from '../support/pages/page-state.ts';
import { pageStates } from '../support/pages/states.ts';
import { createVisits, type VisitPage } from '../support/pages/visit.ts';

/** As wide as the state allows. */
const widths = [1440, 900, 390];

describe('the list of states', () => {
  it('has each page', () => {
    const pages = listRoutes('service')
      .filter(({ method, produces }) => method === 'GET' && produces === 'html')
      .map(({ path }) => path);
    const routes = pageStates.map(({ route, path }) => route ?? String(path).split('?')[0]);
    expect(pages.filter((path) => !routes.includes(path))).toEqual([]);
    expect(new Set(pageStates.map(({ name }) => name)).size).toBe(pageStates.length);
  });
});

describe.skipIf(!hasBrowser)('each page', { timeout: 120_000 }, () => {
  let browser: Browser;
  let demo: DemoService;
  let visit: VisitPage;
  beforeAll(async () => {
    [browser, demo] = await Promise.all([launchBrowser(), startDemoService()]);
    visit = createVisits(browser, demo);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await demo?.close();
  });

  const frames = new Map<string, string>();

  it.for(pageStates)('is accessible and fits: $name', async (state) => {
    const width = widths.find((one) => existsAt(state, one)) ?? 0;
    const { page, complaints, close } = await visit(state, { width });
    try {
      const frame = await readFrame(page);
      if (frame !== undefined && state.as && width === 1440) frames.set(state.name, frame);
      expect(await findViolations(page, state.excluded)).toEqual([]);
      expect(await findOverflows(page)).toEqual([]);
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });

  it('has the bar and the sidebar in the same place', () => {
    const [first] = frames.values();
    expect(frames.size).toBeGreaterThan(1);
    const others = [...frames].filter(([, frame]) => frame !== first);
    expect(Object.fromEntries(others)).toEqual({});
  });
});
