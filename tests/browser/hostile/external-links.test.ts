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
});
