import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openPage } from '../../support/pages/open-page.ts';
import { admin } from '../../support/run/fresh-service.ts';
import { newSeal, sealedBody } from '../../support/shares/sealed.ts';
import { start } from '../flows/moderation.ts';

describe.skipIf(!hasBrowser)('a reported sealed share', () => {
  it('is listed as sealed, and its moderator is told why there is nothing to see', async () => {
    const { url, ids, report, signedIn } = await start([
      await sealedBody(await newSeal(), { title: 'Codes' }),
      { content: '# Fine', language: 'markdown', title: 'Fine page' },
    ]);
    for (const id of ids) await report(id, 'It asks for a password');
    const { page, complaints } = await openPage(await signedIn(admin), `${url}/moderation`);
    const row = (name: string) => page.getByRole('row', { name });
    await row('Codes').getByText('Sealed').waitFor();
    expect(await row('Fine page').getByText('Sealed').count()).toBe(0);
    await page.getByRole('link', { name: 'Codes' }).click();
    const shown = page.getByRole('dialog', { name: 'Codes' });
    await shown.getByText('This share is sealed: the service can’t read it').waitFor();
    expect(await page.locator('#preview').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
