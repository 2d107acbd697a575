import { describe, expect, it } from 'vitest';
import { createPasskey, type Deviation } from '../../support/passkeys/authenticator.ts';
import {
  addPasskey,
  completeBy,
  newOptions,
  proofOptions,
  prove,
  signInOptions,
  whenUnproven,
} from '../../support/passkeys/use-passkeys.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { useTable } from '../../support/table/table.ts';
import { me } from '../../support/users/account.ts';
import { login, newPerson, setUser } from '../../support/users/test-users.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

const invalid = (field: string, message: string) =>
  errorBody('VALIDATION_ERROR', `Invalid ${field}: ${message}.`, [{ field, message }]);

const unverified = invalid('passkey', 'could not be verified');

const newOwner = async () => {
  const person = await newPerson();
  return { ...person, passkey: await addPasskey(person.token) };
};

/** Enters the password of an account. */
const beginSignIn = async (email: string) => {
  const { body } = await login(email);
  return body.data as { readonly mfaToken: string; readonly methods: readonly string[] };
};

describe('POST /api/auth/mfa with a passkey', () => {
  it('completes a sign-in by one of the user’s passkeys, also without a check of who uses it', async () => {
    const { id, email, passkey } = await newOwner();
    const { mfaToken, methods } = await beginSignIn(email);
    expect(methods).toEqual(['passkey', 'recovery']);
    const open = await signInOptions(mfaToken);
    expect(open.options).toMatchObject({
      userVerification: 'preferred',
      allowCredentials: [
        { id: passkey.id, type: 'public-key', transports: ['internal', 'hybrid'] },
      ],
    });
    const { status, body } = await completeBy(mfaToken, passkey, open, {
      isVerified: false,
      userHandle: undefined,
    });
    expect([status, body.data.user.id]).toEqual([200, id]);
    expect((await newOptions(body.token)).status).toBe(200);
    expect(await entriesAbout(`user:${id}`)).toContainEqual(
      expect.objectContaining({
        action: 'session.create',
        after: { session: expect.any(String), factor: 'passkey' },
      }),
    );
  });

  it.each<[string, Deviation]>([
    ['another origin', { origin: 'https://handbill.example.com' }],
    ['another host', { rpId: 'handbill.example.com' }],
    ['another challenge', { challenge: 'A'.repeat(43) }],
  ])('refuses what was signed for %s', async (_, deviation) => {
    const { email, passkey } = await newOwner();
    const { mfaToken } = await beginSignIn(email);
    const answer = await completeBy(mfaToken, passkey, await signInOptions(mfaToken), deviation);
    expect([answer.status, answer.body]).toEqual([400, unverified]);
  });

  it('refuses another user’s passkey and challenge', async () => {
    const [ann, bob] = [await newOwner(), await newOwner()];
    const [annStep, bobStep] = [await beginSignIn(ann.email), await beginSignIn(bob.email)];
    const open = await signInOptions(annStep.mfaToken);
    expect((await completeBy(annStep.mfaToken, bob.passkey, open)).body).toEqual(unverified);
    const foreign = await signInOptions(bobStep.mfaToken);
    expect((await completeBy(annStep.mfaToken, bob.passkey, foreign)).body).toEqual(
      invalid('challengeToken', 'is for something else; ask for new options'),
    );
    expect((await completeBy(annStep.mfaToken, createPasskey(), open)).body).toEqual(unverified);
  });

  it('takes each challenge once', async () => {
    const { email, passkey } = await newOwner();
    const { mfaToken } = await beginSignIn(email);
    const open = await signInOptions(mfaToken);
    const answers = await Promise.all([
      completeBy(mfaToken, passkey, open),
      completeBy(mfaToken, passkey, open),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('refuses a suspended user', async () => {
    const { id, email, passkey } = await newOwner();
    const { mfaToken } = await beginSignIn(email);
    const open = await signInOptions(mfaToken);
    await setUser(id, { status: 'suspended' });
    expect((await completeBy(mfaToken, passkey, open)).status).toBe(401);
  });

  it('refuses options for a token that is no second step, and without passkeys', async () => {
    const { token, email } = await newOwner();
    const answer = await call('POST /api/auth/login/passkey/options', {
      body: { mfaToken: token },
    });
    expect(answer.status).toBe(401);
    const { mfaToken } = await beginSignIn(email);
    pass(5 * 60_000);
    const late = await call('POST /api/auth/login/passkey/options', { body: { mfaToken } });
    expect(late.status).toBe(401);
  });

  it('isn’t a sign-in by itself: the token of the second step opens nothing', async () => {
    const { email } = await newOwner();
    const { mfaToken } = await beginSignIn(email);
    expect((await me(mfaToken)).status).toBe(401);
  });
});

describe('POST /api/auth/reauthenticate with a passkey', () => {
  it('proves who is signed in, up to 15 minutes', async () => {
    const ann = await newOwner();
    const { passkey } = ann;
    const token = await whenUnproven(ann);
    expect((await newOptions(token)).body.error.code).toBe('REAUTHENTICATION_REQUIRED');
    const { status, body } = await prove(token, passkey, await proofOptions(token));
    expect([status, body.data]).toEqual([200, { provenAt: new Date().toISOString() }]);
    expect((await newOptions(token)).status).toBe(200);
    pass(14 * 60_000);
    expect((await newOptions(token)).status).toBe(200);
    pass(60_000 - 1);
    expect((await newOptions(token)).status).toBe(200);
  });

  it('refuses another user’s passkey and challenge, and a used one', async () => {
    const [ann, bob] = [await newOwner(), await newOwner()];
    expect((await prove(ann.token, bob.passkey, await proofOptions(ann.token))).body).toEqual(
      unverified,
    );
    expect((await prove(ann.token, ann.passkey, await proofOptions(bob.token))).status).toBe(400);
    expect((await prove(ann.token, ann.passkey, await signInOptions())).status).toBe(400);
    const open = await proofOptions(ann.token);
    expect((await prove(ann.token, ann.passkey, open)).status).toBe(200);
    expect((await prove(ann.token, ann.passkey, open)).body).toEqual(
      invalid('challengeToken', 'was used or is over 5 minutes old; ask for new options'),
    );
  });

  it('returns 409 without a passkey', async () => {
    const { token } = await newPerson();
    const { status, body } = await call('POST /api/auth/reauthenticate/options', { token });
    expect([status, body.error.message]).toEqual([409, 'There is no passkey. Use another way.']);
  });
});
