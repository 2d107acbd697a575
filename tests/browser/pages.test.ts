// The pages that most people see are accessible and fit, and on a phone a finger can press what can be pressed. `matrix/` visits every state in every view.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../support/pages/axe.ts';
import { hasBrowser } from '../support/pages/browser.ts';
import { type DemoService, startDemoService } from '../support/pages/demo-service.ts';
import { findOverflows, findSmallTargets, readFrame } from '../support/pages/inspections.ts';
import { existsAt } from '../support/pages/page-state.ts';
import { browser } from '../support/pages/shared-browser.ts';
import { createVisits, type VisitPage } from '../support/pages/visit.ts';
import { pageStates } from './states/states.ts';

/** As wide as the state allows. */
const widths = [1440, 900, 390];

/** What most people see, of each kind of page. `npm run test:matrix` visits all states in every view. */
const seen = [
  'composer',
  'shares',
  'files',
  'messages',
  'dashboard',
  'users',
  'settings',
  'calendar',
  'documents',
  'document',
  'login',
  'account',
  'share-markdown',
  'share-html',
];
const states = pageStates.filter(({ name }) => seen.includes(name));

describe.skipIf(!hasBrowser)('a page that most people see', () => {
  let demo: DemoService;
  let visit: VisitPage;
  beforeAll(async () => {
    demo = await startDemoService();
    visit = createVisits(browser, demo);
  });
  afterAll(() => demo?.close());

  const frames = new Map<string, string>();

  it.for(states)('is accessible and fits: $name', async (state) => {
    const width = widths.find((one) => existsAt(state, one)) ?? 0;
    const { page, complaints, close } = await visit(state, { width });
    try {
      const frame = await readFrame(page);
      if (frame !== undefined && state.as && width === 1440) frames.set(state.name, frame);
      expect(await findViolations(page)).toEqual([]);
      expect(await findOverflows(page)).toEqual([]);
      if (existsAt(state, 390) && state.as) {
        await page.setViewportSize({ width: 390, height: 664 });
        expect(await findSmallTargets(page, 40)).toEqual([]);
      }
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
