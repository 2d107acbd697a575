import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { recount } from '../../../functions/jobs/recount/recount.ts';
import { dynamoDbClient, tableName } from '../../../shared/db/dynamodb.ts';
import { putObject } from '../../../shared/storage/bucket.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { type CallOptions, call } from '../../support/service/call.ts';
import { settleJobs, useJobs } from '../../support/service/jobs.ts';
import { useMail } from '../../support/service/mail.ts';
import { view } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { unpack } from './recording.ts';

const recording = unpack();
const { ids, password } = recording;
const maxWrites = 25;

useTable();
useBucket();
useJobs();
useMail();
useVirtualTime(new Date(Date.parse(recording.recordedAt) + 3_600_000).toISOString());

const signIn = async (email: string): Promise<string> => {
  const { body } = await call('POST /api/auth/login', { body: { email, password } });
  return body.accessToken;
};

const tokens: Record<string, string> = {};

beforeAll(async () => {
  for (let at = 0; at < recording.items.length; at += maxWrites) {
    const writes = recording.items
      .slice(at, at + maxWrites)
      .map((Item) => ({ PutRequest: { Item } }));
    await dynamoDbClient().send(
      new BatchWriteItemCommand({ RequestItems: { [tableName()]: writes } }),
    );
  }
  for (const [key, bytes] of Object.entries(recording.objects)) {
    await putObject(key, Buffer.from(bytes, 'base64'));
  }
});

const as = async (who: string, endpoint: string, options: CallOptions = {}) => {
  tokens[who] ??= await signIn(`${who}@example.com`);
  return call(endpoint, { token: tokens[who], ...options });
};

const month = { start: '2026-11-01', end: '2026-12-01' };

/** Each kind of record: who has it, and how it is listed, read and changed. */
const kinds = [
  [
    'user',
    'root',
    'GET /api/users',
    'GET /api/users/{id}',
    'PUT /api/users/{id}',
    { name: 'Anna' },
  ],
  [
    'document',
    'ann',
    'GET /api/documents',
    'GET /api/documents/{id}',
    'PUT /api/documents/{id}',
    { title: 'Changed' },
  ],
  ['document', 'bob', 'GET /api/documents', 'GET /api/documents/{id}', undefined, undefined],
  [
    'file',
    'ann',
    'GET /api/files',
    'GET /api/files/{id}',
    'PUT /api/files/{id}',
    { name: 'other.txt' },
  ],
  [
    'message',
    'bob',
    'GET /api/messages',
    'GET /api/messages/{id}',
    'PUT /api/messages/{id}/read',
    { read: true },
  ],
  [
    'event',
    'ann',
    'GET /api/calendar/events',
    'GET /api/calendar/events/{id}',
    'PUT /api/calendar/events/{id}',
    { title: 'Changed' },
  ],
  ['sale', 'ann', 'GET /api/sales', 'GET /api/sales/{id}', 'PUT /api/sales/{id}', { amount: 5 }],
  [
    'share',
    'root',
    'GET /api/shares',
    'GET /api/shares/{id}',
    'PUT /api/shares/{id}/decision',
    { decision: 'keep' },
  ],
  [
    'notification',
    'bob',
    'GET /api/notifications',
    undefined,
    'PUT /api/notifications/{id}/read',
    undefined,
  ],
] as const;

describe(`data of release ${recording.version} under today's code`, () => {
  it.each(kinds)(
    'lists, reads and changes one %s of %s',
    async (kind, who, list, read, change, body) => {
      const id = String(ids[kind]);
      const listed = await as(who, list, list.includes('calendar') ? { query: month } : {});
      const all = (listed.body.data.items ?? listed.body.data) as readonly { id: unknown }[];
      expect(all.map((one) => String(one.id))).toContain(id);
      if (read) expect(await as(who, read, { params: { id } })).toMatchObject({ status: 200 });
      if (!change) return;
      const changed = await as(who, change, { params: { id }, ...(body && { body }) });
      expect(changed).toMatchObject({ status: 200 });
    },
  );

  it('opens shares with all that they have, and changes them', async () => {
    const params = { id: String(ids['share']) };
    const opened = await call('GET /api/share', { query: params });
    expect(opened).toMatchObject({ status: 200, body: { content: '# Another' } });
    const first = { ...params, version: '1' };
    const revision = await as('ann', 'GET /api/share/{id}/revisions/{version}', { params: first });
    expect(revision).toMatchObject({ status: 200 });
    expect(revision.body.content).toMatch(/^# Räder & Ämter\n(A long text\. ){3000}$/);
    const links = await as('ann', 'GET /api/share/{id}/links', { params });
    expect(links.body.items).toMatchObject([{ id: ids['link'], label: 'For Carl' }]);
    expect(await view(String(ids['link']))).toMatchObject({ status: 200 });
    const body = { content: '# Third' };
    expect(await as('ann', 'PUT /api/share/{id}', { params, body })).toMatchObject({ status: 200 });
  });

  it('asks for the password of a share, which its owner reads and changes', async () => {
    const id = String(ids['secret']);
    // The tests derive keys at another cost, so the right password is not known here.
    const refused = await view(id);
    expect([refused.status, refused.body.error.message]).toEqual([401, 'Password required.']);
    const query = { id, mine: 'true' };
    const own = await as('ann', 'GET /api/share', { query });
    expect(own).toMatchObject({ status: 200, body: { content: '<p>Hi</p>', viewLimit: 5 } });
    const changed = { params: { id }, body: { password: 'other6' } };
    expect(await as('ann', 'PUT /api/share/{id}', changed)).toMatchObject({ status: 200 });
    expect(await view(id, 'other6')).toMatchObject({ status: 200 });
  });

  it('downloads the bytes of a file', async () => {
    const params = { id: String(ids['file']) };
    const { status, headers } = await as('ann', 'GET /api/files/{id}/download', { params });
    expect(status).toBe(302);
    expect(await (await fetch(headers['location'] ?? '')).text()).toBe('Bytes of a file.');
  });

  it('accepts an API token, and knows today’s check-in', async () => {
    const options = { token: recording.token };
    expect(await call('GET /api/documents', options)).toMatchObject({ status: 200 });
    expect(await as('ann', 'GET /api/auth/tokens')).toMatchObject({ status: 200 });
    expect(await as('ann', 'GET /api/checkin')).toMatchObject({ status: 200 });
  });

  it('has totals that agree with the records, also after it deletes a user with all records', async () => {
    const params = { id: String(ids['user']) };
    expect(await as('root', 'DELETE /api/users/{id}', { params })).toMatchObject({ status: 200 });
    await settleJobs();
    const { differences, unstable } = await recount({ apply: false });
    expect([differences, unstable]).toEqual([[], []]);
  });
});
