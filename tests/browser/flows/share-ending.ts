import type { BrowserContext } from 'playwright-core';
import { openContext } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { startFreshService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';

const signUp = async (context: BrowserContext, url: string): Promise<string> => {
  const password = 'correct horse';
  const registered = await context.request.post(`${url}/api/auth/register`, {
    data: { email: 'ann@example.com', name: 'Ann', password, confirmPassword: password },
    headers: { origin: url },
  });
  return (await registered.json()).token;
};

/** Starts a service with a share of Ann’s. */
export const start = async (fields: object) => {
  const { url } = await startFreshService();
  const owner = await openContext(browser);
  const token = await signUp(owner, url);
  const body = { content: '# Offer', language: 'markdown', title: 'Offer', ...fields };
  const { body: share } = await send(`${url}/api/share`, { method: 'POST', token, body });
  const state = async () =>
    (await send(`${url}/api/share?mine=true`, { token })).body.items[0].endedBy;
  const views = async (): Promise<number> =>
    (await send(`${url}/api/share?mine=true&id=${share.id}`, { token })).body.views;
  return { owner, share, state, views };
};
