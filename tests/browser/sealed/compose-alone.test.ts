// What sealed HTML refers to isn't asked of the host of its frame, which would learn the names of files.
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { choose, previewFrame, text } from '../../support/pages/composer-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { openRecorded, seal } from '../../support/sealed/composing.ts';

const html = `<!doctype html><html><head><link rel="stylesheet" href="/abs-secret.css">
<style>@import "imp-secret.css"; body { background: url(bg-secret.png) }</style></head>
<body><h1>Codes</h1><img src="img-secret.png" srcset="set-secret.png 2x"><script src="js-secret.js"></script>
<script type="module">import './mod-secret.js'</script><video src="v-secret.mp4" poster="p-secret.png"></video>
<object data="o-secret.svg"></object><a href="rel-secret.html">Next</a><a href="#end">End</a>
<div style="height: 3000px"></div><p id="end">The end</p></body></html>`;

describe.skipIf(!hasBrowser)('the preview of sealed HTML', () => {
  it('asks nobody for what is relative, and follows links within', async () => {
    const { page, context, sent } = await openRecorded(browser);
    // On this machine the policy refuses the host, which has no https. Then none of it would be seen.
    await context.route('**/preview', async (route) => {
      const answer = await route.fetch();
      const { origin } = new URL(answer.url());
      const policy = answer.headers()['content-security-policy'] ?? '';
      const headers = {
        ...answer.headers(),
        'content-security-policy': policy.replaceAll('https: data:', `https: ${origin} data:`),
      };
      await route.fulfill({ response: answer, headers });
    });
    await choose(page, 'HTML');
    await text(page).fill(html);
    const frame = previewFrame(page);
    await frame.getByRole('heading', { name: 'Codes' }).waitFor();
    // A plain share asks.
    await expect.poll(() => sent.some((one) => one.includes('js-secret'))).toBe(true);
    await seal(page);
    await expect
      .poll(() =>
        frame
          .locator('base')
          .getAttribute('href')
          .catch(() => undefined),
      )
      .toBe('https://relative.invalid/');
    sent.length = 0;
    await text(page).fill(html.replace('Codes', 'New codes'));
    await frame.getByRole('heading', { name: 'New codes' }).waitFor();
    await frame.getByRole('link', { name: 'End' }).click();
    await expect.poll(() => frame.locator('body').evaluate(() => scrollY)).toBeGreaterThan(500);
    await frame.getByRole('link', { name: 'Next' }).click();
    await frame.getByText('The end').waitFor();
    const asked = sent.filter((one) => /-secret/.test(one) && !one.includes('//relative.invalid/'));
    expect(asked).toEqual([]);
    expect(context.pages()).toHaveLength(1);
  });
});
