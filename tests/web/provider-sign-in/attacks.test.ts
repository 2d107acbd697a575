import type { JWTPayload } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Misbehaviour } from '../../support/issuer/misbehaviour.ts';
import { begin, comeBack, keptCookies, signInAt } from '../../support/issuer/provider-sign-in.ts';
import { useIssuer } from '../../support/issuer/use-issuer.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entries } from '../../support/service/audit.ts';
import type { Answer } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { login, newEmail, newPerson, newVerified } from '../../support/users/test-users.ts';

useTable();
useJobs();
useVirtualTime('2026-11-21T12:00:00Z');
const acme = useIssuer('acme');
const evil = useIssuer('evil');

/** Returns whether a reply has a session, or asks for a second step towards one. */
const signsIn = ({ cookies = [], body }: Answer): boolean =>
  cookies.some((cookie) => cookie.startsWith('__Host-session=')) || body.includes('mfaToken');

const shown = ({ status, body }: Answer) => [status, /<h1>(.*?)<\/h1>/.exec(body)?.[1]];

/** Begins a sign-in at Acme, and signs a new person in there. */
const flow = async (query: Record<string, string> = {}) => {
  const person = acme.add({ email: newEmail() });
  const begun = await begin('acme', { query });
  const location = begun.headers['location'] ?? '';
  return { location, back: await acme.visit(location, person), cookies: keptCookies(begun) };
};

const expired = [400, 'Sign-in expired'];

describe('a response of a provider', () => {
  it('is nothing in a browser that began no sign-in: a link with a foreign code signs nobody in', async () => {
    const { back } = await flow();
    const before = await entries();
    const answer = await comeBack(back, []);
    expect([shown(answer), answer.cookies]).toEqual([expired, []]);
    expect(await entries()).toEqual(before);
  });

  it('is nothing in a browser that began another sign-in', async () => {
    const [foreign, own] = [await flow(), await flow()];
    expect(shown(await comeBack(foreign.back, own.cookies))).toEqual(expired);
    // The cookie of the own flow under the name of the foreign one.
    const [value = ''] = own.cookies.map((cookie) => cookie.slice(cookie.indexOf('=')));
    const name = foreign.cookies[0]?.split('=')[0] ?? '';
    expect(shown(await comeBack(foreign.back, [`${name}${value}`]))).toEqual(expired);
    expect(signsIn(await comeBack(own.back, own.cookies))).toBe(true);
  });

  it('is nothing after 10 minutes', async () => {
    const { back, cookies } = await flow();
    pass(10 * 60_000 + 31_000);
    expect(shown(await comeBack(back, cookies))).toEqual(expired);
  });

  it('counts once, also of two at once', async () => {
    const { back, cookies } = await flow();
    const both = await Promise.all([comeBack(back, cookies), comeBack(back, cookies)]);
    expect(both.filter(signsIn)).toHaveLength(1);
    const again = await comeBack(back, cookies);
    expect([shown(again), signsIn(again)]).toEqual([expired, false]);
  });

  it('counts once even of a provider that takes its codes twice', async () => {
    const { back, cookies } = await flow();
    let body: string | undefined;
    acme.misbehave({
      record: (tokens) => {
        body = tokens;
      },
    });
    expect(signsIn(await comeBack(back, cookies))).toBe(true);
    acme.misbehave({
      respond: (path, response) => {
        if (path !== '/token') return false;
        response.setHeader('content-type', 'application/json');
        response.end(body);
        return true;
      },
    });
    const again = await comeBack(back, cookies);
    expect([shown(again), signsIn(again)]).toEqual([expired, false]);
  });

  it('counts at the callback of its own provider only', async () => {
    const { back, cookies } = await flow();
    const elsewhere = new URL(back.href.replace('/login/acme/', '/login/evil/'));
    expect(shown(await comeBack(elsewhere, cookies))).toEqual(expired);
  });

  it('is refused if another issuer sends it (mix-up)', async () => {
    const { back, cookies } = await flow();
    back.searchParams.set('iss', evil.origin);
    const answer = await comeBack(back, cookies);
    expect([shown(answer), signsIn(answer)]).toEqual([[400, 'Sign-in failed'], false]);
  });

  it('is refused without an issuer, where the provider says that it names it', async () => {
    const { back, cookies } = await flow();
    back.searchParams.delete('iss');
    expect(shown(await comeBack(back, cookies))).toEqual([400, 'Sign-in failed']);
  });

  it('is refused with a code of another sign-in, which PKCE binds to its browser', async () => {
    const [foreign, own] = [await flow(), await flow()];
    own.back.searchParams.set('code', foreign.back.searchParams.get('code') ?? '');
    const answer = await comeBack(own.back, own.cookies);
    expect([shown(answer), signsIn(answer)]).toEqual([expired, false]);
  });

  const claiming = (changed: JWTPayload): Misbehaviour => ({
    claims: (claims) => ({ ...claims, ...changed }),
  });
  it.each<[string, () => Misbehaviour]>([
    ['another nonce', () => claiming({ nonce: 'of-another-sign-in' })],
    ['no nonce', () => ({ claims: ({ nonce: _, ...claims }) => claims })],
    ['another audience', () => claiming({ aud: 'another-client' })],
    [
      'several audiences, of which another is authorized',
      () => claiming({ aud: [acme.clientId, 'another-client'], azp: 'another-client' }),
    ],
    ['another issuer', () => claiming({ iss: evil.origin })],
    ['an end that has passed', () => claiming({ exp: Math.floor(Date.now() / 1_000) - 60 })],
    ['no subject', () => ({ claims: ({ sub: _, ...claims }) => claims })],
    ['a long subject', () => claiming({ sub: 'x'.repeat(256) })],
    ['a signature by another key', () => ({ signature: 'other' })],
    ['no signature', () => ({ signature: 'none' })],
  ])('is refused with an ID token that has %s', async (_, misbehaviour) => {
    const { back, cookies } = await flow();
    acme.misbehave(misbehaviour());
    const before = (await entries()).map(({ id }) => id);
    const answer = await comeBack(back, cookies);
    expect([shown(answer), signsIn(answer)]).toEqual([[400, 'Sign-in failed'], false]);
    const written = (await entries()).filter(({ id }) => !before.includes(id));
    expect(written).toMatchObject([
      {
        action: 'session.fail',
        subject: 'user:unknown',
        after: { reason: 'provider response invalid', method: 'provider', provider: 'acme' },
      },
    ]);
  });

  it('leads to no other site', async () => {
    for (const next of ['https://evil.example', '//evil.example', 'javascript:alert(1)']) {
      const { back, cookies } = await flow({ next });
      const { body } = await comeBack(back, cookies);
      expect(body).toContain('<meta http-equiv="refresh" content="0;url=/dashboard">');
    }
  });
});

describe('an address that the provider doesn’t prove', () => {
  it('takes no account over', async () => {
    const { email } = await newVerified();
    const answer = await signInAt(acme, acme.add({ email, email_verified: false }));
    expect([shown(answer), signsIn(answer)]).toEqual([[403, 'No account'], false]);
  });

  it('takes no account over whose own address isn’t proven either', async () => {
    const { email } = await newPerson();
    const answer = await signInAt(acme, acme.add({ email }));
    expect([shown(answer), signsIn(answer)]).toEqual([[403, 'Acme isn’t connected'], false]);
    expect((await login(email)).status).toBe(200);
  });
});
