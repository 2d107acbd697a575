import { afterEach, describe, expect, it, vi } from 'vitest';
import { newResetLink } from '../functions/auth/recovery.ts';
import { call } from './support/call.ts';
import { newPerson, password } from './support/people.ts';
import { itemsOf, useTable } from './support/table.ts';

useTable();
afterEach(() => vi.useRealTimers());

const fresh = 'battery staple';
const tokenFor = async (userId: number): Promise<string> =>
  new URL((await newResetLink(userId)) ?? '').searchParams.get('token') ?? '';
const reset = (token: string, body: Record<string, unknown> = {}) =>
  call('POST /api/auth/reset-password', { body: { token, password: fresh, ...body } });
const login = async (email: string, given: string) =>
  (await call('POST /api/auth/login', { body: { email, password: given } })).status;

describe('POST /api/auth/reset-password', () => {
  it('sets the password, ends every session and signs nobody in', async () => {
    const { id, email, token, refreshToken } = await newPerson();
    const { status, body } = await reset(await tokenFor(id), { confirmPassword: fresh });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {},
      message: 'The password is set: sign in with it',
    });
    expect((await call('GET /api/auth/me', { token })).status).toBe(401);
    expect((await call('POST /api/auth/refresh', { body: { refreshToken } })).status).toBe(401);
    expect([await login(email, password), await login(email, fresh)]).toEqual([401, 200]);
  });

  it('takes a token once, of 10 at once too', async () => {
    const { id } = await newPerson();
    const token = await tokenFor(id);
    const answers = await Promise.all(Array.from({ length: 10 }, () => reset(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(9);
  });

  it('takes the newest token only, for an hour', async () => {
    const { id } = await newPerson();
    const [older, newer] = [await tokenFor(id), await tokenFor(id)];
    expect((await reset(older)).body.error.details).toEqual([
      {
        field: 'token',
        message: 'is wrong, was used already or is too old: ask for a new link',
      },
    ]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 60_000 });
    expect((await reset(newer)).status).toBe(400);
  });

  it("takes nobody else's, no other and no empty token", async () => {
    const [ann, bob] = [await newPerson(), await newPerson()];
    const token = await tokenFor(ann.id);
    for (const wrong of [
      token.replace(/^\d+/, String(bob.id)),
      `${token}x`,
      '',
      '1.x',
      ann.token,
    ]) {
      expect((await reset(wrong.slice(0, 256))).status).toBe(400);
    }
    expect((await reset(token)).status).toBe(200);
  });

  it('does not use a token up by a password that will not do', async () => {
    const { id } = await newPerson();
    const token = await tokenFor(id);
    expect((await reset(token, { password: '12345' })).status).toBe(400);
    expect((await reset(token, { confirmPassword: 'another' })).status).toBe(400);
    expect((await reset(token)).status).toBe(200);
  });

  it('keeps nothing that a link could be made of', async () => {
    const { id } = await newPerson();
    const [, secret = 'none'] = (await tokenFor(id)).split('.');
    expect(JSON.stringify(await itemsOf(`USER#${id}`))).not.toContain(secret);
  });
});

describe('/reset', () => {
  const send = (fields: Record<string, string>) =>
    call('POST /reset', { body: new URLSearchParams(fields).toString() });

  it('is a form that sets the password without a script', async () => {
    const { id, email } = await newPerson();
    const token = await tokenFor(id);
    const form = await call('GET /reset', { query: { token } });
    expect(form.body).toContain(`name="token" value="${token}"`);
    expect(form.headers['content-security-policy']).toContain("default-src 'none'");
    const wrong = await send({ token, password: fresh, confirmPassword: 'another' });
    expect([wrong.status, wrong.body]).toEqual([
      400,
      expect.stringContaining('confirmPassword must be the same as password'),
    ]);
    const done = await send({ token, password: fresh, confirmPassword: fresh });
    expect([done.status, done.body]).toEqual([
      200,
      expect.stringContaining('Your password is set'),
    ]);
    expect(await login(email, fresh)).toBe(200);
    const again = await send({ token, password: fresh, confirmPassword: fresh });
    expect([again.status, again.body]).toEqual([400, expect.stringContaining('was used already')]);
  });

  it('puts nothing of the address into the page as markup', async () => {
    const { body } = await call('GET /reset', { query: { token: '"><script>x</script>' } });
    expect(body).not.toContain('<script>');
  });
});
