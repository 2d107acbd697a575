// Who opened a share that isn't open to all (decisions.md#receipts).
import { afterEach, describe, expect, it, vi } from 'vitest';
import { documentClient } from '../../../../shared/db/dynamodb.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { form } from '../../../support/service/form.ts';
import { instead } from '../../../support/service/interruption.ts';
import { settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
afterEach(() => void vi.restoreAllMocks());

const { ann, bob, eve } = useNewPeople({ ann: 'user', bob: 'user', eve: 'user' });
const hers = sharesOf(ann);

const view = (id: string, { token }: { readonly token?: string }) =>
  call('GET /api/share', { query: { id }, token });
const page = (id: string, { token }: { readonly token: string }, endpoint = 'GET /s/{id}') =>
  call(endpoint, { params: { id }, token });
const open = (id: string, { token }: { readonly token: string }) =>
  call('POST /s/{id}/open', { params: { id }, token, ...form({ claim: 'abcdefghijkl' }) });

/** How often each reader opened a share, and when, by name of the test. */
const timesOf = async (id: string) => {
  const { status, body } = await hers.receipts(id);
  expect(status).toBe(200);
  const nameOf = (userId: number) =>
    userId === bob.id ? 'bob' : userId === eve.id ? 'eve' : 'ann';
  type Reader = { readonly id: number; readonly times: number };
  return body.readers.map(({ id: userId, times }: Reader) => [nameOf(userId), times]);
};

describe('GET /api/share/{id}/receipts', () => {
  it('counts what a reader opens by the API, the page and the source', async () => {
    const id = await hers.newShare({ readers: [bob.id, eve.id] });
    expect(await timesOf(id)).toEqual([
      ['bob', 0],
      ['eve', 0],
    ]);
    await view(id, eve);
    pass(60_000);
    await page(id, eve);
    await page(id, eve, 'GET /s/{id}/raw');
    for (const unseen of ['HEAD /s/{id}', 'HEAD /s/{id}/raw']) await page(id, bob, unseen);
    await view(id, ann);
    const { body } = await hers.receipts(id);
    expect(body.readers).toMatchObject([
      {
        ...{ id: eve.id, isNamed: true, times: 3 },
        firstOpenedAt: '2026-11-21T12:00:00.000Z',
        lastOpenedAt: '2026-11-21T12:01:00.000Z',
      },
      { id: bob.id, isNamed: true, times: 0, firstOpenedAt: null },
    ]);
  });

  it('counts a form that is sent again once', async () => {
    const id = await hers.newShare({ readers: [bob.id], viewLimit: 5 });
    await open(id, bob);
    await open(id, bob);
    expect(await timesOf(id)).toEqual([['bob', 1]]);
  });

  it('keeps who opened it when they are removed, and records nobody of a share for all', async () => {
    const id = await hers.newShare({ readers: [bob.id] });
    await view(id, bob);
    await hers.put(id, { audience: 'link' });
    await view(id, eve);
    expect(await timesOf(id)).toEqual([['bob', 1]]);
    expect((await hers.receipts(id)).body.readers[0].isNamed).toBe(false);
  });

  it('belongs to the owner alone', async () => {
    const id = await hers.newShare({ readers: [bob.id] });
    expect((await sharesOf(bob).receipts(id)).status).toBe(404);
  });

  it('loses a receipt rather than a view', async () => {
    const id = await hers.newShare({ readers: [bob.id], viewLimit: 3 });
    instead(documentClient(), { expression: 'OPENED#' }, async () => {
      throw new Error('The table is away');
    });
    expect((await view(id, bob)).status).toBe(200);
    expect(await timesOf(id)).toEqual([['bob', 0]]);
  });

  it('is deleted with its share', async () => {
    const id = await hers.newShare({ readers: [bob.id] });
    await view(id, bob);
    await hers.remove(id);
    await settleJobs();
    expect(await itemsOf(`SHARE#${id}`)).toEqual([]);
  });
});
