// Open pages that follow edits of more than text: diagrams, another kind of content, people, a CDN.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { encodePng } from '../../support/card/png.ts';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { block, drawn } from '../flows/diagrams.ts';
import { intervalMs, openLive, openLiveOf, untilAsked } from '../flows/live.ts';
import { replaceFile } from '../flows/replace-file.ts';

const diagram = (label: string): string => block(`graph TD;\n  A["${label}"] --> B["End"];`);
const updated = (page: Page) => page.getByRole('status').getByText(/^Updated/);

describe.skipIf(!hasBrowser)('an open page of a share', () => {
  it('leaves drawings as they are, and draws those that changed or are new', async () => {
    const content = `# Plan\n\n${diagram('One')}\n\nText\n\n${diagram('Two')}`;
    const live = await openLive({ content, language: 'markdown' });
    const { page, complaints, pass, edit } = live;
    // What draws waits for time, too.
    await page.clock.resume();
    await page.setViewportSize({ width: 1_280, height: 2_000 });
    await expect.poll(() => drawn(page).count()).toBe(2);
    await page.evaluate(`for (const one of document.querySelectorAll('iframe')) one.isKept = true`);
    const texts = () =>
      Promise.all(
        page
          .frames()
          .slice(1)
          .map((frame) => frame.evaluate('document.body.innerText')),
      );
    await edit({
      content: `# Plan\n\nNew\n\n${diagram('One')}\n\nText\n\n${diagram('Other')}\n\n${diagram('Three')}`,
    });
    await pass();
    await updated(page).waitFor();
    await expect.poll(() => drawn(page).count()).toBe(3);
    await expect
      .poll(async () => (await texts()).map((text) => String(text).split(/\s/)[0]).sort())
      .toEqual(['One', 'Other', 'Three']);
    const kept = '[...document.querySelectorAll("iframe")].filter((one) => one.isKept).length';
    expect(await page.evaluate(kept)).toBe(2);
    expect(complaints).toEqual([]);
  });

  it('shows another picture of the same name, and how large it is', async () => {
    const picture = (size: number) =>
      encodePng({ width: size, height: size }, Buffer.alloc(4 * size * size, size), {});
    const live = await openLiveOf(({ shareFile }) => shareFile('plan.png', picture(40)));
    const { page, complaints, pass, ask, url } = live;
    await page.getByText('40 × 40').waitFor();
    const id = url.split('/').at(-1) ?? '';
    await replaceFile(ask, id, { path: 'plan.png', bytes: picture(60) });
    await pass();
    await updated(page).waitFor();
    await page.getByText('60 × 60').waitFor();
    expect(complaints).toEqual([]);
  });

  it('offers to load itself again for its first diagram, and for content of another kind', async () => {
    const live = await openLive({ content: '# Plan\n\nText', language: 'markdown' });
    const { page, complaints, pass, edit } = live;
    await page.clock.resume();
    await edit({ content: `# Plan\n\n${diagram('One')}` });
    await pass();
    await page.getByText('Reload the page to see its diagrams.').waitFor();
    expect(await page.locator('code.language-mermaid').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Plan' }).waitFor();
    await drawn(page).waitFor();

    await edit({ content: '<h1>A page</h1>', language: 'html' });
    await pass();
    await page.getByText('This snippet has changed. Reload the page to see it.').waitFor();
    expect(await page.getByRole('heading', { name: 'Plan' }).isVisible()).toBe(true);
    await pass(4 * intervalMs);
    expect(live.countAsked()).toBe(2);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.frameLocator('iframe').getByRole('heading', { name: 'A page' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('says nothing of changes that its reader can’t see, and shows the title, description and end', async () => {
    const live = await openLive({ content: '# Plan\n\nText', language: 'markdown' });
    const { page, complaints, pass, edit } = live;
    await edit({ readersCanEnd: true });
    await pass();
    await untilAsked(live, 1);
    expect(await page.locator('.toast').count()).toBe(0);
    await edit({ title: 'A plan', description: 'For May', expiresIn: 3_600 });
    await pass();
    await updated(page).waitFor();
    await page.getByText('For May').waitFor();
    await page.locator('.byline').getByText('Expires').waitFor();
    await expect.poll(() => page.locator('.reader-bar .at').innerText()).toBe('A plan');
    await page.clock.resume();
    await inspect(page, 'share-live');
    expect(complaints).toEqual([]);
  });

  it('follows by the session for whom a share is, its owner with their bar', async () => {
    const live = await openLive({ content: '# Plan\n\nText', language: 'markdown' });
    const { service, person, url, ask } = live;
    const id = url.split('/').at(-1);
    await ask(`PUT /api/share/${id}`, { audience: 'private' });
    const context = await openContext(browser);
    await context.request.post(`${service}/api/auth/login`, {
      data: { email: person.email, password: person.password },
      headers: { origin: service },
    });
    await context.clock.install();
    const { page, complaints } = await openPage(context, url);
    await page.getByText('This is yours').waitFor();
    await ask(`PUT /api/share/${id}`, { content: '<h1>Other</h1>' });
    await ask(`PUT /api/share/${id}`, { content: '# Plan\n\nChanged' });
    await page.clock.runFor(intervalMs);
    await page.getByText('Changed').waitFor();
    await page.getByText('This is yours').waitFor();
    expect(complaints).toEqual([]);
  });

  it('loads its frame again once no CDN has the former content, as its page says', async () => {
    const live = await openLive({ content: '<h1>One</h1>' });
    const { page, complaints, pass, edit } = live;
    const frame = page.frameLocator('.stage > iframe');
    await page.evaluate(`document.querySelector('[data-live]').dataset.settles = 7`);
    await edit({ content: '<h1>Two</h1>' });
    await pass();
    await expect.poll(() => page.locator('main').getAttribute('data-state')).toMatch(/^2\./);
    await pass(6_999);
    expect(await frame.getByText('One').isVisible()).toBe(true);
    await pass(1);
    await frame.getByText('Two').waitFor();
    expect(complaints).toEqual([]);
  });
});
