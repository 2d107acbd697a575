import { describe, expect, it } from 'vitest';
import { signToken } from '../../../shared/auth/tokens.ts';
import { begin, comeBack, keptCookies, signInAt } from '../../support/issuer/provider-sign-in.ts';
import { useIssuer } from '../../support/issuer/use-issuer.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { form } from '../../support/service/form.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { enrolTotp, nextCode } from '../../support/users/factors.ts';
import { login, newEmail, newVerified } from '../../support/users/test-users.ts';

useTable();
useJobs();
useVirtualTime('2026-11-21T12:00:00Z');
const acme = useIssuer('acme');
const terse = useIssuer('terse', { saysAllInIdToken: false });

const meBy = async (cookies: readonly string[]) =>
  (await call('GET /api/auth/me', { cookies })).body.data;

const fieldOf = (body: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '';

describe('GET /login/{provider}', () => {
  it('leads to the provider, with code, PKCE, state and nonce', async () => {
    const { status, headers, cookies } = await begin('acme', { query: { next: '/shares' } });
    const url = new URL(headers['location'] ?? '');
    expect([status, url.origin, url.pathname]).toEqual([303, acme.origin, '/auth']);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: acme.clientId,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `${process.env['PUBLIC_URL']}/login/acme/callback`,
      response_type: 'code',
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-provider-[\w-]{12}=[\w.-]+; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=600$/,
      ),
    ]);
  });

  it('is a 404 for an unknown provider', async () => {
    expect((await begin('unknown')).status).toBe(404);
  });

  it('begins nothing for HEAD', async () => {
    const params = { provider: 'acme' };
    const { headers, cookies } = await call('HEAD /login/{provider}', { params });
    expect([headers['location'], cookies]).toEqual(['/login', []]);
  });

  it('keeps the newest five of a browser, and fewer large ones', async () => {
    const openTabs = async (next: string) => {
      let cookies: string[] = [];
      for (let tab = 0; tab < 7; tab++) {
        const begun = await begin('acme', { query: { next }, cookies });
        const dropped = (begun.cookies ?? []).map((cookie) => cookie.split('=')[0]);
        cookies = cookies.filter((cookie) => !dropped.includes(cookie.split('=')[0]));
        cookies.push(...keptCookies(begun));
      }
      return cookies;
    };
    expect(await openTabs('/shares')).toHaveLength(5);
    const large = await openTabs(`/${'x'.repeat(1_900)}`);
    expect(large.length).toBeLessThan(5);
    expect(large.join('; ').length).toBeLessThan(6_000);
  });
});

describe('GET /login/{provider}/callback', () => {
  it('signs in, and leads on by a page', async () => {
    const person = acme.add({ email: newEmail(), name: 'Ann Example' });
    const done = await signInAt(acme, person, { query: { next: '/shares?sort=name' } });
    expect([done.status, done.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(done.body).toContain('<meta http-equiv="refresh" content="0;url=/shares?sort=name">');
    expect(done.cookies).toEqual([
      expect.stringMatching(/^__Host-provider-[\w-]{12}=; .*Max-Age=0$/),
      expect.stringMatching(/^__Host-session=.*SameSite=Strict/),
    ]);
    const me = await meBy(keptCookies(done));
    expect(me).toMatchObject({ email: person.email, name: 'Ann Example', emailVerified: true });
    // The same account signs in again.
    expect((await meBy(keptCookies(await signInAt(acme, person)))).id).toBe(me.id);
  });

  it('asks for what the ID token lacks', async () => {
    const person = terse.add({ email: newEmail(), name: 'Ann Example' });
    const me = await meBy(keptCookies(await signInAt(terse, person)));
    expect(me).toMatchObject({ email: person.email, name: 'Ann Example', emailVerified: true });
  });

  it('works for tabs that are open at once, in any order', async () => {
    const person = acme.add({ email: newEmail() });
    const tabs = [await begin('acme'), await begin('acme')];
    const cookies = tabs.flatMap(keptCookies);
    for (const { headers } of tabs.toReversed()) {
      const back = await acme.visit(headers['location'] ?? '', person);
      expect((await comeBack(back, cookies)).body).toContain('<h1>Signed in</h1>');
    }
  });

  it('shows the second step, whose form signs in, unless the device isn’t asked', async () => {
    const user = await enrolTotp(await newVerified());
    const person = acme.add({ email: user.email });
    const asked = await signInAt(acme, person, { query: { next: '/shares' } });
    expect(asked.body).toContain('<h1>Confirm it’s you</h1>');
    expect(asked.cookies?.some((cookie) => cookie.startsWith('__Host-session'))).toBe(false);
    const sent = form({
      mfaToken: fieldOf(asked.body, 'mfaToken'),
      methods: fieldOf(asked.body, 'methods'),
      next: fieldOf(asked.body, 'next'),
      code: nextCode(user.secret),
      remember: 'on',
    });
    const done = await call('POST /second-factor', sent);
    expect([done.status, done.headers['location']]).toEqual([303, '/shares']);
    const device = keptCookies(done).filter((cookie) => cookie.startsWith('__Host-device='));
    const again = await signInAt(acme, person, { cookies: device });
    expect((await meBy(keptCookies(again))).id).toBe(user.id);
  });

  it('says that a person has canceled, and offers other ways', async () => {
    const canceled = await signInAt(acme, { sub: '' }, { query: { next: '/shares' } });
    expect(canceled.status).toBe(200);
    expect(canceled.body).toContain('<h1>Sign-in canceled</h1>');
    expect(canceled.body).toContain('href="/login/acme?next=/shares"');
  });

  it('names the proven address that has no account, and offers another account', async () => {
    process.env['REGISTRATION'] = 'invite';
    const email = newEmail();
    const { status, body } = await signInAt(acme, acme.add({ email }));
    delete process.env['REGISTRATION'];
    expect(status).toBe(403);
    expect(body).toContain(`No account for ${email}. Ask an administrator.`);
    expect(body).toContain('href="/login/acme?account=other"');
  });

  it('does nothing for HEAD', async () => {
    const person = acme.add({ email: newEmail() });
    const begun = await begin('acme');
    const back = await acme.visit(begun.headers['location'] ?? '', person);
    const head = await call('HEAD /login/{provider}/callback', {
      params: { provider: 'acme' },
      query: Object.fromEntries(back.searchParams),
      cookies: keptCookies(begun),
    });
    expect([head.status, head.cookies]).toEqual([400, []]);
    expect((await comeBack(back, keptCookies(begun))).body).toContain('<h1>Signed in</h1>');
  });
});

describe('GET /login/{provider}?connect=', () => {
  const newSession = async () => {
    const user = await newVerified();
    const cookies = keptCookies(await login(user.email));
    const session = JSON.parse(
      Buffer.from(cookies[0]?.split('.')[1] ?? '', 'base64url').toString(),
    );
    const claims = { sub: String(user.id), se: 0, fe: 0, sid: session.sid, pro: 'acme' };
    return { user, cookies, claims };
  };
  const sign = (claims: Parameters<typeof signToken<'connect'>>[1]) =>
    signToken('connect', claims, 60_000);
  const next = '/account?tab=security';

  it('connects the account of whoever is signed in, which signs in from then on', async () => {
    const { user, cookies, claims } = await newSession();
    const person = acme.add({ email: newEmail() });
    const query = { connect: await sign(claims), next };
    const done = await signInAt(acme, person, { query, cookies });
    expect(done.body).toContain('<h1>Acme connected</h1>');
    expect(done.body).toContain(`content="0;url=${next}"`);
    expect(done.cookies?.some((cookie) => cookie.startsWith('__Host-session'))).toBe(false);
    expect((await meBy(keptCookies(await signInAt(acme, person)))).id).toBe(user.id);
  });

  it.each<[string, (own: Awaited<ReturnType<typeof newSession>>) => Promise<object>]>([
    ['without the session', async ({ claims }) => ({ query: { connect: await sign(claims) } })],
    [
      'in the session of someone else, whose account of the provider would be connected',
      async ({ claims }) => {
        const { cookies } = await newSession();
        return { query: { connect: await sign(claims) }, cookies };
      },
    ],
    [
      'for another provider',
      async ({ claims, cookies }) => ({
        query: { connect: await sign({ ...claims, pro: 'terse' }) },
        cookies,
      }),
    ],
    ['without a token', async ({ cookies }) => ({ query: { connect: '' }, cookies })],
  ])('refuses a token %s', async (_, request) => {
    const { status, body, cookies } = await begin('acme', await request(await newSession()));
    expect([status, cookies]).toEqual([409, []]);
    expect(body).toContain('<h1>Not connected</h1>');
  });

  it('says whose the account is if it is someone else’s', async () => {
    const person = acme.add({ email: newEmail() });
    await signInAt(acme, person);
    const { cookies, claims } = await newSession();
    const query = { connect: await sign(claims), next };
    const { status, body } = await signInAt(acme, person, { query, cookies });
    expect([status, body.includes('This Acme account is connected to another user.')]).toEqual([
      409,
      true,
    ]);
  });
});
