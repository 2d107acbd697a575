import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { begin, comeBack, keptCookies, signInAt } from '../../support/issuer/provider-sign-in.ts';
import { useIssuer } from '../../support/issuer/use-issuer.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import type { Answer } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { newEmail } from '../../support/users/test-users.ts';

useTable();
useJobs();
useVirtualTime('2026-11-21T12:00:00Z');
const acme = useIssuer('acme');
const other = useIssuer('other');

const shown = ({ status, body }: Answer) => [status, /<h1>(.*?)<\/h1>/.exec(body)?.[1]];
const unavailable = [503, 'Acme is unavailable'];
const misconfigured = [503, 'Acme isn’t set up'];

const hourMs = 60 * 60_000;

/** Answers requests for a path in place of the issuer. */
const answer = (path: string, how: (response: ServerResponse) => void) =>
  acme.misbehave({
    respond: (asked, response) => {
      if (!asked.startsWith(path)) return false;
      how(response);
      return true;
    },
  });

const discovery = '/.well-known/openid-configuration';

describe('an issuer that is down', () => {
  it.each<[string, (response: ServerResponse) => void, (string | number)[]]>([
    ['fails', (response) => response.writeHead(500).end(), unavailable],
    ['answers nothing', (response) => void response.socket?.destroy(), unavailable],
    [
      'answers too much',
      (response) => response.writeHead(200).end(' '.repeat(300 * 1_024)),
      unavailable,
    ],
    [
      'leads elsewhere',
      (response) => response.writeHead(302, { location: `${other.origin}${discovery}` }).end(),
      misconfigured,
    ],
    ['has no discovery', (response) => response.writeHead(404).end(), misconfigured],
    [
      'is another issuer',
      (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ issuer: other.origin })),
      misconfigured,
    ],
  ])('keeps nobody from other providers, and is asked again: %s', async (_, how, expected) => {
    pass(hourMs);
    answer(discovery, how);
    const failed = await begin('acme', { query: { next: '/shares' } });
    expect([shown(failed), failed.cookies]).toEqual([expected, []]);
    expect(failed.body).toContain('href="/login/acme?next=/shares"');
    expect(failed.body).toContain('href="/login?next=/shares&amp;why=out"');
    expect((await begin('other')).status).toBe(303);
    acme.misbehave({});
    expect((await begin('acme')).status).toBe(303);
  });

  it('is asked once an hour for its addresses', async () => {
    pass(hourMs);
    let asked = 0;
    acme.misbehave({
      respond: (path) => {
        asked += path === discovery ? 1 : 0;
        return false;
      },
    });
    await Promise.all([begin('acme'), begin('acme')]);
    pass(hourMs - 1);
    await begin('acme');
    expect(asked).toBe(1);
    pass(1);
    await begin('acme');
    expect(asked).toBe(2);
  });

  it('shows a page where its response is exchanged', async () => {
    const begun = await begin('acme');
    const back = await acme.visit(begun.headers['location'] ?? '', acme.add());
    answer('/token', (response) => response.writeHead(502).end());
    expect(shown(await comeBack(back, keptCookies(begun)))).toEqual(unavailable);
  });

  it('shows a page if it refuses the secret of this service', async () => {
    vi.stubEnv('OIDC_ACME_CLIENT_SECRET', 'wrong');
    const failed = await signInAt(acme, acme.add({ email: newEmail() }));
    expect(shown(failed)).toEqual(misconfigured);
  });
});
