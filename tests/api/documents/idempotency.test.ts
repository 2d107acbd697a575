import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { routes } from '../../../functions/api/documents/routes.ts';
import { createGateway } from '../../../infra/local/gateway.ts';
import { list, listed, newAuthor, newManager, walk } from '../../support/documents/documents.ts';
import { useServer } from '../../support/run/server.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';

useTable();
useBucket();

// The timeout of a function in the gateway ends requests in progress.
const gateway = useServer(createGateway([{ routes }], () => undefined));

const send = async ({ token }: Person, body: object, key: string) => {
  const response = await fetch(`${gateway.origin}/api/documents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    isReplayed: response.headers.get('idempotency-replayed') === 'true',
    body: await response.json(),
  };
};

/** Repeats a request while the service responds that it is busy. */
const insist = async (person: Person, body: object): Promise<number> => {
  const key = randomUUID();
  for (;;) {
    const { status, body: response } = await send(person, body, key);
    if (status === 201) return response.data.id;
    // Busy, or the attempt before is still running.
    expect([503, 409]).toContain(status);
  }
};

describe('POST /api/documents', () => {
  it('creates 200 documents concurrently with unique ids, listed and counted once each', async () => {
    const [ann, manager] = [await newAuthor(), await newManager()];
    const ids = await Promise.all(
      Array.from({ length: 200 }, (_, at) => insist(ann, { title: `No. ${at}` })),
    );
    expect(new Set(ids).size).toBe(200);
    const newestFirst = ids.toSorted((a, b) => b - a);
    expect(await walk(ann, { pageSize: '30' }, 'cursor')).toEqual(newestFirst);
    expect(await walk(ann, { pageSize: '30' }, 'page')).toEqual(newestFirst);
    expect(await walk(manager, { pageSize: '100' }, 'cursor')).toEqual(newestFirst);
    for (const client of [ann, manager]) {
      expect((await list(client)).body.data).toMatchObject({ total: 200, totalIsExact: true });
    }
  });

  it('creates one document per Idempotency-Key and returns it again', async () => {
    const [ann, bob] = [await newAuthor(), await newAuthor()];
    const key = randomUUID();
    const first = await send(ann, { title: 'T', content: 'Once' }, key);
    const again = await send(ann, { title: 'T', content: 'Once' }, key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect([again.isReplayed, again.body]).toEqual([true, first.body]);
    expect((await send(ann, { title: 'T', content: 'Twice' }, key)).status).toBe(422);
    expect(await listed(ann)).toEqual({ ids: [first.body.data.id], total: 1 });
    const other = await send(bob, { title: 'T', content: 'Once' }, key);
    expect([other.status, other.isReplayed]).toEqual([201, false]);
  });

  it('returns a repeated document that exceeds the size of an item', async () => {
    const ann = await newAuthor();
    const key = randomUUID();
    const content = randomBytes(600_000).toString('base64');
    const first = await send(ann, { title: 'T', content }, key);
    const again = await send(ann, { title: 'T', content }, key);
    expect([first.status, again.status, again.isReplayed]).toEqual([201, 201, true]);
    expect(again.body.data.content.length).toBe(800_000);
    expect(again.body).toEqual(first.body);
    expect((await send(ann, { title: 'T', content: `${content}=` }, key)).status).toBe(422);
    expect((await listed(ann)).total).toBe(1);
  });

  it('creates one document for 20 concurrent requests with the same key', async () => {
    const ann = await newAuthor();
    const key = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => send(ann, { title: 'T' }, key)),
    );
    for (const { status } of responses) expect([201, 409]).toContain(status);
    const made = responses.filter(({ status }) => status === 201).map(({ body }) => body.data.id);
    expect(new Set(made).size).toBe(1);
    expect(await listed(ann)).toEqual({ ids: [made[0]], total: 1 });
    const records = await itemsOf('DOCUMENT#');
    expect(records.filter(({ authorId }) => authorId === ann.id)).toHaveLength(1);
  });
});
