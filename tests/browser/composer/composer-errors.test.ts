import { describe, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  openSignedIn,
  person,
  ready,
  share,
  startComposer,
  text,
} from '../../support/pages/composer-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('content that can’t be shared', () => {
  it('is shared once the user has signed in again over the page', async () => {
    const url = await startComposer();
    const { page, context } = await openSignedIn(browser, url);
    await text(page).fill('# Long work');
    await context.clearCookies();
    await share(page).click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Password').fill(person.password);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await ready(page);
  });
});
