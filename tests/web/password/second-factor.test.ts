import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { form } from '../../support/service/form.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { freshPassword } from '../../support/users/account.ts';
import { codeOf, wrongCode } from '../../support/users/authenticator.ts';
import { enrolTotp, nextCode, type WithTotp } from '../../support/users/factors.ts';
import { newResetToken } from '../../support/users/links.ts';
import { login, newVerified } from '../../support/users/test-users.ts';

useTable();
useJobs();
useVirtualTime('2026-11-21T12:00:00Z');

const host = 'handbill.test';

const getValue = (body: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '';

/** Returns the view that a page shows. */
const viewOf = (body: string): string | undefined => /data-view="(\w+)">/.exec(body)?.[1];

/** A user with an authenticator app and a proven address: a link that proves it for the first time removes second factors. */
const newUser = async (): Promise<WithTotp> => enrolTotp(await newVerified());

/** Sets a new password by a link, and returns the page that follows. */
const reset = async ({ id }: WithTotp) => {
  const both = { password: freshPassword, confirmPassword: freshPassword };
  return call('POST /reset', form({ token: await newResetToken(id), ...both }));
};

const send = (fields: Record<string, string>, headers: Record<string, string> = {}) => {
  const sent = form(fields);
  return call('POST /second-factor', { ...sent, headers: { ...sent.headers, host, ...headers } });
};

/** Sets a new password, and returns what the form of the next page sends beside the code. */
const start = async (user: WithTotp) => {
  const { body } = await reset(user);
  const read = (name: string) => getValue(body, name);
  return {
    mfaToken: read('mfaToken'),
    methods: read('methods'),
    shown: 'totp',
    next: read('next'),
  };
};

const meBy = (cookies: readonly string[] | undefined) =>
  call('GET /api/auth/me', { cookies: (cookies ?? []).map((one) => one.split(';')[0] ?? '') });

describe('POST /reset of a user with a second factor', () => {
  it('sets the password and asks for a code in place of a session', async () => {
    const user = await newUser();
    const { status, body, cookies, headers } = await reset(user);
    expect([status, cookies, viewOf(body)]).toEqual([200, [], 'totp']);
    expect(headers['referrer-policy']).toBe('strict-origin');
    expect(body).toContain('<h1>Confirm it’s you</h1>');
    expect(getValue(body, 'methods')).toBe('totp recovery');
    expect((await login(user.email, freshPassword)).body.data.mfaRequired).toBe(true);
  });
});

describe('POST /second-factor', () => {
  it.each<[string, (user: WithTotp) => string]>([
    ['of the app', ({ secret }) => nextCode(secret)],
    ['of the app with a space', ({ secret }) => nextCode(secret).replace(/(?<=^...)/, ' ')],
    ['for recovery', ({ codes }) => codes[0] ?? ''],
  ])('signs in by a code %s, without a script', async (_, getCode) => {
    const user = await newUser();
    const fields = await start(user);
    const done = await send({ ...fields, code: getCode(user) });
    expect([done.status, done.headers['location'], done.cookies?.length]).toEqual([
      303,
      '/dashboard?done=reset',
      1,
    ]);
    expect((await meBy(done.cookies)).body.data).toMatchObject({ id: user.id });
  });

  it('remembers the device if that is asked for', async () => {
    const user = await newUser();
    const done = await send({
      ...(await start(user)),
      code: nextCode(user.secret),
      remember: 'on',
    });
    const device = done.cookies?.find((cookie) => cookie.startsWith('__Host-device=')) ?? '';
    const cookies = [device.split(';')[0] ?? ''];
    const again = await login(user.email, freshPassword, { cookies });
    expect(again.body.data).toMatchObject({ user: { id: user.id } });
  });

  it('shows the form again for an incorrect code, and takes another one', async () => {
    const user = await newUser();
    const fields = await start(user);
    for (const code of [wrongCode(user.secret), '', 'abcd-efgh']) {
      const { status, body, cookies } = await send({ ...fields, code });
      expect([status, cookies, viewOf(body)]).toEqual([400, [], 'totp']);
      expect(body).toContain('role="alert">Incorrect code. Try again.</p>');
      expect(body).toContain(' aria-invalid="true"');
      expect(getValue(body, 'mfaToken')).toBe(fields.mfaToken);
    }
    expect((await send({ ...fields, code: nextCode(user.secret) })).status).toBe(303);
  });

  it('takes each code once', async () => {
    const user = await newUser();
    const fields = await start(user);
    const code = nextCode(user.secret);
    expect((await send({ ...fields, code })).status).toBe(303);
    expect((await send({ ...fields, code })).status).toBe(400);
  });

  it('shows the view that a button asks for, and signs in nobody', async () => {
    const user = await newUser();
    const fields = await start(user);
    const asked = { ...fields, code: codeOf(user.secret), view: 'recovery' };
    const { status, body, cookies } = await send(asked);
    expect([status, cookies, viewOf(body)]).toEqual([200, [], 'recovery']);
    expect(body).toContain('name="view" value="totp"');
    const wrong = await send({ ...fields, shown: 'recovery', code: 'abcd-efgh' });
    expect([wrong.status, viewOf(wrong.body)]).toEqual([400, 'recovery']);
  });

  it('leads back to the password after 5 minutes, and with a token of something else', async () => {
    const user = await newUser();
    const fields = await start(user);
    pass(5 * 60_000);
    for (const mfaToken of [fields.mfaToken, user.token, '', 'x']) {
      const sent = await send({ ...fields, mfaToken, code: nextCode(user.secret) });
      expect([sent.status, sent.headers['location'], sent.cookies]).toEqual([
        303,
        '/login?next=/dashboard%3Fdone%3Dreset&why=late',
        [],
      ]);
    }
  });

  it('leads to paths of this host only', async () => {
    const user = await newUser();
    const fields = { ...(await start(user)), next: '//evil.test/' };
    const done = await send({ ...fields, code: nextCode(user.secret) });
    expect([done.status, done.headers['location']]).toEqual([303, '/dashboard']);
  });

  it.each([
    { origin: 'https://evil.test' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('signs in nobody by a form with %j', async (headers) => {
    const user = await newUser();
    const fields = { ...(await start(user)), code: nextCode(user.secret) };
    const { status, headers: answered, cookies } = await send(fields, headers);
    expect([status, answered['location'], cookies]).toEqual([303, '/login', []]);
  });
});
