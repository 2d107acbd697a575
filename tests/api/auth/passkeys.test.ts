import { describe, expect, it, vi } from 'vitest';
import { createPasskey } from '../../support/passkeys/authenticator.ts';
import {
  addPasskey,
  listPasskeys,
  newOptions,
  ownPasskey,
  proofOptions,
  prove,
  sendNew,
  signInBy,
  signInOptions,
  whenUnproven,
} from '../../support/passkeys/use-passkeys.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { createApiToken } from '../../support/users/account.ts';
import { newPerson, password } from '../../support/users/test-users.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

const chrome =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';

const invalid = (field: string, message: string) =>
  errorBody('VALIDATION_ERROR', `Invalid ${field}: ${message}.`, [{ field, message }]);

const ended = invalid('challengeToken', 'was used or is over 5 minutes old; ask for new options');

describe('POST /api/auth/passkeys/options', () => {
  it('asks for a passkey of the service that an authenticator offers by itself', async () => {
    const { id, email, token } = await newPerson();
    const before = await addPasskey(token);
    const { status, body } = await newOptions(token);
    const handle = Buffer.alloc(8);
    handle.writeBigUInt64BE(BigInt(id));
    expect([status, body.data.options]).toEqual([
      200,
      {
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        rp: { id: 'handbill.test', name: 'Handbill' },
        user: { id: handle.toString('base64url'), name: email, displayName: 'Ann Example' },
        pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
        timeout: 300_000,
        excludeCredentials: [
          { id: before.id, type: 'public-key', transports: ['internal', 'hybrid'] },
        ],
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'preferred',
        },
        attestation: 'none',
      },
    ]);
  });

  it('asks who signed in over 15 minutes ago for the password', async () => {
    const token = await whenUnproven(await newPerson());
    expect((await newOptions(token)).body).toMatchObject({
      error: {
        code: 'REAUTHENTICATION_REQUIRED',
        details: [{ field: 'currentPassword', message: 'is required' }],
      },
    });
    expect((await newOptions(token, { currentPassword: 'wrong horse' })).body).toEqual(
      invalid('currentPassword', 'is incorrect'),
    );
    expect((await newOptions(token, { currentPassword: password })).status).toBe(200);
  });

  it('refuses a password once there is a second factor', async () => {
    const ann = await newPerson();
    await addPasskey(ann.token);
    const token = await whenUnproven(ann);
    expect((await newOptions(token, { currentPassword: password })).body).toMatchObject({
      error: { code: 'REAUTHENTICATION_REQUIRED', details: [{ field: 'code' }] },
    });
  });

  it('refuses an API token', async () => {
    const { token } = await newPerson();
    const apiToken = (await createApiToken(token)).body.data.token;
    expect((await newOptions(apiToken)).body.error.code).toBe('FORBIDDEN');
    expect((await listPasskeys(apiToken)).status).toBe(403);
  });

  it('refuses a user who must verify the address first', async () => {
    vi.stubEnv('EMAIL_VERIFICATION', 'required');
    vi.stubEnv('MAIL_FROM', 'handbill@example.com');
    const { token } = await newPerson();
    const { status, body } = await newOptions(token);
    vi.unstubAllEnvs();
    expect([status, body.error.code]).toEqual([403, 'VERIFICATION_REQUIRED']);
  });

  it.each(['http://127.0.0.1:3000', 'http://[::1]:3000'])(
    'returns 409 for a service at the IP address %s',
    async (address) => {
      const { token } = await newPerson();
      vi.stubEnv('PUBLIC_URL', address);
      const answers = [
        await newOptions(token),
        await call('POST /api/auth/login/passkey/options', { body: {} }),
      ];
      vi.unstubAllEnvs();
      for (const { status, body } of answers) {
        expect([status, body.error.message]).toEqual([
          409,
          expect.stringMatching(/^Passkeys need a host name/),
        ]);
      }
    },
  );
});

describe('POST /api/auth/passkeys', () => {
  it('adds the first factor with recovery codes, named after the device, and tells the owner', async () => {
    const { id, token } = await newPerson();
    const passkey = createPasskey();
    const { body: options } = await newOptions(token);
    const { status, body } = await sendNew(token, options.data, passkey, {
      client: { userAgent: chrome },
    });
    expect([status, body]).toEqual([
      201,
      {
        success: true,
        data: {
          factors: {
            totp: null,
            passkeys: [
              {
                id: expect.stringMatching(/^[\w-]{43}$/),
                name: 'Chrome on macOS',
                createdAt: new Date().toISOString(),
                lastUsedAt: null,
                isSynced: true,
              },
            ],
            recoveryCodes: { left: 10, createdAt: new Date().toISOString() },
          },
          codes: Array(10).fill(expect.stringMatching(/^[0-9a-z]{4}-[0-9a-z]{4}$/)),
        },
        message: 'Passkey added',
      },
    ]);
    expect(await entriesAbout(`user:${id}`)).toContainEqual(
      expect.objectContaining({
        action: 'factor.create',
        after: {
          factor: 'passkey',
          passkey: body.data.factors.passkeys[0].id,
          name: 'Chrome on macOS',
          codes: 10,
        },
      }),
    );
    expect(JSON.stringify(await itemsOf('OUTBOX#'))).toContain('factor-added');
  });

  it('adds a second one without new codes, and counts devices of one name', async () => {
    const { token } = await newPerson();
    const add = async () => {
      const { body } = await newOptions(token);
      return (await sendNew(token, body.data, createPasskey(), { client: { userAgent: chrome } }))
        .body.data;
    };
    await add();
    const { codes, factors } = await add();
    expect([codes, factors.passkeys.map(({ name }: { name: string }) => name)]).toEqual([
      null,
      ['Chrome on macOS', 'Chrome on macOS 2'],
    ]);
  });

  it.each([
    ['another origin', { origin: 'https://handbill.test.example.com' }],
    ['the origin with another scheme', { origin: 'http://handbill.test' }],
    ['another host', { rpId: 'example.com' }],
    ['another challenge', { challenge: 'A'.repeat(43) }],
  ])('refuses a passkey for %s', async (_, deviation) => {
    const { token } = await newPerson();
    const { body: options } = await newOptions(token);
    const { status, body } = await sendNew(token, options.data, createPasskey(), deviation);
    expect([status, body]).toEqual([400, invalid('response', 'could not be verified')]);
    expect((await listPasskeys(token)).body.data.passkeys).toEqual([]);
  });

  it('refuses the challenge of another user', async () => {
    const [ann, bob] = [await newPerson(), await newPerson()];
    const { body: options } = await newOptions(bob.token);
    const { body } = await sendNew(ann.token, options.data, createPasskey());
    expect(body).toEqual(invalid('challengeToken', 'is for something else; ask for new options'));
  });

  it('refuses a challenge for another purpose', async () => {
    const { token } = await newPerson();
    const { body } = await sendNew(token, await signInOptions(), createPasskey());
    expect(body).toEqual(invalid('challengeToken', 'is for something else; ask for new options'));
  });

  it('takes each challenge once, for 5 minutes', async () => {
    const { token } = await newPerson();
    const { body: options } = await newOptions(token);
    const answers = await Promise.all(
      [createPasskey(), createPasskey()].map((one) => sendNew(token, options.data, one)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(answers.find(({ status }) => status === 400)?.body).toEqual(ended);
    const { body: later } = await newOptions(token);
    pass(5 * 60_000);
    expect((await sendNew(token, later.data, createPasskey())).body).toEqual(ended);
  });

  it('refuses the same passkey twice', async () => {
    const { token } = await newPerson();
    const passkey = await addPasskey(token);
    const { body: options } = await newOptions(token);
    const { status, body } = await sendNew(token, options.data, passkey);
    expect([status, body.error.message]).toEqual([409, 'This passkey was added before.']);
  });

  it('keeps to 10 passkeys, also of requests in parallel', async () => {
    const { token } = await newPerson();
    for (let count = 0; count < 8; count++) await addPasskey(token);
    const options = [];
    for (let count = 0; count < 4; count++) options.push((await newOptions(token)).body.data);
    const answers = await Promise.all(options.map((one) => sendNew(token, one, createPasskey())));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect((await listPasskeys(token)).body.data.passkeys).toHaveLength(10);
    expect((await newOptions(token)).body.error.message).toBe(
      'You can have up to 10 passkeys. Remove one first.',
    );
  });

  it('ignores what an authenticator says of its make', async () => {
    const { token } = await newPerson();
    const { body: options } = await newOptions(token);
    const { status } = await sendNew(token, options.data, createPasskey(), { format: 'packed' });
    expect(status).toBe(201);
  });
});

describe('PUT /api/auth/passkeys/{id}', () => {
  it('renames a passkey, and ends nothing that was signed before', async () => {
    const { id: userId, token } = await newPerson();
    const passkey = await addPasskey(token, { name: 'Laptop' });
    const open = await proofOptions(token);
    const { id } = await ownPasskey(token);
    const { status, body } = await call('PUT /api/auth/passkeys/{id}', {
      token,
      params: { id },
      body: { name: 'Old laptop' },
    });
    expect([status, body.data.passkeys]).toMatchObject([200, [{ id, name: 'Old laptop' }]]);
    expect((await prove(token, passkey, open)).status).toBe(200);
    expect(await entriesAbout(`user:${userId}`)).toContainEqual(
      expect.objectContaining({
        action: 'factor.rename',
        before: { passkey: id, name: 'Laptop' },
        after: { passkey: id, name: 'Old laptop' },
      }),
    );
  });

  it.each(['PUT', 'DELETE'])('returns 404 to %s of another user’s passkey', async (method) => {
    const [ann, bob] = [await newPerson(), await newPerson()];
    await addPasskey(ann.token);
    const { id } = await ownPasskey(ann.token);
    const { status } = await call(`${method} /api/auth/passkeys/{id}`, {
      token: bob.token,
      params: { id },
      ...(method === 'PUT' && { body: { name: 'Mine' } }),
    });
    expect(status).toBe(404);
    expect(await ownPasskey(ann.token)).toMatchObject({ id });
  });
});

describe('DELETE /api/auth/passkeys/{id}', () => {
  it('removes a passkey, with the recovery codes if it is the last factor', async () => {
    const ann = await newPerson();
    const passkey = await addPasskey(ann.token);
    const { id } = await ownPasskey(ann.token);
    const token = await whenUnproven(ann);
    const remove = () => call('DELETE /api/auth/passkeys/{id}', { token, params: { id } });
    expect((await remove()).body.error.code).toBe('REAUTHENTICATION_REQUIRED');
    await prove(token, passkey, await proofOptions(token));
    const open = await signInOptions();
    expect((await remove()).body.data).toEqual({ totp: null, passkeys: [], recoveryCodes: null });
    expect((await signInBy(passkey, open)).status).toBe(401);
    expect((await remove()).status).toBe(404);
  });
});
