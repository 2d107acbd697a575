import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listRoutes } from '../../functions/routes.ts';
import { findViolations } from '../support/pages/axe.ts';
import { hasBrowser } from '../support/pages/browser.ts';
import { type DemoService, startDemoService } from '../support/pages/demo-service.ts';
import { findOverflows, readFrame } from '../support/pages/inspections.ts';
import { existsAt, type PageState } from '../support/pages/page-state.ts';
import { browser } from '../support/pages/shared-browser.ts';
import { pageStates } from '../support/pages/states.ts';
import { createVisits, type VisitPage } from '../support/pages/visit.ts';

/** As wide as the state allows. */
const widths = [1440, 900, 390];

const routeOf = ({ route, path }: PageState): string => route ?? String(path).split('?')[0] ?? '';

/** The first state of each page. `npm run test:matrix` visits all. */
const firstStates = pageStates.filter(
  (state, at) => at === pageStates.findIndex((other) => routeOf(other) === routeOf(state)),
);

describe('the list of states', () => {
  it('has each page', () => {
    const pages = listRoutes('service')
      .filter(({ method, produces }) => method === 'GET' && produces === 'html')
      .map(({ path }) => path);
    const routes = firstStates.map(routeOf);
    expect(pages.filter((path) => !routes.includes(path))).toEqual([]);
    expect(new Set(pageStates.map(({ name }) => name)).size).toBe(pageStates.length);
  });
});

describe.skipIf(!hasBrowser)('each page', () => {
  let demo: DemoService;
  let visit: VisitPage;
  beforeAll(async () => {
    demo = await startDemoService();
    visit = createVisits(browser, demo);
  });
  afterAll(() => demo?.close());

  const frames = new Map<string, string>();

  it.for(firstStates)('is accessible and fits: $name', async (state) => {
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
