import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDeviceCookie } from '../../../../functions/api/auth/factors/trusted-device.ts';
import * as users from '../../../../functions/api/users/record/users.ts';
import {
  globex,
  newIdentity,
  signedInAs,
  signInAs,
  tokenOf,
  useOnce,
} from '../../../support/identities/identities.ts';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { entriesAbout } from '../../../support/service/audit.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { me } from '../../../support/users/account.ts';
import { enrolTotp, nextCode, secondStep } from '../../../support/users/factors.ts';
import { newInvited, newPerson, newVerified, setUser } from '../../../support/users/test-users.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

afterEach(() => vi.unstubAllEnvs());

const refused = (reason: string) => ({ kind: 'refused', reason });

/** Returns the actions about a user, newest first, with what the log says of each. */
const logOf = async (id: number) =>
  (await entriesAbout(`user:${id}`)).map(({ action, after }) => ({ action, after }));

describe('signing in by an identity', () => {
  it('creates an account where registration is open, and signs in to the same one from then on', async () => {
    const identity = newIdentity();
    const first = await signedInAs(identity);
    expect(first.user).toMatchObject({
      email: identity.email,
      name: 'Carla Example',
      role: 'user',
      emailVerifiedAt: '2026-11-21T12:00:00.000Z',
      hasIdentity: true,
    });
    expect(first.user.passwordHash).toBeUndefined();
    const again = await signedInAs({ ...identity, email: undefined, isEmailProven: false });
    expect(again.user.id).toBe(first.user.id);
    expect((await logOf(first.user.id)).map(({ action }) => action).sort()).toEqual([
      'session.create',
      'user.register',
    ]);
  });

  it('refuses who has no account where registration is closed, or not for the domain', async () => {
    vi.stubEnv('REGISTRATION', 'invite');
    expect(await signInAs(newIdentity())).toEqual(refused('no-account'));
    vi.stubEnv('REGISTRATION', 'open');
    vi.stubEnv('ALLOWED_DOMAINS', 'acme.example');
    expect(await signInAs(newIdentity())).toEqual(refused('no-account'));
  });

  it('connects an account whose address both have proven, and tells its owner', async () => {
    const { id, email } = await newVerified();
    const { user } = await signedInAs(newIdentity({ email }));
    expect(user).toMatchObject({ id, hasIdentity: true });
    expect((await logOf(id)).map(({ action }) => action)).toContain('identity.connect');
    const jobs = await itemsOf(`USER#${id}`);
    expect(jobs.filter(({ sk }) => String(sk) === 'FACTORS')).toHaveLength(1);
  });

  it('refuses an account whose address is unproven here, and an address that is unproven there', async () => {
    const { email } = await newPerson();
    expect(await signInAs(newIdentity({ email }))).toEqual(refused('not-connected'));
    const verified = await newVerified();
    for (const address of [verified.email, undefined]) {
      expect(await signInAs(newIdentity({ email: address, isEmailProven: false }))).toEqual(
        refused('unproven'),
      );
    }
  });

  it('connects one account of an issuer: another one with the same address is somebody else', async () => {
    const { id, email } = await newVerified();
    const first = newIdentity({ email });
    expect((await signedInAs(first)).user.id).toBe(id);
    expect(await signInAs(newIdentity({ email }))).toEqual(refused('not-connected'));
    expect((await signedInAs(newIdentity({ email, provider: globex }))).user.id).toBe(id);
    expect((await signedInAs(first)).user.id).toBe(id);
  });

  it('asks for a second factor that is set up meanwhile, and connects nothing by the address alone', async () => {
    const person = await newVerified();
    const find = users.findByEmail;
    const spy = vi.spyOn(users, 'findByEmail').mockImplementationOnce(async (email) => {
      const found = await find(email);
      await enrolTotp(person);
      return found;
    });
    const { kind } = await signInAs(newIdentity({ email: person.email }));
    spy.mockRestore();
    expect([kind, (await users.get(person.id)).hasIdentity]).toEqual(['second-step', undefined]);
  });

  it('takes an invited account, and ends its invitation', async () => {
    const { id, email } = await newInvited();
    const { user } = await signedInAs(newIdentity({ email }));
    expect(user).toMatchObject({ id, hasIdentity: true, emailVerifiedAt: expect.any(String) });
    expect(await users.get(id)).not.toHaveProperty('passwordTokenHash');
  });

  it('asks for the second factor, unless the device isn’t asked', async () => {
    const identity = newIdentity();
    const first = await signedInAs(identity);
    const { user } = first;
    const token = await tokenOf(first);
    const { secret } = await enrolTotp({ id: user.id, email: user.email, token, refreshToken: '' });
    const outcome = await signInAs(identity);
    expect(outcome).toEqual({
      kind: 'second-step',
      mfaToken: expect.any(String),
      methods: ['totp', 'recovery'],
    });
    if (outcome.kind !== 'second-step') throw new Error();
    const { status, body } = await secondStep(outcome.mfaToken, nextCode(secret));
    expect([status, (await me(body.token)).status]).toEqual([200, 200]);
    expect(await logOf(user.id)).toContainEqual({
      action: 'session.create',
      after: expect.objectContaining({ method: 'provider', provider: 'acme', factor: 'totp' }),
    });
    const cookie = await createDeviceCookie(await users.get(user.id));
    const device = cookie.slice(cookie.indexOf('=') + 1, cookie.indexOf(';'));
    expect((await signInAs(identity, { device })).kind).toBe('signed-in');
  });

  it('refuses an account that isn’t active, and audits it', async () => {
    const identity = newIdentity();
    const { user } = await signedInAs(identity);
    await setUser(user.id, { status: 'suspended' });
    expect(await signInAs(identity)).toEqual(refused('inactive'));
    expect(await logOf(user.id)).toContainEqual({
      action: 'session.fail',
      after: { reason: 'account not active', method: 'provider', provider: 'acme' },
    });
  });

  it('uses an answer once', async () => {
    const identity = newIdentity();
    const use = useOnce();
    expect((await signInAs(identity, { use })).kind).toBe('signed-in');
    await expect(signInAs(identity, { use })).rejects.toThrow('This sign-in was used before.');
  });

  it('makes one account of two first sign-ins at once', async () => {
    const identity = newIdentity();
    const outcomes = await Promise.all([signedInAs(identity), signedInAs(identity)]);
    expect(new Set(outcomes.map(({ user }) => user.id)).size).toBe(1);
  });
});
