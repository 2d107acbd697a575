import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  listed,
  mailboxOf,
  newReader,
  newWriter,
  notificationsOf,
  read,
  remove,
  send,
  unreadCount,
} from '../../support/messages/messages.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useKeyedRequests } from '../../support/service/keyed-requests.ts';
import { useFaults } from '../../support/table/lost-transactions.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';

useTable();
useBucket();
useJobs();
const requests = useKeyedRequests();
const goWrong = useFaults();

const write = (person: Person, body: object, key: string) =>
  requests.send('POST /api/messages', person, body, key);

describe('POST /api/messages', () => {
  it('sends one message per Idempotency-Key and replays the response', async () => {
    const [ann, bob] = [await newWriter(), await newReader()];
    const key = randomUUID();
    const body = { to: bob.id, subject: 'Once', content: 'x'.repeat(3_000) };
    const first = await write(ann, body, key);
    const again = await write(ann, body, key);
    expect([first.status, again.status, again.isReplayed]).toEqual([201, 201, true]);
    expect(again.body).toEqual(first.body);
    expect((await write(ann, { ...body, content: 'Twice' }, key)).status).toBe(422);
    expect(await listed(bob)).toEqual({ ids: [first.body.data.id], total: 1 });
    expect((await listed(ann, { box: 'sent' })).total).toBe(1);
  });

  it('replays a response of 64 KB, which exceeds the stored size', async () => {
    const [ann, bob] = [await newWriter(), await newReader()];
    const [key, body] = [randomUUID(), { to: bob.id, content: 'é'.repeat(32 * 1024) }];
    const first = await write(ann, body, key);
    const again = await write(ann, body, key);
    expect([again.status, again.isReplayed]).toEqual([201, true]);
    expect(again.body).toEqual(first.body);
  });

  it('sends one message for 10 concurrent requests with the same key', async () => {
    const [ann, bob] = [await newWriter(), await newReader()];
    const [key, body] = [randomUUID(), { to: bob.id, content: 'Hello' }];
    const responses = await Promise.all(Array.from({ length: 10 }, () => write(ann, body, key)));
    for (const { status } of responses) expect([201, 409]).toContain(status);
    expect((await listed(bob)).total).toBe(1);
  });
});

describe('transaction with a lost response or throttling', () => {
  it('sends a message once', async () => {
    const [ann, bob] = [await newWriter(), await newReader()];
    goWrong(['lost', 'throttled']);
    const { status, body } = await send(ann, { to: [bob.id, ann.id] });
    expect(status).toBe(201);
    const { id } = body.data;
    expect(await listed(bob)).toEqual({ ids: [id], total: 1 });
    expect((await itemsOf('MESSAGE#')).filter((item) => item['senderId'] === ann.id)).toHaveLength(
      1,
    );
    expect(await mailboxOf(ann)).toMatchObject({ unreadCount: 1, totals: [1, 1, 1, 1, 1] });
  });

  it('sends a message once per key, even after a failed first attempt', async () => {
    const [ann, bob] = [await newWriter(), await newReader()];
    const [key, body] = [randomUUID(), { to: bob.id, content: 'Hello' }];
    goWrong(['lost', 'lost', 'lost']);
    const responses = [await write(ann, body, key), await write(ann, body, key)];
    expect(responses.at(-1)?.status).toBe(201);
    expect((await listed(bob)).total).toBe(1);
    expect((await listed(ann, { box: 'sent' })).total).toBe(1);
  });

  it('delivers, marks and deletes a message once', async () => {
    const [ann, bob] = [await newWriter(), await newWriter()];
    const { id } = (await send(ann, { to: bob.id })).body.data;
    goWrong(['lost']);
    expect(await unreadCount(bob)).toBe(1);
    expect(await notificationsOf(bob)).toHaveLength(1);
    goWrong(['lost', 'lost']);
    expect((await read(bob, id)).status).toBe(200);
    expect(await unreadCount(bob)).toBe(0);
    goWrong(['throttled', 'lost']);
    expect((await remove(bob, id)).status).toBe(200);
    expect(await mailboxOf(bob)).toMatchObject({ totals: [0, 0, 0, 0, 0] });
    expect((await listed(ann, { box: 'sent' })).ids).toEqual([id]);
  });
});
