import type { BrowserContext, FrameLocator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/pages/browser.ts';
import { text, textIs } from '../support/pages/composer-page.ts';
import { openContext } from '../support/pages/open-page.ts';
import { browser } from '../support/pages/shared-browser.ts';
import { serveElsewhere } from '../support/service/third-party-server.ts';
import { serveShares } from '../support/shares/serve-shares.ts';

/** A text with links of each kind that writes clicks to its output. */
const links = (elsewhere: string): string => `<!doctype html><title>Links</title>
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

describe.skipIf(!hasBrowser)('links in the frame of a snippet', () => {
  const openShare = async (contentFor: (elsewhere: string) => string) => {
    const { service, share } = await serveShares();
    const elsewhere = await serveElsewhere();
    const url = await share({ content: contentFor(elsewhere.url) });
    const context = await openContext(browser);
    const page = await context.newPage();
    await page.goto(url);
    return { service, url, context, page, elsewhere, frame: page.frameLocator('iframe') };
  };

  /** Returns the path of the tab that an action opens, and checks that it has no opener. */
  const opened = async (context: BrowserContext, act: () => Promise<void>): Promise<string> => {
    const [tab] = await Promise.all([context.waitForEvent('page'), act()]);
    await tab.waitForLoadState();
    expect(await tab.evaluate('String(window.opener) + document.referrer')).toBe('null');
    const { pathname } = new URL(tab.url());
    await tab.close();
    return pathname;
  };

  const link = (frame: FrameLocator, name: string) => frame.getByText(name, { exact: true });
  const outward = ['plain', 'top', 'parent', 'self', 'opener', 'drawn', 'within'];

  const expectAllOpened = async (page: Page, frame: FrameLocator) => {
    const paths: string[] = [];
    for (const name of outward) {
      paths.push(await opened(page.context(), () => link(frame, name).click()));
    }
    expect(paths).toEqual(outward.map((name) => `/${name}`));
  };

  it('open in new tabs and leave the text unchanged', async () => {
    const { page, frame, context, url } = await openShare(links);
    const text = () => frame.locator('body').evaluate('document.body.outerHTML');
    const before = await text();
    await expectAllOpened(page, frame);
    expect(await opened(context, () => link(frame, 'relative').click())).toBe('/relative');
    await frame.getByRole('link', { name: 'plain' }).focus();
    expect(await opened(context, () => page.keyboard.press('Enter'))).toBe('/plain');
    expect(await text()).toBe(before);
    expect(page.url()).toBe(url);
  });

  it('keep their behavior for fragments, script URLs and own handlers', async () => {
    const { page, frame, context, elsewhere } = await openShare(links);
    const scrolled = () => frame.locator('body').evaluate('scrollY');
    await link(frame, 'below').click();
    await expect.poll(scrolled).toBeGreaterThan(1_000);
    // Chromium runs no script URL in a frame without an origin, so a tab would be empty.
    await link(frame, 'script').click();
    await link(frame, 'handled').click();
    await frame.getByText('told', { exact: true }).waitFor();
    expect(context.pages()).toEqual([page]);
    expect(elsewhere.asked).toEqual([]);
  });

  it('are followed only by user clicks', async () => {
    const { page, frame, context, elsewhere, service } = await openShare(
      (address) => `<a href="${address}/dispatched">dispatched</a><output></output><script>
const link = document.querySelector('a');
link.addEventListener('click', (event) => {
  document.querySelector('output').textContent = [link.target, link.rel, event.isTrusted];
  event.preventDefault();
});
link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
</script><script>const other = document.body.appendChild(document.createElement('a'));
Object.assign(other, { href: '${address}/clicked', target: '_top' }).click();
</script>`,
    );
    await frame.getByText(',,false').waitFor();
    await page.request.get(`${service}/health`);
    expect(context.pages()).toEqual([page]);
    expect(elsewhere.asked).toEqual([]);
  });

  it('open in the same tab if the snippet is opened directly', async () => {
    const { page, frame, context, elsewhere } = await openShare(links);
    const own = (await frame.locator('body').evaluate('location.href')) as string;
    await page.goto(own);
    await page.getByText('plain', { exact: true }).click();
    await page.waitForURL(`${elsewhere.url}/plain`);
    expect(context.pages()).toEqual([page]);
  });

  it('open in new tabs from the preview', async () => {
    const { page, context, elsewhere, service } = await openShare(links);
    await page.goto(service);
    await page.getByText('HTML', { exact: true }).click();
    await page.getByLabel('Content', { exact: true }).fill(links(elsewhere.url));
    const preview = page.frameLocator('#preview iframe:not(.next)');
    await expectAllOpened(page, preview);
    await link(preview, 'below').click();
    await expect.poll(() => preview.locator('body').evaluate('scrollY')).toBeGreaterThan(1_000);
    expect(context.pages()).toEqual([page]);
    // The editor scrolls with the preview and draws only the lines in view.
    await text(page).press('Control+Home');
    await textIs(page, links(elsewhere.url));
  });
});
