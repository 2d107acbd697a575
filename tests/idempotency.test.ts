import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { hosts } from '../functions/routes.ts';
import { createGateway } from '../infra/local/gateway.ts';
import { documentClient, dynamoDbClient } from '../shared/dynamodb.ts';
import { call } from './support/call.ts';
import { useBucket } from './support/local-s3.ts';
import { login, newEmail, newPerson, newUserOf, type Person, password } from './support/people.ts';
import { itemsOf, useTable } from './support/table.ts';

useTable();
useBucket();

// Through the gateway: what is in progress ends with the time that a function has for its answer.
const gateway = createGateway(hosts.service, () => undefined);
beforeAll(async () => {
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
});
afterAll(() => {
  gateway.closeAllConnections();
  gateway.close();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** How long a function has: a first attempt that has not ended by then has died. */
const invocationMs = 30_000;
const dayMs = 86_400_000;

const send = async (
  endpoint: string,
  { token }: Pick<Person, 'token'>,
  body: unknown,
  key?: string,
) => {
  const [method = '', path] = endpoint.split(' ');
  const { port } = gateway.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    isReplayed: answer.headers.get('idempotency-replayed') === 'true',
    retryAfter: answer.headers.get('retry-after'),
    text,
    body: JSON.parse(text),
  };
};
const create = (actor: Pick<Person, 'token'>, body: unknown, key?: string) =>
  send('POST /api/users', actor, body, key);
const newBody = () => ({ email: newEmail(), name: 'Eve Example', password });

/** How many users have the address. */
const usersOf = async (email: string) =>
  (await itemsOf('USER#')).filter((item) => item['email'] === email).length;

const passTime = (ms: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
};

interface Client {
  send(...args: readonly unknown[]): Promise<unknown>;
}

/** Does something else in place of the first command of this kind that is sent. */
const instead = (
  client: object,
  kind: abstract new (...args: never[]) => unknown,
  work: (go: () => Promise<unknown>) => Promise<unknown>,
) => {
  const real = (client as Client).send.bind(client);
  let isDone = false;
  return vi.spyOn(client as Client, 'send').mockImplementation((...args) => {
    const go = () => real(...args);
    if (isDone || !(args[0] instanceof kind)) return go();
    isDone = true;
    return work(go);
  });
};

/** Something that happens later, and a promise of it. */
const later = () => {
  let happen: () => void = () => undefined;
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happen, happened };
};

const never = new Promise<never>(() => undefined);

describe('the same key with the same body', () => {
  it('gets the same answer, marked as one, of one record', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    const first = await create(admin, body, key);
    const again = await create(admin, body, key);
    expect([first.status, first.isReplayed]).toEqual([201, false]);
    expect([again.status, again.isReplayed, again.text]).toEqual([201, true, first.text]);
    expect(await usersOf(body.email)).toBe(1);
  });

  it('is the same however the body is written', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    await create(admin, body, key);
    const reversed = Object.fromEntries(Object.entries(body).toReversed());
    const again = await create(admin, JSON.stringify({ ...reversed, unknown: 1 }, null, 2), key);
    expect([again.status, again.isReplayed]).toEqual([201, true]);
  });

  it('is shown the link of an invitation the first time only', async () => {
    const admin = await newUserOf('admin');
    const { password: _, ...body } = newBody();
    const key = randomUUID();
    const { link, ...rest } = (await create(admin, body, key)).body;
    expect(link).toMatch(/^https:\/\/handbill\.test\/invite\?token=/);
    expect((await create(admin, body, key)).body).toEqual(rest);
  });

  it('sent 20 times at once makes one record, and the others get its answer or are told to wait', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(admin, body, key)));
    const done = answers.filter(({ status }) => status === 201);
    expect(done.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const { status, retryAfter, body: told } of answers) {
      if (status === 201) continue;
      expect([status, retryAfter, told.error.code]).toEqual([409, '1', 'CONFLICT']);
    }
    expect(await usersOf(body.email)).toBe(1);
    expect((await create(admin, body, key)).text).toBe(done[0]?.text);
  });

  it('is made anew after 24 hours, also where the table has not deleted what expired', async () => {
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
  it('is of one body', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    await create(admin, body, key);
    for (const change of [{ name: 'Another' }, { password: 'other password' }]) {
      const { status, body: told } = await create(admin, { ...body, ...change }, key);
      expect([status, told.error]).toEqual([
        422,
        {
          code: 'UNPROCESSABLE',
          message: 'This Idempotency-Key came with another body before',
          details: [{ field: 'idempotency-key', message: 'must be a new one for another body' }],
          requestId: expect.any(String),
        },
      ]);
    }
    expect(await usersOf(body.email)).toBe(1);
  });

  it('is of one user', async () => {
    const [admin, other] = [await newUserOf('admin'), await newUserOf('admin')];
    const key = randomUUID();
    const first = await create(admin, newBody(), key);
    const second = await create(other, newBody(), key);
    expect([second.status, second.isReplayed]).toEqual([201, false]);
    expect(second.body.data.id).not.toBe(first.body.data.id);
  });

  it.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['with a space within', 'a b'],
    ['beyond ASCII', 'clé'],
  ])('that is %s is refused', async (_, key) => {
    const body = newBody();
    const refused = await create(await newUserOf('admin'), body, key);
    expect([refused.status, refused.body.error]).toMatchObject([
      400,
      {
        code: 'VALIDATION_ERROR',
        details: [
          { field: 'idempotency-key', message: 'must have 1 to 255 visible ASCII characters' },
        ],
      },
    ]);
    expect(await usersOf(body.email)).toBe(0);
  });

  it('of 255 characters is taken', async () => {
    const key = `${randomUUID()}${'~'.repeat(219)}`;
    expect((await create(await newUserOf('admin'), newBody(), key)).status).toBe(201);
  });

  it('says nothing where a request makes no record, or a secret one', async () => {
    const ann = await newPerson();
    const key = 'not/a key at all';
    for (const name of ['Ann One', 'Ann Two']) {
      const { status, body } = await send('PUT /api/users/me', ann, { name }, key);
      expect([status, body.data.name]).toEqual([200, name]);
    }
    const mint = () => send('POST /api/auth/tokens', ann, { name: 'ci' }, key);
    const [first, second] = [await mint(), await mint()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body.data.id).not.toBe(second.body.data.id);
    expect(await itemsOf(`REPEATS#${ann.id}`)).toEqual([]);
  });
});

describe('a first attempt that fails', () => {
  it('is not kept: the same request again tries again', async () => {
    const [root, admin] = [await newUserOf('super_admin'), await newUserOf('admin')];
    const rival = await newPerson();
    const key = randomUUID();
    const body = { ...newBody(), email: rival.email };
    expect((await create(admin, { ...body, name: 'x' }, key)).status).toBe(400);
    expect((await create(admin, { ...body, role: 'super_admin' }, key)).status).toBe(403);
    expect((await create(admin, body, key)).status).toBe(409);
    expect(await itemsOf(`REPEATS#${admin.id}`)).toEqual([]);
    await call('DELETE /api/users/{id}', {
      token: root.token,
      params: { id: String(rival.id) },
    });
    const made = await create(admin, body, key);
    expect([made.status, made.isReplayed]).toEqual([201, false]);
  });

  it('is not kept when the table was away', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    const timeout = Object.assign(new Error('away'), { name: 'TimeoutError' });
    instead(documentClient(), TransactWriteCommand, () => Promise.reject(timeout));
    const failed = await create(admin, body, key);
    expect([failed.status, failed.retryAfter]).toEqual([503, '1']);
    const made = await create(admin, body, key);
    expect([made.status, made.isReplayed, await usersOf(body.email)]).toEqual([201, false, 1]);
  });

  it('does nothing when what remembers it is away', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const timeout = Object.assign(new Error('away'), { name: 'TimeoutError' });
    instead(dynamoDbClient(), PutItemCommand, () => Promise.reject(timeout));
    const failed = await create(admin, body, randomUUID());
    expect([failed.status, failed.retryAfter, failed.body.error.code]).toEqual([
      503,
      '1',
      'SERVICE_UNAVAILABLE',
    ]);
    expect(await usersOf(body.email)).toBe(0);
  });
});

describe('a first attempt that dies', () => {
  it('before it made anything is tried again by a repeat, once its time is over', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    const { happen, happened } = later();
    instead(documentClient(), TransactWriteCommand, () => {
      happen();
      return never;
    });
    void create(admin, body, key).catch(() => undefined);
    await happened;
    const early = await create(admin, body, key);
    expect([early.status, early.retryAfter, early.body.error.message]).toEqual([
      409,
      '1',
      'The first request with this Idempotency-Key is still running',
    ]);
    expect((await create(admin, { ...body, name: 'Another' }, key)).status).toBe(422);
    passTime(invocationMs + 1_000);
    const made = await create(admin, body, key);
    expect([made.status, made.isReplayed, await usersOf(body.email)]).toEqual([201, false, 1]);
  });

  it('after it made the record leads a repeat to that, once its time is over', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    const { happen, happened } = later();
    instead(dynamoDbClient(), UpdateItemCommand, () => {
      happen();
      return never;
    });
    void create(admin, body, key).catch(() => undefined);
    await happened;
    expect((await create(admin, body, key)).status).toBe(409);
    passTime(invocationMs + 1_000);
    expect((await create(admin, { ...body, name: 'Another' }, key)).status).toBe(422);
    const recalled = await create(admin, body, key);
    expect([recalled.status, recalled.isReplayed]).toEqual([201, true]);
    expect(recalled.body).toMatchObject({ message: 'Created', data: { email: body.email } });
    expect(await usersOf(body.email)).toBe(1);
    expect((await create(admin, body, key)).text).toBe(recalled.text);
  });

  it('while a twin begins when its time is over leaves one record, whoever is faster', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    const { happen, happened } = later();
    const held = later();
    instead(documentClient(), TransactWriteCommand, async (go) => {
      happen();
      await held.happened;
      return go();
    });
    const slow = create(admin, body, key);
    await happened;
    passTime(invocationMs + 1_000);
    const twin = await create(admin, body, key);
    expect([twin.status, twin.isReplayed]).toEqual([201, false]);
    held.happen();
    const { status, isReplayed, body: told } = await slow;
    expect([status, isReplayed, told.data.id]).toEqual([201, true, twin.body.data.id]);
    expect(await usersOf(body.email)).toBe(1);
  });
});

describe('an answer that is lost', () => {
  it('by the table after it wrote the record is made up for within the same request', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    instead(documentClient(), TransactWriteCommand, async (go) => {
      await go();
      throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
    });
    const first = await create(admin, body, key);
    expect([first.status, await usersOf(body.email)]).toEqual([201, 1]);
    expect((await create(admin, body, key)).text).toBe(first.text);
  });

  it('because it cannot be kept reaches the caller all the same, with what is shown once', async () => {
    const admin = await newUserOf('admin');
    const { password: _, ...body } = newBody();
    const key = randomUUID();
    instead(dynamoDbClient(), UpdateItemCommand, () => Promise.reject(new Error('not kept')));
    const { status, body: told } = await create(admin, body, key);
    expect([status, told.link]).toEqual([201, expect.stringContaining('/invite?token=')]);
    expect((await create(admin, body, key)).status).toBe(409);
    passTime(invocationMs + 1_000);
    const { link: _link, ...rest } = told;
    expect((await create(admin, body, key)).body).toEqual(rest);
    expect(await usersOf(body.email)).toBe(1);
    // The link that was shown still leads in.
    const token = new URL(told.link).searchParams.get('token');
    const reset = { token, password, confirmPassword: password };
    expect((await call('POST /api/auth/reset-password', { body: reset })).status).toBe(200);
  });
});

describe('what is kept', () => {
  it('is an answer and a marker for a day, and no secret', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const admin = await newUserOf('admin');
    const body = newBody();
    const { password: _, ...invited } = newBody();
    const key = randomUUID();
    await create(admin, body, key);
    const { link } = (await create(admin, invited, randomUUID())).body;
    const items = await itemsOf(`REPEATS#${admin.id}`);
    const kinds = items.map(({ sk }) => String(sk).replace(/#.*/s, ''));
    expect(kinds.toSorted()).toEqual(['MADE', 'MADE', 'REPLY', 'REPLY']);
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

  it('is small, also of a large share, and has no password that was made up for one', async () => {
    const ann = await newPerson();
    const content = `<p>${'x'.repeat(2_000_000)}</p>`;
    const body = { content, useRandomPassword: true };
    const key = randomUUID();
    const first = await send('POST /api/share', ann, body, key);
    const again = await send('POST /api/share', ann, body, key);
    const { password: made, ...rest } = first.body;
    expect(made).toEqual(expect.any(String));
    expect([again.status, again.isReplayed, again.body]).toEqual([201, true, rest]);
    const items = await itemsOf(`REPEATS#${ann.id}`);
    expect(items).toHaveLength(2);
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

  it('leaves one entry in the audit, however often the request comes', async () => {
    const admin = await newUserOf('admin');
    const key = randomUUID();
    const body = newBody();
    const { id } = (await create(admin, body, key)).body.data;
    await create(admin, body, key);
    expect(await itemsOf(`AUDIT#SUBJECT#user:${id}`)).toHaveLength(1);
  });
});
