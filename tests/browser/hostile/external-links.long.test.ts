import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { text, textIs } from '../../support/pages/composer-page.ts';
import { expectAllOpened, link, links, openShare } from '../flows/external-links.ts';

describe.skipIf(!hasBrowser)('links in the frame of a snippet', () => {
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
});
