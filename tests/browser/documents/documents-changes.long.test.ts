import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { startConsole } from '../../support/pages/console-service.ts';
import { choose, dialog } from '../../support/pages/documents-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('changes of documents in a browser', () => {
  it('says what a dialog can’t do without a connection', async () => {
    const service = await startConsole(browser, [
      { name: 'Cem', role: 'guest', permissions: ['documents:*'] },
    ]);
    const token = await service.signIn('cem@example.com');
    const body = { title: 'Mine' };
    await send(`${service.url}/api/documents`, { method: 'POST', token, body });
    const { page } = await service.open('cem@example.com', '/documents', {
      width: 390,
      height: 844,
    });
    await choose(page, 'Mine', 'Share');
    const everyone = dialog(page).getByLabel('What everyone can do');
    // The dialog has loaded who may read.
    await everyone.waitFor();
    await page.context().setOffline(true);
    await everyone.selectOption('Can read');
    await dialog(page)
      .getByText(/Can’t reach the server/)
      .waitFor();
    expect(await everyone.inputValue()).toBe('none');
    await page.context().setOffline(false);
    await everyone.selectOption('Can read');
    await dialog(page)
      .getByText(/can read it now/)
      .waitFor();
  });
});
