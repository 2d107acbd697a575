import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../../support/pages/axe.ts';
import { hasBrowser, largeText, launchBrowser } from '../../support/pages/browser.ts';
import { type DemoService, startDemoService } from '../../support/pages/demo-service.ts';
import {
  findClipped,
  findInvisibleIcons,
  findMotion,
  findOverflows,
  findSmallTargets,
  leastTarget,
  readFrame,
} from '../../support/pages/inspections.ts';
import { existsAt, type PageState } from '../../support/pages/page-state.ts';
import { createVisits, type View, type Visit, type VisitPage } from '../../support/pages/visit.ts';
import { pageStates } from '../states/states.ts';

/** A phone, a tablet and a desk. */
const viewWidths = [390, 900, 1440] as const;
const schemes = ['light', 'dark'] as const;

const statesAt = (width: number) => pageStates.filter((state) => existsAt(state, width));

describe.skipIf(!hasBrowser)('each page in each view', () => {
  let browser: Browser;
  let demo: DemoService;
  let largeTextBrowser: Browser;
  let visit: VisitPage;
  let visitInLargeText: VisitPage;
  beforeAll(async () => {
    [browser, largeTextBrowser, demo] = await Promise.all([
      launchBrowser(),
      launchBrowser(largeText),
      startDemoService(),
    ]);
    visit = createVisits(browser, demo);
    visitInLargeText = createVisits(largeTextBrowser, demo);
  });
  afterAll(async () => {
    await browser?.close();
    await largeTextBrowser?.close();
    await demo?.close();
  });

  /** Opens a page for a check, and checks that it complains about nothing. */
  const check = async (
    state: PageState,
    view: View,
    inspect: (visit: Visit) => Promise<void>,
    visitPage = visit,
  ): Promise<void> => {
    const opened = await visitPage(state, view);
    try {
      await inspect(opened);
      expect(opened.complaints).toEqual([]);
    } finally {
      await opened.close();
    }
  };

  describe.for(schemes)('%s', (colorScheme) => {
    describe.for(viewWidths)('at %i px', (width) => {
      it.for(statesAt(width))('$name is accessible', (state) =>
        check(state, { width, colorScheme }, async ({ page }) => {
          expect(await findViolations(page)).toEqual([]);
        }),
      );
    });
  });

  const frames = new Map<number, Map<string, string>>();

  describe.for(viewWidths)('at %i px', (width) => {
    it.for(statesAt(width))('$name fits', (state) =>
      check(state, { width }, async ({ page }) => {
        const frame = await readFrame(page);
        const known = frames.get(width) ?? new Map();
        if (frame !== undefined && state.as) frames.set(width, known.set(state.name, frame));
        expect(await findOverflows(page)).toEqual([]);
        expect(await findClipped(page)).toEqual([]);
      }),
    );

    it('the bar and the sidebar are in the same place on all pages', () => {
      const known = frames.get(width) ?? new Map<string, string>();
      const [first] = known.values();
      const others = [...known].filter(([, frame]) => frame !== first);
      expect(Object.fromEntries(others)).toEqual({});
    });
  });

  // Phones enlarge by zooming.
  describe.for([900, 1440])('with text of twice the size at %i px', (width) => {
    // The layouts of pages change by the size of text.
    it.for(statesAt(width / 2))('$name fits', (state) =>
      check(
        state,
        { width },
        async ({ page }) => {
          expect(await findClipped(page)).toEqual([]);
        },
        visitInLargeText,
      ),
    );
  });

  it.for(statesAt(720))('$name fits when it is zoomed to 200 %', (state) =>
    check(state, { width: 720, deviceScaleFactor: 2 }, async ({ page }) => {
      expect(await findOverflows(page)).toEqual([]);
    }),
  );

  it.for(statesAt(390).filter(({ as }) => as))('$name can be pressed by a finger', (state) =>
    check(state, { width: 390 }, async ({ page }) => {
      expect(await findSmallTargets(page, leastTarget)).toEqual([]);
    }),
  );

  it.for(statesAt(1440))('$name shows its icons in forced colors', (state) =>
    check(state, { width: 1440, forcedColors: 'active' }, async ({ page }) => {
      expect(await findInvisibleIcons(page)).toEqual([]);
      expect(await findViolations(page)).toEqual([]);
    }),
  );

  it.for(statesAt(1440))('$name doesn’t move if the user wants no motion', (state) =>
    check(state, { width: 1440, reducedMotion: 'reduce' }, async ({ page }) => {
      expect(await findMotion(page)).toEqual([]);
    }),
  );
});
