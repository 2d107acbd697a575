import type { BrowserContext, FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openContext } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveElsewhere } from '../../support/service/third-party-server.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

/** A text with links of each kind that writes clicks to its output. */
export const links = (elsewhere: string): string => `<!doctype html><title>Links</title>
<p><a href="${elsewhere}/plain"><b>plain</b></a> <a href="${elsewhere}/top" target="_top">top</a>
<a href="${elsewhere}/parent" target="_parent">parent</a> <a href="${elsewhere}/self" target="_self">self</a>
<a href="${elsewhere}/opener" target="_blank" rel="opener">opener</a> <a href="relative">relative</a>
<svg width="90" height="20"><a href="${elsewhere}/drawn"><text y="15">drawn</text></a></svg>
<span id="host"></span>
<a href="#below">below</a> <a href="javascript:tell('ran')">script</a>
<a href="${elsewhere}/handled" onclick="tell('told'); return false">handled</a></p>
<output></output><p style="margin-top: 3000px" id="below">Below</p>
<script>
const tell = (text) => { document.querySelector('output').textContent += text + ' '; };
document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML = '<a href="${elsewhere}/within">within</a>';
</script>`;

/** Opens a share whose text links to another site. */
export const openShare = async (contentFor: (elsewhere: string) => string) => {
  const { service, share } = await serveShares();
  const elsewhere = await serveElsewhere();
  const url = await share({ content: contentFor(elsewhere.url) });
  const context = await openContext(browser);
  const page = await context.newPage();
  await page.goto(url);
  return { service, url, context, page, elsewhere, frame: page.frameLocator('iframe') };
};

/** Returns the path of the tab that an action opens, and checks that it has no opener. */
export const opened = async (
  context: BrowserContext,
  act: () => Promise<void>,
): Promise<string> => {
  const [tab] = await Promise.all([context.waitForEvent('page'), act()]);
  await tab.waitForLoadState();
  expect(await tab.evaluate('String(window.opener) + document.referrer')).toBe('null');
  const { pathname } = new URL(tab.url());
  await tab.close();
  return pathname;
};

export const link = (frame: FrameLocator, name: string) => frame.getByText(name, { exact: true });

const outward = ['plain', 'top', 'parent', 'self', 'opener', 'drawn', 'within'];

/** Follows each link that leads outward, and checks where its tab is. */
export const expectAllOpened = async (page: Page, frame: FrameLocator) => {
  const paths: string[] = [];
  for (const name of outward) {
    paths.push(await opened(page.context(), () => link(frame, name).click()));
  }
  expect(paths).toEqual(outward.map((name) => `/${name}`));
};
