import type { BrowserContext } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { startFreshService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('ending a share on its page', () => {
  const signUp = async (context: BrowserContext, url: string): Promise<string> => {
    const password = 'correct horse';
    const registered = await context.request.post(`${url}/api/auth/register`, {
      data: { email: 'ann@example.com', name: 'Ann', password, confirmPassword: password },
      headers: { origin: url },
    });
    return (await registered.json()).token;
  };

  const start = async (fields: object) => {
    const { url } = await startFreshService();
    const owner = await openContext(browser);
    const token = await signUp(owner, url);
    const body = { content: '# Offer', language: 'markdown', title: 'Offer', ...fields };
    const { body: share } = await send(`${url}/api/share`, { method: 'POST', token, body });
    const state = async () =>
      (await send(`${url}/api/share?mine=true`, { token })).body.items[0].endedBy;
    return { owner, share, state };
  };

  it('asks the owner first, and ends it at once', async () => {
    const { owner, share, state } = await start({});
    const { page, complaints } = await openPage(owner, share.url);
    const stop = page.getByRole('button', { name: 'Stop sharing' });
    await page.getByRole('button', { name: 'More actions' }).click();
    await inspect(page, 'share-owner-menu');
    await stop.first().click();
    const question = page.getByRole('alertdialog', { name: 'Stop sharing?' });
    await inspect(page, 'share-stop');
    await question.getByRole('button', { name: 'Keep sharing' }).click();
    await expect.poll(() => question.isVisible()).toBe(false);
    expect(await state()).toBe(null);
    await page.getByRole('button', { name: 'More actions' }).click();
    await stop.first().click();
    await question.getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByRole('heading', { name: 'This share has ended' }).waitFor();
    await inspect(page, 'share-stopped');
    expect(await state()).toBe('owner');
    expect(complaints.filter((text) => !text.includes('410'))).toEqual([]);
  });

  it('is offered to readers if the owner allows it, without a script too', async () => {
    const { share, state } = await start({ readersCanEnd: true, viewLimit: 2 });
    const context = await openContext(browser, { javaScriptEnabled: false });
    const { page } = await openPage(context, share.url);
    await page.getByRole('button', { name: 'Open snippet' }).click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('link', { name: 'End snippet' }).click();
    await page.getByRole('heading', { name: 'End this snippet?' }).waitFor();
    expect(await state()).toBe(null);
    await page.getByRole('button', { name: 'End snippet' }).click();
    await page.getByRole('heading', { name: 'This share has ended' }).waitFor();
    expect(await state()).toBe('reader');
  });
});
