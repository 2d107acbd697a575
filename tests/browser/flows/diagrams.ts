import type { Page } from 'playwright-core';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

export const block = (code: string): string => `\`\`\`mermaid\n${code}\n\`\`\`\n\n`;

export const flow = 'graph TD;\n  A[Start] --> B[End];';

export const open = async (content: string, options: Parameters<typeof openContext>[1] = {}) => {
  const { share, service } = await serveShares();
  const url = await share({ language: 'markdown', content });
  return { service, ...(await openPage(await openContext(browser, options), url)) };
};

export const drawn = (page: Page) => page.locator('figure.drawn');
export const notes = (page: Page) =>
  page.locator('figcaption span:not([hidden])', { hasText: 'Not drawn' });

/** The frames that draw. */
export const frames = (page: Page) =>
  page.frames().filter((frame) => frame.url().endsWith('/diagram'));

/** Evaluates in the frame of the first diagram. */
export const inFrame = (page: Page, expression: string) => frames(page)[0]?.evaluate(expression);
