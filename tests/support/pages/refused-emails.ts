import type { Page } from 'playwright-core';

/** Shows all users of a page as if their addresses had bounced an email, from the next load on. */
export const refuseEmails = (page: Page): Promise<unknown> =>
  page.route(/\/api\/users/, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    const problem = { reason: 'bounce', since: '2026-11-20T12:00:00.000Z' };
    const body = (await response.text()).replaceAll(
      '"emailProblem":null',
      `"emailProblem":${JSON.stringify(problem)}`,
    );
    return route.fulfill({ response, body });
  });
