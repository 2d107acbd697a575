import { randomUUID } from 'node:crypto';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { documentClient } from '../../../../shared/db/dynamodb.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { dieAt, instead, settling } from '../../../support/service/interruption.ts';
import {
  invocationMs,
  newBody,
  useKeyedRequests,
  usersOf,
} from '../../../support/service/keyed-requests.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { newPerson, newUserOf, password } from '../../../support/users/test-users.ts';

useTable();
useBucket();
const { create, send } = useKeyedRequests();
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const passTime = (ms: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
};

describe('a failed first attempt', () => {
  it('is not stored, so a repeated request tries again', async () => {
    const [root, admin] = [await newUserOf('super_admin'), await newUserOf('admin')];
    const rival = await newPerson();
    const key = randomUUID();
    const body = { ...newBody(), email: rival.email };
    expect((await create(admin, { ...body, name: 'x' }, key)).status).toBe(400);
    expect((await create(admin, { ...body, role: 'super_admin' }, key)).status).toBe(403);
    expect((await create(admin, body, key)).status).toBe(409);
    expect(await itemsOf(`IDEMPOTENCY#${admin.id}`)).toEqual([]);
    await call('DELETE /api/users/{id}', {
      token: root.token,
      params: { id: String(rival.id) },
    });
    const made = await create(admin, body, key);
    expect([made.status, made.isReplayed]).toEqual([201, false]);
  });

  it('is not stored when the table was unavailable', async () => {
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

  it('does nothing when the idempotency store is unavailable', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const timeout = Object.assign(new Error('away'), { name: 'TimeoutError' });
    instead(documentClient(), PutCommand, () => Promise.reject(timeout));
    const failed = await create(admin, body, randomUUID());
    expect([failed.status, failed.retryAfter, failed.body.error.code]).toEqual([
      503,
      '1',
      'SERVICE_UNAVAILABLE',
    ]);
    expect(await usersOf(body.email)).toBe(0);
  });
});

describe('an aborted first attempt', () => {
  it('before its record runs again when repeated after its timeout', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    const died = dieAt(documentClient(), TransactWriteCommand);
    void create(admin, body, key).catch(() => undefined);
    await died;
    const early = await create(admin, body, key);
    expect([early.status, early.retryAfter, early.body.error.message]).toEqual([
      409,
      '1',
      'A request with this Idempotency-Key is in progress.',
    ]);
    expect((await create(admin, { ...body, name: 'Another' }, key)).status).toBe(422);
    passTime(invocationMs + 1_000);
    const made = await create(admin, body, key);
    expect([made.status, made.isReplayed, await usersOf(body.email)]).toEqual([201, false, 1]);
  });

  it('after its record returns that record when repeated', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    const died = dieAt(documentClient(), settling);
    void create(admin, body, key).catch(() => undefined);
    await died;
    expect((await create(admin, { ...body, name: 'Another' }, key)).status).toBe(422);
    const recalled = await create(admin, body, key);
    expect([recalled.status, recalled.isReplayed]).toEqual([201, true]);
    expect(recalled.body).toMatchObject({ message: 'Created', data: { email: body.email } });
    expect(await usersOf(body.email)).toBe(1);
    expect((await create(admin, body, key)).text).toBe(recalled.text);
  });

  it('after its record returns 404 when repeated once that record was deleted', async () => {
    const ann = await newPerson();
    const key = randomUUID();
    const share = () => send('POST /api/share', ann, { content: 'Hi' }, key);
    const died = dieAt(documentClient(), settling);
    void share().catch(() => undefined);
    await died;
    const mine = async () =>
      (await call('GET /api/share', { token: ann.token, query: { mine: 'true' } })).body;
    const params = { id: String((await mine()).items[0].id) };
    await call('DELETE /api/share/{id}', { token: ann.token, params });
    passTime(invocationMs + 1_000);
    for (const { status } of [await share(), await share()]) expect(status).toBe(404);
    expect((await mine()).total).toBe(0);
  });

  it('leaves one record when a concurrent request starts after its timeout', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    const [come, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    instead(documentClient(), TransactWriteCommand, async (go) => {
      come.resolve();
      await held.promise;
      return go();
    });
    const slow = create(admin, body, key);
    await come.promise;
    passTime(invocationMs + 1_000);
    const twin = await create(admin, body, key);
    expect([twin.status, twin.isReplayed]).toEqual([201, false]);
    held.resolve();
    const { status, isReplayed, body: told } = await slow;
    expect([status, isReplayed, told.data.id]).toEqual([201, true, twin.body.data.id]);
    expect(await usersOf(body.email)).toBe(1);
  });
});

describe('a lost response', () => {
  it('of the table is recovered within the same request', async () => {
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

  it('that cannot be stored still reaches the caller, with fields shown once', async () => {
    const admin = await newUserOf('admin');
    const { password: _, ...body } = newBody();
    const key = randomUUID();
    instead(documentClient(), settling, () => Promise.reject(new Error('not kept')));
    const { status, body: told } = await create(admin, body, key);
    expect([status, told.link]).toEqual([201, expect.stringContaining('/invite?token=')]);
    const { link: _link, ...rest } = told;
    expect((await create(admin, body, key)).body).toEqual(rest);
    expect(await usersOf(body.email)).toBe(1);
    // The link that was shown still leads in.
    const token = new URL(told.link).searchParams.get('token');
    const reset = { token, password, confirmPassword: password };
    expect((await call('POST /api/auth/reset-password', { body: reset })).status).toBe(200);
  });
});
