import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { startConsole } from '../../support/pages/console-service.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('the first steps of a new user', () => {
  it('can be hidden, and offer only what the user may do', async () => {
    const { open } = await startConsole(browser, [
      { name: 'Ann', permissions: ['messages:create'] },
    ]);
    const { page } = await open('ann@example.com', '/dashboard');
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.waitFor();
    await expect
      .poll(() => steps.getByRole('link').allInnerTexts())
      .toEqual(['Share something', 'Write a message']);
    await steps.getByText(/^To upload files and add events, ask an administrator/).waitFor();
    await steps.getByRole('button', { name: 'Hide' }).click();
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('Active shares').waitFor();
    await expect.poll(() => steps.count()).toBe(0);
  });
});
