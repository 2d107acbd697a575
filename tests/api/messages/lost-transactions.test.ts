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
