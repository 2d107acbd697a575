import { expect, it, vi } from 'vitest';
import { listed, look } from '../../support/documents/documents.ts';
import { violationsOf } from '../../support/invariants/invariants.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { deadJobs, queuedWork, runJobs, runMinute, useJobs } from '../../support/service/jobs.ts';
import { readState } from '../../support/service/state.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { putDocuments } from './many-documents.ts';

useTable();
useJobs();
useBucket();

it('returns from the transfer of 10,000 documents once, and jobs finish it', {
  timeout: 900_000,
}, async () => {
  const root = await newUserOf('super_admin');
  const [ann, bob] = [await newUserOf('user'), await newUserOf('user')];
  const ids = await putDocuments(ann.id, 10_000);
  const [first = 0, last = 0] = [ids[0], ids.at(-1)];

  const request = {
    token: root.token,
    params: { id: String(ann.id) },
    query: { transferTo: String(bob.id) },
  };
  const { status, body } = await call('DELETE /api/users/{id}', request);
  expect({ status, body }).toEqual({
    status: 200,
    body: { success: true, data: { id: ann.id, pending: true }, message: 'Deleted' },
  });
  // The last documents are not transferred yet, so even managers can't find them.
  expect((await look(bob, first)).body.data.author_id).toBe(bob.id);
  for (const client of [bob, root]) expect((await look(client, last)).status).toBe(404);
  expect((await call('DELETE /api/users/{id}', request)).status).toBe(404);

  await runMinute();
  expect(await runJobs()).toBeGreaterThan(1);
  // The final check covers records that concurrent requests of the user created.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  await runMinute();
  await runJobs();
  vi.useRealTimers();
  expect((await look(bob, last)).body.data.author_id).toBe(bob.id);
  expect((await listed(bob)).total).toBe(10_000);
  expect(await itemsOf(`DOCUMENTS#OF#${ann.id}`)).toEqual([]);
  expect([await queuedWork(), await deadJobs(), await itemsOf('OUTBOX')]).toEqual([[], [], []]);
  expect(violationsOf(await readState())).toEqual([]);
});
