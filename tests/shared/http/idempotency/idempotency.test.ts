// Which requests have the same key, and what is stored of a response; `tests/contract/idempotency.test.ts` proves on each route
// that a repeated request runs once, with all that it writes.
import { createHash, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { errorBody } from '../../../support/service/error-body.ts';
import { newBody, useKeyedRequests, usersOf } from '../../../support/service/keyed-requests.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { login, newPerson, newUserOf, password } from '../../../support/users/test-users.ts';

useTable();
useBucket();
const { create, send } = useKeyedRequests();
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const dayMs = 86_400_000;

const passTime = (ms: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
};

describe('the same key with the same body', () => {
  it('ignores the formatting of the body', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    await create(admin, body, key);
    const reversed = Object.fromEntries(Object.entries(body).toReversed());
    const again = await create(admin, JSON.stringify({ ...reversed, unknown: 1 }, null, 2), key);
    expect([again.status, again.isReplayed]).toEqual([201, true]);
  });

  it('returns an invitation link only the first time', async () => {
    const admin = await newUserOf('admin');
    const { password: _, ...body } = newBody();
    const key = randomUUID();
    const { link, ...rest } = (await create(admin, body, key)).body;
    expect(link).toMatch(/^https:\/\/handbill\.test\/invite\?token=/);
    expect((await create(admin, body, key)).body).toEqual(rest);
  });

  it('creates one record in 20 concurrent requests; the others get its response or a 409', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    const responses = await Promise.all(Array.from({ length: 20 }, () => create(admin, body, key)));
    const done = responses.filter(({ status }) => status === 201);
    expect(done.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const { status, retryAfter, body: told } of responses) {
      if (status === 201) continue;
      expect([status, retryAfter, told.error.code]).toEqual([409, '1', 'CONFLICT']);
    }
    expect(await usersOf(body.email)).toBe(1);
    expect((await create(admin, body, key)).text).toBe(done[0]?.text);
  });

  it('creates another record after 24 hours, even if the expired one still exists', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    const { id } = (await create(admin, body, key)).body.data;
    await call('DELETE /api/users/{id}', { token: admin.token, params: { id: String(id) } });
    const later = async () => ({ token: (await login(admin.email)).body.accessToken });
    passTime(dayMs - 60_000);
    expect((await create(await later(), body, key)).body.data.id).toBe(id);
    passTime(120_000);
    const anew = await create(await later(), body, key);
    expect([anew.status, anew.isReplayed]).toEqual([201, false]);
    expect(anew.body.data.id).not.toBe(id);
    expect((await create(await later(), body, key)).text).toBe(anew.text);
  });
});

describe('a key', () => {
  it('belongs to one body', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    await create(admin, body, key);
    for (const change of [{ name: 'Another' }, { password: 'other password' }]) {
      const { status, body: told } = await create(admin, { ...body, ...change }, key);
      expect([status, told.error]).toEqual([
        422,
        errorBody('UNPROCESSABLE', 'This Idempotency-Key was used with a different body.', [
          { field: 'idempotency-key', message: 'must be new for a different body' },
        ]).error,
      ]);
    }
    expect(await usersOf(body.email)).toBe(1);
  });

  it('belongs to one user', async () => {
    const [admin, other] = [await newUserOf('admin'), await newUserOf('admin')];
    const key = randomUUID();
    const first = await create(admin, newBody(), key);
    const second = await create(other, newBody(), key);
    expect([second.status, second.isReplayed]).toEqual([201, false]);
    expect(second.body.data.id).not.toBe(first.body.data.id);
  });

  it('belongs to one path', async () => {
    const ann = await newPerson();
    const key = randomUUID();
    const link = async () => {
      const { body } = await call('POST /api/share', { token: ann.token, body: { content: 'Hi' } });
      return send(`POST /api/share/${body.id}/links`, ann, { label: 'Mei' }, key);
    };
    const [one, other] = [await link(), await link()];
    expect([one.status, other.status]).toEqual([201, 201]);
    expect([one.isReplayed, other.isReplayed]).toEqual([false, false]);
  });

  it.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['with a space within', 'a b'],
    ['beyond ASCII', 'clé'],
  ])('is rejected if it is %s', async (_, key) => {
    const body = newBody();
    const refused = await create(await newUserOf('admin'), body, key);
    expect([refused.status, refused.body.error]).toMatchObject([
      400,
      {
        code: 'VALIDATION_ERROR',
        details: [
          { field: 'idempotency-key', message: 'must be 1 to 255 visible ASCII characters' },
        ],
      },
    ]);
    expect(await usersOf(body.email)).toBe(0);
  });

  it('may have 255 characters', async () => {
    const key = `${randomUUID()}${'~'.repeat(219)}`;
    expect((await create(await newUserOf('admin'), newBody(), key)).status).toBe(201);
  });

  it('is ignored by requests that create no record or a secret', async () => {
    const ann = await newPerson();
    const key = 'not/a key at all';
    for (const name of ['Ann One', 'Ann Two']) {
      const { status, body } = await send('PUT /api/users/me', ann, { name }, key);
      expect([status, body.data.name]).toEqual([200, name]);
    }
    const create = () => send('POST /api/auth/tokens', ann, { name: 'ci' }, key);
    const [first, second] = [await create(), await create()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body.data.id).not.toBe(second.body.data.id);
    expect(await itemsOf(`IDEMPOTENCY#${ann.id}`)).toEqual([]);
  });
});

describe('a stored response', () => {
  it('expires after a day and contains no secret', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const admin = await newUserOf('admin');
    const body = newBody();
    const { password: _, ...invited } = newBody();
    const key = randomUUID();
    await create(admin, body, key);
    const { link } = (await create(admin, invited, randomUUID())).body;
    const items = await itemsOf(`IDEMPOTENCY#${admin.id}`);
    expect(items).toHaveLength(2);
    for (const { ttl } of items) {
      expect(Math.abs(Number(ttl) - (Date.now() + dayMs) / 1_000)).toBeLessThan(2);
    }
    const text = JSON.stringify(items);
    const [, secret] = link.split('.').slice(-2);
    // Neither what is secret nor a bare hash of a body that has it, which lets it be guessed.
    const hashes = [JSON.stringify(body), JSON.stringify(JSON.stringify(body)), password].flatMap(
      (secretText) =>
        (['base64', 'base64url', 'hex'] as const).map((encoding) =>
          createHash('sha256').update(secretText).digest(encoding),
        ),
    );
    for (const word of [password, secret, key, 'passwordHash', '$2', ...hashes]) {
      expect(text).not.toContain(word);
    }
  });

  it('is small even for a large share and contains no generated password', async () => {
    const ann = await newPerson();
    const content = `<p>${'x'.repeat(2_000_000)}</p>`;
    const body = { content, useRandomPassword: true };
    const key = randomUUID();
    const first = await send('POST /api/share', ann, body, key);
    const again = await send('POST /api/share', ann, body, key);
    const { password: made, ...rest } = first.body;
    expect(made).toEqual(expect.any(String));
    expect([again.status, again.isReplayed, again.body]).toEqual([201, true, rest]);
    const items = await itemsOf(`IDEMPOTENCY#${ann.id}`);
    expect(items).toHaveLength(1);
    for (const item of items) {
      const text = JSON.stringify(item);
      expect(text.length).toBeLessThan(1_000);
      expect(text).not.toContain(made);
    }
    const other = { ...body, content: content.replace('<p>', '<b>') };
    expect((await send('POST /api/share', ann, other, key)).status).toBe(422);
    const shares = await call('GET /api/share', { token: ann.token, query: { mine: 'true' } });
    expect(shares.body.total).toBe(1);
  });
});
