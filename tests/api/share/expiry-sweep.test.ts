import { randomBytes } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, it, vi } from 'vitest';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { instead } from '../../support/service/interruption.ts';
import { runMinute, useJobs } from '../../support/service/jobs.ts';
import { textObjects } from '../../support/shares/objects.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { view } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();
afterEach(() => {
  vi.restoreAllMocks();
});

/** Too large for the table. */
const large = () => randomBytes(15_000).toString('base64');

it('returns the new content if the previous object was deleted after the record was read', async () => {
  const { newShare, put, look } = sharesOf(await newPerson());
  const id = await newShare({ content: large(), viewLimit: 2 });
  const objects = async () => (await textObjects()).filter((key) => key.includes(id));
  const [former] = await objects();
  const next = large();
  instead(documentClient(), QueryCommand, async (go) => {
    const record = await go();
    expect((await put(id, { content: next })).status).toBe(200);
    pass(1_000);
    await runMinute();
    return record;
  });
  const { status, body } = await view(id);
  expect([status, body.content === next, body.views, body.version]).toEqual([200, true, 1, 2]);
  expect(await objects()).toHaveLength(1);
  expect(await objects()).not.toContain(former);
  expect((await look(id)).body.views).toBe(1);
});
