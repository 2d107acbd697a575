import { describe, expect, it } from 'vitest';
import { verifyToken } from '../../../../shared/auth/tokens.ts';
import {
  acme,
  beginConnecting,
  connectAs,
  connecting,
  connectNew,
  disconnect,
  globex,
  newIdentity,
  readIdentities,
  signedInAs,
  signInAs,
  tokenOf,
  useOnce,
  useProviders,
} from '../../../support/identities/identities.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { errorBody } from '../../../support/service/error-body.ts';
import { settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { mailsTo, useMail } from '../../../support/service/mail.ts';
import { useTable } from '../../../support/table/table.ts';
import { refresh, updateProfile } from '../../../support/users/account.ts';
import { enrolTotp, reauthenticate } from '../../../support/users/factors.ts';
import { newEmail, newPerson, newUserOf, newVerified } from '../../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
useMail();
useProviders();

const minuteMs = 60_000;
const none = { connected: false, email: null, connectedAt: null, lastUsedAt: null };
const refused = (reason: string) => ({ kind: 'refused', reason });

/** The error that asks for another sign-in. */
const signInAgain = (reason: string) => ({
  status: 403,
  body: errorBody(
    'REAUTHENTICATION_REQUIRED',
    `${reason} Sign in again: this needs a sign-in of the last 15 minutes.`,
    [{ field: 'signIn', message: 'is required' }],
  ),
});

describe('GET /api/auth/identities', () => {
  it('returns each provider, and the account that is connected', async () => {
    const { token } = await newPerson();
    const identity = await connectNew(token);
    expect((await readIdentities(token)).body.data).toEqual({
      identities: [
        {
          ...{ provider: 'acme', label: 'Acme', connected: true, email: identity.email },
          ...{ connectedAt: '2026-11-21T12:00:00.000Z', lastUsedAt: '2026-11-21T12:00:00.000Z' },
        },
        { provider: 'globex', label: 'Globex', ...none },
      ],
      canDisconnect: true,
    });
    pass(minuteMs);
    await signedInAs({ ...identity, email: 'new@example.com' });
    expect((await readIdentities(token)).body.data.identities[0]).toMatchObject({
      email: 'new@example.com',
      lastUsedAt: '2026-11-21T12:01:00.000Z',
    });
  });
});

describe('POST /api/auth/identities/{provider}', () => {
  it('returns an address whose token allows this session to connect', async () => {
    const { id, token } = await newPerson();
    const { location } = (await beginConnecting(token)).body.data;
    const url = new URL(location, 'https://handbill.test');
    expect([url.pathname, url.searchParams.get('next')]).toEqual([
      '/login/acme',
      '/account?tab=security',
    ]);
    const claims = await verifyToken('connect', url.searchParams.get('connect') ?? '');
    expect(claims).toMatchObject({ sub: String(id), se: 0, fe: 0, pro: 'acme' });
    const identity = newIdentity();
    expect(await connectAs(identity, claims)).toEqual({ kind: 'connected' });
    expect((await signedInAs(identity)).user.id).toBe(id);
  });

  it('returns 404 for an unknown provider, 409 for a connected one, 403 after a quarter of an hour', async () => {
    const { token, refreshToken } = await newPerson();
    expect((await beginConnecting(token, 'other')).status).toBe(404);
    await connectNew(token);
    expect((await beginConnecting(token)).status).toBe(409);
    pass(16 * minuteMs);
    const later = (await refresh(refreshToken)).body.accessToken;
    const { status, body } = await beginConnecting(later, 'globex');
    expect([status, body.error.code, body.error.details]).toEqual([
      403,
      'REAUTHENTICATION_REQUIRED',
      [{ field: 'currentPassword', message: 'is required' }],
    ]);
  });
});

describe('connecting an account', () => {
  it('tells the owner', async () => {
    const { email, token } = await newPerson();
    await connectNew(token);
    await settleJobs();
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([
      'An account was connected to yours',
    ]);
  });

  it('refuses one that someone else has, and a second one of the provider', async () => {
    const [ann, bob] = [await newPerson(), await newPerson()];
    const identity = await connectNew(ann.token);
    expect(await connectAs(identity, await connecting(bob.token))).toEqual(
      refused('of-another-user'),
    );
    expect(await connectAs(newIdentity(), await connecting(ann.token, { fe: 1 }))).toEqual(
      refused('has-another'),
    );
    expect(await connectAs(identity, await connecting(ann.token, { fe: 1 }))).toEqual({
      kind: 'connected',
    });
  });

  it('refuses a session that has ended, and an account that has changed', async () => {
    const { token } = await newPerson();
    const by = await connecting(token);
    await connectNew(token);
    expect(await connectAs(newIdentity({ provider: globex }), by)).toEqual(refused('ended'));
    await call('POST /api/auth/logout', { token });
    expect(await connectAs(newIdentity({ provider: globex }), { ...by, fe: 1 })).toEqual(
      refused('ended'),
    );
  });

  it('uses an answer once', async () => {
    const { token } = await newPerson();
    const use = useOnce();
    const identity = newIdentity();
    await connectAs(identity, await connecting(token), use);
    await expect(connectAs(identity, await connecting(token, { fe: 1 }), use)).rejects.toThrow(
      'This sign-in was used before.',
    );
  });

  it('gives an account to one of two users who connect it at once', async () => {
    const people = [await newPerson(), await newPerson()];
    const identity = newIdentity();
    const outcomes = await Promise.all(
      people.map(async ({ token }) => connectAs(identity, await connecting(token))),
    );
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['connected', 'refused']);
    const winner = people[outcomes.findIndex(({ kind }) => kind === 'connected')];
    expect((await signedInAs(identity)).user.id).toBe(winner?.id);
  });
});

describe('DELETE /api/auth/identities/{provider}', () => {
  it('ends sign-ins by the account, which someone else can connect then, and tells the owner', async () => {
    const { email, token } = await newVerified();
    const identity = await connectNew(token);
    const { status, body } = await disconnect(token);
    expect([status, body.data.identities[0]]).toEqual([
      200,
      { provider: 'acme', label: 'Acme', ...none },
    ]);
    const other = await newPerson();
    expect(await connectAs(identity, await connecting(other.token))).toEqual({ kind: 'connected' });
    expect((await signedInAs(identity)).user.id).toBe(other.id);
    await settleJobs();
    expect((await mailsTo(email)).map(({ subject }) => subject)).toContain(
      'A connected account was removed',
    );
  });

  it('returns 404 without one, and 409 for the last way to sign in', async () => {
    expect((await disconnect((await newPerson()).token)).status).toBe(404);
    const identity = newIdentity();
    const token = await tokenOf(await signedInAs(identity));
    expect((await readIdentities(token)).body.data.canDisconnect).toBe(false);
    const { status, body } = await disconnect(token);
    expect([status, body.error.message]).toEqual([409, 'Set a password or passkey first.']);
    await connectAs(newIdentity({ provider: globex }), await connecting(token, { fe: 1 }));
    expect((await disconnect(token)).status).toBe(200);
    expect((await disconnect(token, 'globex')).status).toBe(409);
    // Both were this user's, who is still known by the other one.
    expect(await signInAs({ ...identity, email: undefined })).toEqual(refused('unproven'));
  });
});

describe('a user without a password', () => {
  it('proves who they are by a recent sign-in', async () => {
    const signedIn = await signedInAs(newIdentity());
    const email = newEmail();
    const first = await tokenOf(signedIn);
    expect((await updateProfile(first, { email })).body.data.pendingEmail).toBe(email);
    pass(16 * minuteMs);
    const token = await tokenOf(signedIn);
    expect(await updateProfile(token, { email: newEmail() })).toMatchObject(
      signInAgain('This changes your email address.'),
    );
    expect(await disconnect(token)).toMatchObject(signInAgain('This changes how you sign in.'));
    const { status, body } = await reauthenticate(token, { currentPassword: 'any' });
    expect([status, body.error.details]).toEqual([
      403,
      [{ field: 'signIn', message: 'is required' }],
    ]);
  });
});

describe('GET /api/users/{id}/factors', () => {
  it('shows the connected accounts to administrators, and removing the factors leaves them', async () => {
    const admin = await newUserOf('admin');
    const identity = newIdentity();
    const signedIn = await signedInAs(identity);
    const { id, email } = signedIn.user;
    await enrolTotp({ id, email, token: await tokenOf(signedIn), refreshToken: '' });
    const ofUser = { token: admin.token, params: { id: String(id) } };
    expect((await call('GET /api/users/{id}/factors', ofUser)).body.data).toMatchObject({
      totp: { createdAt: expect.any(String) },
      identities: [{ provider: 'acme', label: 'Acme', email: identity.email }],
    });
    expect((await call('DELETE /api/users/{id}/factors', ofUser)).status).toBe(200);
    expect((await signedInAs(identity)).user.id).toBe(id);
  });

  it('names the issuer of an account whose provider isn’t set any more', async () => {
    const admin = await newUserOf('admin');
    const other = { ...acme, name: 'other', issuer: 'https://id.other.example' };
    const { user } = await signedInAs(newIdentity({ provider: other }));
    const { body } = await call('GET /api/users/{id}/factors', {
      token: admin.token,
      params: { id: String(user.id) },
    });
    expect(body.data.identities).toMatchObject([{ provider: null, label: other.issuer }]);
  });
});
