import { describe, expect, it, vi } from 'vitest';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { createApiToken, updateProfile } from '../../support/users/account.ts';
import { changeUser } from '../../support/users/administration.ts';
import { wrongCode } from '../../support/users/authenticator.ts';
import {
  firstStep,
  newTotpUser,
  nextCode,
  secondStep,
  signInBoth,
} from '../../support/users/factors.ts';
import { login, newPerson, newUserOf, type Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();

const signInsOf = ({ token }: Pick<Person, 'token'>, id: number | string) =>
  call('GET /api/users/{id}/sign-ins', { token, params: { id: String(id) } });

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** A sign-in by the password, unless other fields say more. */
const signIn = (fields: object = {}) => ({
  id: expect.any(String),
  at: expect.any(String),
  succeeded: true,
  method: 'password',
  factor: null,
  reason: null,
  device: null,
  address: '192.0.2.1',
  ...fields,
});
const failed = (reason: string, fields: object = {}) =>
  signIn({ succeeded: false, reason, ...fields });

describe('GET /api/users/{id}/sign-ins', () => {
  it('says when, from where and how, the newest first', async () => {
    const [root, ann] = [await newUserOf('admin'), await newPerson()];
    pass(1_000);
    await login(ann.email, 'wrong horse', { userAgent: firefox, address: '198.51.100.7' });
    pass(1_000);
    await login(ann.email, undefined, { userAgent: firefox });
    pass(1_000);
    await changeUser(root, ann.id, { status: 'suspended' });
    await login(ann.email);
    expect(await signInsOf(root, ann.id)).toMatchObject({ status: 200 });
    const { data } = (await signInsOf(root, ann.id)).body;
    expect(data).toEqual([
      failed('account suspended'),
      signIn({ device: 'Firefox on Linux' }),
      failed('wrong password', { device: 'Firefox on Linux', address: '198.51.100.7' }),
      signIn({ method: 'registration' }),
    ]);
    expect(data[1].at).toBe('2026-11-21T12:00:02.000Z');
  });

  it('names second factors, wrong codes and devices that aren’t asked', async () => {
    const [root, ann] = [await newUserOf('admin'), await newTotpUser('user')];
    const mfaToken = await firstStep(ann.email);
    pass(1_000);
    await secondStep(mfaToken, wrongCode(ann.secret));
    pass(1_000);
    await secondStep(mfaToken, ann.codes[0]);
    pass(1_000);
    const { cookies } = await signInBoth(ann, { body: { remember: true } });
    const device = cookies?.find((one) => one.startsWith('__Host-device='))?.split(';')[0] ?? '';
    pass(1_000);
    await login(ann.email, undefined, { cookies: [device] });
    const { data } = (await signInsOf(root, ann.id)).body;
    expect(data).toEqual([
      signIn({ factor: 'device' }),
      signIn({ factor: 'totp' }),
      signIn({ factor: 'recovery' }),
      failed('wrong code'),
      signIn(),
    ]);
    expect(nextCode(ann.secret)).toMatch(/^\d{6}$/);
  });

  it('returns the last 50, also among other entries, and none that AUDIT_KEEP has ended', async () => {
    const [root, ann] = [await newUserOf('admin'), await newPerson()];
    for (let count = 0; count < 55; count++) {
      pass(10 * 60_000);
      await login(ann.email);
      await updateProfile(ann.token, { name: `Ann ${count}` });
    }
    const { token } = (await login((await newUserOf('admin')).email)).body;
    const { data } = (await signInsOf({ token }, ann.id)).body;
    expect(data).toHaveLength(50);
    expect(data.map(({ at }: { at: string }) => at)).toEqual(
      data.map(({ at }: { at: string }) => at).toSorted((a: string, b: string) => (a < b ? 1 : -1)),
    );
    vi.stubEnv('AUDIT_KEEP', '1h');
    expect((await signInsOf({ token }, ann.id)).body.data).toHaveLength(6);
    vi.unstubAllEnvs();
    expect(root.id).toBeGreaterThan(0);
  });

  it('refuses users without the permission, those of a higher rank, own tokens and unknown users', async () => {
    const [root, admin, ann] = [
      await newUserOf('super_admin'),
      await newUserOf('admin'),
      await newPerson(),
    ];
    expect(await signInsOf(ann, ann.id)).toMatchObject({ status: 403 });
    expect(await signInsOf(admin, root.id)).toMatchObject({ status: 403 });
    expect(await signInsOf(admin, 1)).toMatchObject({ status: 404 });
    const { token } = (await createApiToken(admin.token)).body.data;
    expect(await signInsOf({ token }, admin.id)).toMatchObject({ status: 403 });
    expect((await signInsOf({ token }, ann.id)).status).toBe(200);
  });
});
