import { openContext } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { startFreshService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';

export const ann = { email: 'ann@example.com', name: 'Ann', password: 'correct horse' };

/** Starts a service with a moderator, Ann, and these shares of hers. */
export const start = async (bodies: readonly object[]) => {
  const { url } = await startFreshService();
  const { token } = (
    await send(`${url}/api/auth/register`, {
      method: 'POST',
      body: { ...ann, confirmPassword: ann.password },
    })
  ).body;
  const ids: string[] = [];
  for (const body of bodies) {
    ids.push((await send(`${url}/api/share`, { method: 'POST', token, body })).body.id);
  }
  return {
    url,
    token,
    ids,
    report: (id: string, reason: string) =>
      send(`${url}/api/share/${id}/report`, { method: 'POST', body: { reason } }),
    signedIn: async (who: { email: string; password: string }) => {
      const context = await openContext(browser);
      const { email, password } = who;
      await context.request.post(`${url}/api/auth/login`, {
        data: { email, password },
        headers: { origin: url },
      });
      return context;
    },
  };
};
