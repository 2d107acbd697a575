// Links in the frame of a snippet lead out of it, by the script that `web/share-page/frame.test.ts` shows.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { expectAllOpened, links, opened, openShare } from '../flows/external-links.ts';

describe.skipIf(!hasBrowser)('links in the frame of a snippet', () => {
  it('open in new tabs and leave the text unchanged', async () => {
    const { page, frame, context, url } = await openShare(links);
    const text = () => frame.locator('body').evaluate('document.body.outerHTML');
    const before = await text();
    await expectAllOpened(page, frame);
    await frame.getByRole('link', { name: 'plain' }).focus();
    expect(await opened(context, () => page.keyboard.press('Enter'))).toBe('/plain');
    expect(await text()).toBe(before);
    expect(page.url()).toBe(url);
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
