import { describe, expect, it } from 'vitest';
import { createPasskey, type Deviation } from '../../support/passkeys/authenticator.ts';
import {
  addPasskey,
  newOptions,
  ownPasskey,
  proofOptions,
  signInBy,
  signInOptions,
} from '../../support/passkeys/use-passkeys.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { me } from '../../support/users/account.ts';
import { login, newPerson, setUser } from '../../support/users/test-users.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

const refused = errorBody(
  'UNAUTHORIZED',
  'This passkey can’t sign in here. Sign in another way, or ask an administrator.',
);

const challengeError = (message: string) =>
  errorBody('VALIDATION_ERROR', `Invalid challengeToken: ${message}.`, [
    { field: 'challengeToken', message },
  ]);

const ended = challengeError('was used or is over 5 minutes old; ask for new options');

const newOwner = async () => {
  const person = await newPerson();
  return { ...person, passkey: await addPasskey(person.token) };
};

/** Returns the reasons of an account's failed sign-ins. */
const failuresOf = async (id: number) =>
  (await entriesAbout(`user:${id}`))
    .filter(({ action }) => action === 'session.fail')
    .map(({ after }) => (after as { reason: string }).reason);

describe('POST /api/auth/login/passkey', () => {
  it('signs in by a passkey alone, which proves both factors', async () => {
    const { id, passkey } = await newOwner();
    const open = await signInOptions();
    expect(open.options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'handbill.test',
      timeout: 300_000,
      userVerification: 'required',
      allowCredentials: [],
    });
    pass(60_000);
    const { status, body, cookies } = await signInBy(passkey, open);
    expect([status, body.data.user.id, cookies?.[0]]).toEqual([
      200,
      id,
      expect.stringMatching(/^__Host-session=/),
    ]);
    expect((await me(body.token)).status).toBe(200);
    expect(await ownPasskey(body.token)).toMatchObject({ lastUsedAt: new Date().toISOString() });
    expect((await newOptions(body.token)).status).toBe(200);
    expect(await entriesAbout(`user:${id}`)).toContainEqual(
      expect.objectContaining({
        action: 'session.create',
        after: { session: expect.any(String), method: 'passkey', factor: 'passkey' },
      }),
    );
  });

  it.each<[string, Deviation]>([
    ['another origin', { origin: 'https://handbill.test.example.com' }],
    ['another host', { rpId: 'example.com' }],
    ['another challenge', { challenge: 'A'.repeat(43) }],
  ])('refuses what was signed for %s', async (_, deviation) => {
    const { id, passkey } = await newOwner();
    const { status, body } = await signInBy(passkey, await signInOptions(), deviation);
    expect([status, body]).toEqual([401, refused]);
    expect(await failuresOf(id)).toEqual(['passkey not verified']);
  });

  it('refuses a passkey that was tampered with', async () => {
    const { passkey } = await newOwner();
    const { challengeToken, options } = await signInOptions();
    const response = passkey.sign(options);
    const inner = response['response'] as Record<string, string>;
    const data = Buffer.from(inner['authenticatorData'] ?? '', 'base64url');
    data[33] = 7;
    for (const change of [
      { authenticatorData: data.toString('base64url') },
      { signature: 'AAAA' },
      { clientDataJSON: 'AAAA' },
    ]) {
      const tampered = { ...response, response: { ...inner, ...change } };
      const { status, body } = await call('POST /api/auth/login/passkey', {
        body: { challengeToken, response: tampered },
      });
      expect([status, body]).toEqual([401, refused]);
    }
  });

  it('refuses the passkey of another user, an unknown one and one without a user', async () => {
    const [ann, bob] = [await newOwner(), await newOwner()];
    const handle = bob.passkey.sign((await signInOptions()).options)['response'] as {
      userHandle: string;
    };
    const stranger = createPasskey();
    for (const [passkey, userHandle] of [
      [ann.passkey, handle.userHandle],
      [stranger, handle.userHandle],
      [stranger, undefined],
      [stranger, 'AAAAAAAAAAE'],
      [ann.passkey, '__________8'],
    ] as const) {
      const { status, body } = await signInBy(passkey, await signInOptions(), { userHandle });
      expect([status, body]).toEqual([401, refused]);
    }
  });

  it('refuses a passkey whose authenticator didn’t check who uses it', async () => {
    const { id, passkey } = await newOwner();
    const { status, body } = await signInBy(passkey, await signInOptions(), { isVerified: false });
    expect([status, body.error.message]).toEqual([
      401,
      'Your device didn’t check that it’s you. Use a passkey with a PIN, a fingerprint or your face, or your password.',
    ]);
    expect(await failuresOf(id)).toEqual(['passkey without a check of its user']);
  });

  it('refuses a suspended user and a removed passkey like an unknown one', async () => {
    const { id, token, passkey } = await newOwner();
    await setUser(id, { status: 'suspended' });
    expect((await signInBy(passkey, await signInOptions())).body).toEqual(refused);
    await setUser(id, { status: 'active' });
    const { id: passkeyId } = await ownPasskey(token);
    await call('DELETE /api/auth/passkeys/{id}', { token, params: { id: passkeyId } });
    expect((await signInBy(passkey, await signInOptions())).body).toEqual(refused);
    expect((await failuresOf(id)).toSorted()).toEqual([
      'account suspended',
      'passkey not verified',
    ]);
  });

  it('takes each challenge once, for 5 minutes, whoever’s the passkey is', async () => {
    const [ann, bob] = [await newOwner(), await newOwner()];
    const open = await signInOptions();
    const first = await Promise.all([signInBy(ann.passkey, open), signInBy(ann.passkey, open)]);
    expect(first.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await signInBy(bob.passkey, open)).body).toEqual(ended);
    const later = await signInOptions();
    pass(5 * 60_000);
    expect((await signInBy(ann.passkey, later)).body).toEqual(ended);
    expect((await signInBy(createPasskey(), later)).body).toEqual(ended);
  });

  it('refuses a challenge for another purpose, and one that it didn’t make', async () => {
    const { token, email, passkey } = await newOwner();
    const { mfaToken } = (await login(email)).body.data;
    const elsewhere = challengeError('is for something else; ask for new options');
    for (const open of [
      (await newOptions(token)).body.data,
      await proofOptions(token),
      await signInOptions(mfaToken),
    ]) {
      expect((await signInBy(passkey, open)).body).toEqual(elsewhere);
    }
    const { options } = await signInOptions();
    expect((await signInBy(passkey, { challengeToken: mfaToken, options })).body).toEqual(ended);
  });

  it('refuses a counter that doesn’t grow, tells the owner, and goes on with the higher one', async () => {
    const { id, passkey } = await newOwner();
    const use = async (counter: number) => signInBy(passkey, await signInOptions(), { counter });
    expect((await use(5)).status).toBe(200);
    expect(JSON.stringify(await itemsOf('OUTBOX#'))).not.toContain('passkey-copied');
    for (const counter of [5, 4, 0]) {
      expect((await use(counter)).body).toEqual(
        errorBody(
          'FORBIDDEN',
          'This passkey was refused, because a copy of it seems to be in use. Sign in another way and remove it.',
        ),
      );
    }
    expect(JSON.stringify(await itemsOf('OUTBOX#'))).toContain('passkey-copied');
    expect(await failuresOf(id)).toEqual(Array(3).fill('passkey counter fell'));
    expect((await use(6)).status).toBe(200);
  });

  it('tells nobody of a counter that the passkey didn’t sign', async () => {
    const { id, passkey } = await newOwner();
    await signInBy(passkey, await signInOptions(), { counter: 5 });
    const { challengeToken, options } = await signInOptions();
    const response = passkey.sign(options, { counter: 3 });
    const inner = response['response'] as Record<string, string>;
    const forged = { ...response, response: { ...inner, signature: 'MEUCIQDx' } };
    const { status } = await call('POST /api/auth/login/passkey', {
      body: { challengeToken, response: forged },
    });
    expect([status, await failuresOf(id)]).toEqual([401, ['passkey not verified']]);
  });

  it('ends with the sessions of the account', async () => {
    const { token, passkey } = await newOwner();
    const session = (await signInBy(passkey, await signInOptions())).body.token;
    await call('POST /api/auth/logout', { token, body: { scope: 'all' } });
    expect((await me(session)).status).toBe(401);
  });
});
