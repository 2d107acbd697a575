import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { signToken } from '../../shared/auth/tokens.ts';
import { documentClient } from '../../shared/db/dynamodb.ts';
import { call } from '../support/service/call.ts';
import { errorBody } from '../support/service/error-body.ts';
import { useTable } from '../support/table/table.ts';
import { refresh } from '../support/users/account.ts';
import { login, newPerson, newUserOf } from '../support/users/test-users.ts';
import { usePeople } from '../support/users/use-people.ts';

useTable();

type Json = Readonly<Record<string, unknown>>;

const secret = process.env['JWT_SECRET'] ?? '';
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part = ''): Json => JSON.parse(Buffer.from(part, 'base64url').toString());
const seconds = () => Math.floor(Date.now() / 1_000);

/** Signs by hand, because libraries refuse invalid tokens. */
const sign = (header: unknown, payload: unknown, key = secret, hash = 'sha256'): string => {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`;
};

const refused = {
  status: 401,
  body: errorBody(
    'UNAUTHORIZED',
    'The access token is missing, invalid or expired. Sign in again.',
  ),
};
const me = async (authorization: string) => {
  const { status, body } = await call('GET /api/auth/me', { headers: { authorization } });
  return { status, body };
};

const { ann, bob } = usePeople({ ann: newPerson, bob: newPerson });
let cookie: string;
let apiToken: string;
let header: Json;
let payload: Json;
/** Returns Ann's access token with other claims and a valid signature. */
const withClaims = (claims: Json) => sign(header, { ...payload, ...claims });
const without = (name: string) => {
  const { [name]: _, ...rest } = payload;
  return sign(header, rest);
};

beforeAll(async () => {
  const [head, middle] = ann.token.split('.');
  [header, payload] = [decode(head), decode(middle)];
  const { body } = await refresh(ann.refreshToken);
  cookie = (await login(ann.email)).cookies?.[0]?.match(/=([^;]*)/)?.[1] ?? '';
  Object.assign(ann, { refreshToken: body.refreshToken });
  const created = await call('POST /api/auth/tokens', { token: ann.token, body: { name: 'x' } });
  apiToken = created.body.data.token;
});

describe('a token created like the service does', () => {
  it.each<[string, () => string]>([
    ['the token as it was given', () => `Bearer ${ann.token}`],
    ['the scheme in small letters', () => `bearer ${ann.token}`],
    ['the scheme in capitals', () => `BEARER ${ann.token}`],
    ['two spaces after the scheme', () => `Bearer  ${ann.token}`],
    ['the same claims signed again', () => `Bearer ${withClaims({})}`],
    ['issued by a clock 59 s ahead', () => `Bearer ${withClaims({ iat: seconds() + 59 })}`],
    ['an API token', () => `Bearer ${apiToken}`],
    ['an API token, the scheme in capitals', () => `BEARER ${apiToken}`],
  ])('is accepted: %s', async (_, authorization) => {
    expect(await me(authorization())).toMatchObject({
      status: 200,
      body: { data: { id: ann.id } },
    });
  });
});

describe('a forged token', () => {
  it.each<[string, () => string]>([
    [
      'alg none without a signature',
      () => `${encode({ ...header, alg: 'none' })}.${encode(payload)}.`,
    ],
    ['alg none with one', () => sign({ ...header, alg: 'none' }, payload)],
    ['alg NONE', () => `${encode({ ...header, alg: 'NONE' })}.${encode(payload)}.`],
    ['HS384', () => sign({ ...header, alg: 'HS384' }, payload, secret, 'sha384')],
    ['HS512', () => sign({ ...header, alg: 'HS512' }, payload, secret, 'sha512')],
    ['RS256 over an HMAC', () => sign({ ...header, alg: 'RS256' }, payload)],
    ['no alg', () => sign({ kid: header['kid'] }, payload)],
    ['a critical extension', () => sign({ ...header, crit: ['x'], x: 1 }, payload)],
    [
      'an edited payload',
      () => ann.token.replace(/\..*\./, `.${encode({ ...payload, sub: String(bob.id) })}.`),
    ],
    ['another secret', () => sign(header, payload, 'x'.repeat(40))],
    ['an empty secret', () => sign(header, payload, '')],
    ['a cut signature', () => ann.token.slice(0, -1)],
    ['no signature', () => ann.token.replace(/[^.]*$/, '')],
    ['the wrong kid', () => sign({ ...header, kid: '00000000' }, payload)],
    ['a kid that is no text', () => sign({ ...header, kid: 7 }, payload)],
    ['the kid __proto__', () => sign({ ...header, kid: '__proto__' }, payload)],
    ['no kid', () => sign({ alg: 'HS256' }, payload)],
    ['a header that is a list', () => sign([], payload)],
    ['a header that is null', () => sign(null, payload)],
    ['a payload that is null', () => sign(header, null)],
    ['a payload that is a list', () => sign(header, [payload])],
    ['a payload that is a text', () => sign(header, 'x')],
    ['five parts', () => `${ann.token}.x.x`],
    ['one part', () => 'x'],
    ['only dots', () => '..'],
    ['only underscores', () => '_._._'],
    ['expired a second ago', () => withClaims({ exp: seconds() - 1 })],
    ['not valid yet', () => withClaims({ nbf: seconds() + 120 })],
    ['issued in the future', () => withClaims({ iat: seconds() + 120 })],
    ['issued at a text', () => withClaims({ iat: 'now' })],
    ['an expiry that is a text', () => withClaims({ exp: String(seconds() + 60) })],
    ['an expiry that is null', () => withClaims({ exp: null })],
    ['another issuer', () => withClaims({ iss: 'elsewhere' })],
    ['another audience', () => withClaims({ aud: 'elsewhere' })],
    ['no audience in a list', () => withClaims({ aud: [] })],
    ['a user who is nobody', () => withClaims({ sub: '1' })],
    ["another one's session", () => withClaims({ sub: String(bob.id) })],
    ['a user that is a number', () => withClaims({ sub: ann.id })],
    ['a user that is a list', () => withClaims({ sub: [String(ann.id)] })],
    ['a user that is no number', () => withClaims({ sub: 'ann' })],
    ['the user NaN', () => withClaims({ sub: 'NaN' })],
    ['the user Infinity', () => withClaims({ sub: 'Infinity' })],
    ['a user beyond every number', () => withClaims({ sub: '9'.repeat(400) })],
    ['a user written with an exponent', () => withClaims({ sub: `${ann.id}e0` })],
    ['a user behind a space', () => withClaims({ sub: ` ${ann.id}` })],
    ['a user in hexadecimal', () => withClaims({ sub: `0x${ann.id.toString(16)}` })],
    ['the empty user', () => withClaims({ sub: '' })],
    ['the empty session', () => withClaims({ sid: '' })],
    ['a session longer than a key', () => withClaims({ sid: 'x'.repeat(2_000) })],
    ['a session that is an object', () => withClaims({ sid: {} })],
    ['no kind', () => without('typ')],
    ['the kind of a refresh token', () => withClaims({ typ: 'refresh' })],
    ...['sub', 'sid', 'iss', 'aud', 'iat', 'exp', 'jti'].map((name): [string, () => string] => [
      `without ${name}`,
      () => without(name),
    ]),
    ['the refresh token', () => ann.refreshToken],
    ['the token of the cookie', () => cookie],
  ])('is rejected: %s', async (_, token) => {
    expect(await me(`Bearer ${token()}`)).toEqual(refused);
  });

  it('is rejected as a token of a view or its files', async () => {
    const content = { sub: String(ann.id), sid: String(payload['sid']), txt: 'a-content' };
    const tokens = [
      await signToken('view', { ...content, at: 1 }, 60_000),
      await signToken('files', content, 60_000),
    ];
    for (const token of tokens) expect(await me(`Bearer ${token}`)).toEqual(refused);
  });

  it.each<[string, () => string]>([
    ['nothing', () => ''],
    ['the scheme alone', () => 'Bearer'],
    ['the scheme and a space', () => 'Bearer '],
    ['the token alone', () => ann.token],
    ['another scheme', () => `Basic ${ann.token}`],
    ['two headers that were joined', () => `Bearer ${ann.token}, Bearer ${bob.token}`],
    [
      'two headers that were joined without a space',
      () => `Bearer ${ann.token},Bearer ${ann.token}`,
    ],
    ['something behind the token', () => `Bearer ${ann.token} x`],
    ['7 KB', () => `Bearer ${'x'.repeat(7_000)}`],
    ['7 KB behind a good token', () => `Bearer ${ann.token}${'x'.repeat(7_000)}`],
    ['100 KB', () => `Bearer ${'x.'.repeat(50_000)}`],
    ['100 KB of an API token', () => `Bearer hb_${'0'.repeat(100_000)}`],
    ['100 KB of spaces', () => `Bearer ${' '.repeat(100_000)}!`],
    ['characters beyond ASCII', () => 'Bearer é中\u0000'],
  ])('is rejected as a header: %s', async (_, authorization) => {
    expect(await me(authorization())).toEqual(refused);
  });
});

describe('a valid token in the wrong place', () => {
  const { message: _, ...error } = refused.body.error;
  const refresh = (refreshToken: string) =>
    call('POST /api/auth/refresh', { body: { refreshToken } });

  it.each<[string, () => string]>([
    ['an access token', () => ann.token],
    ['the token of the cookie', () => cookie],
    ['an API token', () => apiToken],
    ['no token', () => 'x'],
    ['one without a count', () => withClaims({ typ: 'refresh', n: undefined })],
    ['one with a count below zero', () => withClaims({ typ: 'refresh', n: -1 })],
    ['one issued in the future', () => withClaims({ typ: 'refresh', n: 1, iat: seconds() + 120 })],
    ['one for NaN', () => withClaims({ typ: 'refresh', n: 1, sub: 'NaN' })],
    ['100 KB', () => 'x.'.repeat(50_000)],
  ])('is not exchanged for new tokens: %s', async (_name, token) => {
    expect(await refresh(token())).toMatchObject({ status: 401, body: { error } });
  });

  it.each<[string, () => string]>([
    ['an access token', () => ann.token],
    ['the refresh token', () => ann.refreshToken],
    ['an API token', () => apiToken],
    ['nothing', () => ''],
  ])('is rejected as the cookie: %s', async (_name, token) => {
    const cookies = [`__Host-session=${token()}`];
    expect(await call('GET /api/auth/me', { cookies })).toMatchObject({ status: 401 });
  });

  it('is not read from the URL', async () => {
    const query = {
      token: ann.token,
      access_token: ann.token,
      authorization: `Bearer ${ann.token}`,
    };
    expect(await call('GET /api/auth/me', { query })).toMatchObject({ status: 401 });
  });
});

describe('a token of a deleted user or ended session', () => {
  it('is rejected after its user is deleted, including API tokens', async () => {
    const admin = await newUserOf('super_admin');
    const eve = await newPerson();
    const created = await call('POST /api/auth/tokens', { token: eve.token, body: { name: 'x' } });
    const params = { id: String(eve.id) };
    await call('DELETE /api/users/{id}', { token: admin.token, params });
    expect(await me(`Bearer ${eve.token}`)).toEqual(refused);
    expect(await me(`Bearer ${created.body.data.token}`)).toEqual(refused);
  });

  it('is rejected after its session has ended', async () => {
    const eve = await newPerson();
    await call('POST /api/auth/logout', { token: eve.token });
    expect(await me(`Bearer ${eve.token}`)).toEqual(refused);
  });
});

describe('an invalid API token', () => {
  const reads = vi.spyOn(documentClient(), 'send');
  const countReads = () =>
    reads.mock.calls.filter(([one]) => one instanceof BatchGetCommand).length;
  /** Joins the parts with a valid checksum. */
  const seal = (text: string) => `${text}${crc32(text).toString(16).padStart(8, '0')}`;
  const parts = () =>
    apiToken.match(/^(hb_)([0-9a-z]+)(_)([0-9a-f]{48})([0-9a-f]{8})$/)?.slice(1) ?? [];
  const typo = (at: number) =>
    parts()
      .map((part, index) =>
        index === at ? part.replace(/.$/, part.endsWith('1') ? '2' : '1') : part,
      )
      .join('');

  beforeEach(() => {
    reads.mockClear();
  });

  it.each<[string, () => string]>([
    ['a typo in the user', () => typo(1)],
    ['a typo in the separator', () => typo(2)],
    ['a typo in the secret', () => typo(3)],
    ['a wrong checksum', () => typo(4)],
    [
      'two digits that changed places',
      () => apiToken.replace(/_([0-9a-f]*?)([0-9a-f])(?!\2)([0-9a-f])/, '_$1$3$2'),
    ],
    ['capitals', () => `hb_${apiToken.slice(3).toUpperCase()}`],
    ['a digit too few', () => seal(parts().slice(0, 4).join('').slice(0, -1))],
    ['a digit too many', () => seal(`${parts().slice(0, 4).join('')}0`)],
    ['a user too long to be one', () => seal(`hb_${'z'.repeat(12)}_${'0'.repeat(48)}`)],
    ['no more than the prefix', () => 'hb_'],
  ])('is rejected without a read: %s', async (_, token) => {
    expect(token()).not.toBe(apiToken);
    expect(await me(`Bearer ${token()}`)).toEqual(refused);
    expect(countReads()).toBe(0);
  });

  it.each<[string, () => string]>([
    ['a secret that nobody was given', () => seal(`hb_${ann.id.toString(36)}_${'0'.repeat(48)}`)],
    ["another one's id", () => seal(`hb_${bob.id.toString(36)}_${parts()[3]}`)],
    ['a zero before the id', () => seal(`hb_0${ann.id.toString(36)}_${parts()[3]}`)],
    ['the greatest id that fits', () => seal(`hb_${'z'.repeat(11)}_${parts()[3]}`)],
  ])('is rejected after one read despite a valid checksum: %s', async (_, token) => {
    expect(await me(`Bearer ${token()}`)).toEqual(refused);
    expect(countReads()).toBe(1);
  });
});
