import { beforeEach, describe, expect, it } from 'vitest';
import { authenticateApp } from '../../../shared/auth/app.ts';
import {
  type Allowed,
  allow,
  appsOf,
  connect,
  exchange,
  newClient,
  newProof,
  refreshApp,
  requestTokens,
  revokeApp,
} from '../../support/apps/apps.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { changePassword } from '../../support/users/account.ts';
import { signInAgain, useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
// Apps of the same millisecond may have the same id.
beforeEach(() => pass(1));
const { ann, bob } = useNewPeople({ ann: 'user', bob: 'user' });

const invalidCode = {
  status: 400,
  body: {
    error: 'invalid_grant',
    error_description: 'The code is invalid, used or expired, or belongs to another request.',
  },
};

const refusal = (error: string, description: string) => ({
  status: 400,
  body: { error, error_description: description },
});

const isAccepted = (token: string): Promise<boolean> =>
  authenticateApp(token).then(
    () => true,
    () => false,
  );

describe('a code', () => {
  it('is stored as its SHA-256 alone', async () => {
    const { code } = await allow(ann, await newClient());
    expect(JSON.stringify(await itemsOf(''))).not.toContain(code.slice(8, 30));
  });

  it('works for a minute', async () => {
    const [early, late] = [
      await allow(ann, await newClient()),
      await allow(ann, await newClient()),
    ];
    pass(59_999);
    expect((await exchange(early)).status).toBe(200);
    pass(1);
    expect(await exchange(late)).toMatchObject(invalidCode);
  });

  it('works once; using it again ends the login that it gave, within a day', async () => {
    const allowed = await allow(ann, await newClient());
    const { body } = await exchange(allowed);
    const other = await connect(ann, allowed.client);
    expect(await isAccepted(body.access_token)).toBe(true);
    pass(50 * 60_000);
    expect(await exchange(allowed)).toMatchObject(invalidCode);
    expect(await isAccepted(body.access_token)).toBe(false);
    expect((await refreshApp(allowed.client, body.refresh_token)).status).toBe(400);
    expect(await isAccepted(other.access)).toBe(true);
    // Once more, nothing is left to end or to audit.
    expect(await exchange(allowed)).toMatchObject(invalidCode);
    const [{ id }] = await appsOf(await signInAgain(ann));
    const ends = (await entriesAbout(`app:${id}`)).filter(({ action }) => action === 'app.reuse');
    expect(ends).toMatchObject([{ after: { endedBy: 'code-reused' } }]);
  });

  it('gives one login to ten concurrent requests, and ends it', async () => {
    const allowed = await allow(ann, await newClient());
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(allowed)));
    const given = answers.filter(({ status }) => status === 200);
    expect(given).toHaveLength(1);
    expect(await isAccepted(given[0]?.body.access_token)).toBe(false);
  });

  it.each<[string, (allowed: Allowed) => Promise<Record<string, string>>]>([
    ['another client', async () => ({ client_id: (await newClient()).id })],
    ['another redirect address', async () => ({ redirect_uri: 'http://localhost:4711/other' })],
    ['another verifier', async () => ({ code_verifier: newProof().verifier })],
    [
      'another code',
      async ({ code }) => ({ code: `${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}` }),
    ],
    [
      'the code of another user',
      async ({ code }) => ({ code: code.replace(/^hbc_[^_]+/, `hbc_${bob.id.toString(36)}`) }),
    ],
    ['no code at all', async () => ({ code: 'garbage' })],
  ])('is refused with %s, and stays usable for its client', async (_, fields) => {
    const allowed = await allow(ann, await newClient());
    expect(await exchange(allowed, await fields(allowed))).toMatchObject(invalidCode);
    expect((await exchange(allowed)).status).toBe(200);
  });

  it('is refused for the challenge as its own verifier, as with the method plain', async () => {
    const { verifier: challenge } = newProof();
    const allowed = await allow(ann, await newClient(), { codeChallenge: challenge });
    expect(await exchange(allowed, { code_verifier: challenge })).toMatchObject(invalidCode);
  });

  it.each([
    ['code_verifier', undefined, 'invalid_request', 'code_verifier is required.'],
    ['code_verifier', '', 'invalid_request', 'code_verifier is required.'],
    [
      'code_verifier',
      'x'.repeat(42),
      'invalid_request',
      'code_verifier must have 43 to 128 letters, digits or -._~.',
    ],
    [
      'code_verifier',
      'x'.repeat(129),
      'invalid_request',
      'code_verifier must have 43 to 128 letters, digits or -._~.',
    ],
    ['redirect_uri', undefined, 'invalid_request', 'redirect_uri is required.'],
    ['client_id', undefined, 'invalid_request', 'client_id is required.'],
    ['code', undefined, 'invalid_request', 'code is required.'],
    ['grant_type', undefined, 'invalid_request', 'grant_type is required.'],
    [
      'grant_type',
      'password',
      'unsupported_grant_type',
      'grant_type must be authorization_code or refresh_token.',
    ],
    [
      'grant_type',
      '__proto__',
      'unsupported_grant_type',
      'grant_type must be authorization_code or refresh_token.',
    ],
    [
      'resource',
      'https://evil.example/mcp',
      'invalid_target',
      expect.stringMatching(/^resource must be http.*\/mcp\.$/),
    ],
    ['code', 'x'.repeat(257), 'invalid_request', expect.stringContaining('code')],
  ])('tells what is wrong with %s %s', async (field, value, error, description) => {
    const { client, code, verifier } = await allow(ann, await newClient());
    const fields: Record<string, string> = {
      grant_type: 'authorization_code',
      client_id: client.id,
      code,
      redirect_uri: client.redirectUri,
      code_verifier: verifier,
    };
    delete fields[field];
    const answer = await requestTokens({
      ...fields,
      ...(value !== undefined && { [field]: value }),
    });
    expect(answer).toMatchObject(refusal(error, description));
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('is void once the app is revoked, also if it is allowed again', async () => {
    const allowed = await allow(ann, await newClient());
    await revokeApp(ann, (await appsOf(ann))[0].id);
    expect(await exchange(allowed)).toMatchObject(invalidCode);
    const again = await allow(ann, allowed.client);
    expect(await exchange(allowed)).toMatchObject(invalidCode);
    expect((await exchange(again)).status).toBe(200);
  });

  it('is void once the user has ended all tokens, also if the app is allowed again', async () => {
    const allowed = await allow(ann, await newClient());
    expect((await changePassword(ann.token, { scope: 'all' })).status).toBe(200);
    expect(await exchange(allowed)).toMatchObject(invalidCode);
    const again = await allow(ann, allowed.client);
    expect(await exchange(allowed)).toMatchObject(invalidCode);
    expect((await exchange(again)).status).toBe(200);
  });

  it('is no JSON request', async () => {
    const body = JSON.stringify({ grant_type: 'authorization_code' });
    expect(await requestTokens({}, { body })).toMatchObject(
      refusal('invalid_request', 'grant_type is required.'),
    );
  });
});
