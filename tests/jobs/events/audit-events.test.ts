import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { tellAuditEvents } from '../../../functions/jobs/audit-events/tail.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { auditKeys } from '../../../shared/audit/keys.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { listShards } from '../../../shared/db/key.ts';
import { transact } from '../../../shared/db/transaction.ts';
import { webhookKeys } from '../../../shared/webhooks/keys.ts';
import { toldEvents, toldOnce, useEvents } from '../../support/events/events.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { runMinute, useJobs, withoutQueue } from '../../support/service/jobs.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { clearTable } from '../../support/table/clear-table.ts';
import { useMeter } from '../../support/table/meter.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { setUser } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
useEvents();
const meter = useMeter();

beforeEach(() => clearTable());
const { root, admin } = useNewPeople({ root: 'super_admin', admin: 'super_admin' });

const put = (item: object) =>
  documentClient().send(
    new PutCommand({ TableName: tableName(), Item: item as Record<string, unknown> }),
  );

/** Lists an active webhook that wants these names, as its change does. */
const listen = ({ id: userId }: { readonly id: number }, events: readonly string[], id = 1) =>
  put({ ...webhookKeys.ofAudit.at({ userId, id }), userId, hookId: id, events });

/** Writes an entry, as a change does whose transaction was made at a time. */
const write = async (action: string, at = Date.now(), fields: object = {}) => {
  const now = Date.now();
  vi.setSystemTime(at);
  await transact(systemRecorder(action).steps({ subject: 'user:1', ...fields }));
  vi.setSystemTime(now);
};

const run = () => tellAuditEvents({ deadline: Date.now() + 20_000 });

const markOf = async () =>
  (await itemsOf('WEBHOOKS#AUDIT')).find(({ sk }) => sk === webhookKeys.auditMark.at().sk);

const typesOf = async () => (await toldEvents()).map(({ event }) => event.type);

/** Begins to tell, with nothing before. */
const begin = async (...events: readonly string[]) => {
  pass(120_000);
  await listen(root, events);
  await run();
};

describe('events of the audit', () => {
  it('say what the audit says, without names of subjects, addresses and content', async () => {
    await begin('user.update', 'share.create');
    const { body } = await call('POST /api/share', {
      token: root.token,
      body: { content: 'Hush', title: 'Top secret', viewLimit: 3 },
    });
    const changed = await call('PUT /api/users/{id}', {
      token: root.token,
      params: { id: String(admin.id) },
      body: { role: 'admin', name: 'Nobody is to know', email: 'new@example.com' },
    });
    expect(changed.status).toBe(200);
    const told = await toldEvents();
    expect(told).toHaveLength(2);
    const byType = Object.fromEntries(told.map((one) => [one.event.type, one]));
    expect(byType['user.update']).toEqual({
      userId: root.id,
      event: {
        id: expect.stringMatching(/^evt_[\w-]{22}$/),
        type: 'user.update',
        timestamp: new Date().toISOString(),
        data: {
          id: expect.stringMatching(/^[\w-]{8}$/),
          subject: `user:${admin.id}`,
          actor: { id: root.id, name: expect.any(String) },
          ...{ token: null, tool: null },
          requestId: changed.headers['x-request-id'],
          changed: expect.arrayContaining(['role', 'name']),
          before: { role: 'super_admin' },
          after: { role: 'admin' },
        },
      },
    });
    expect(byType['share.create']?.event.data).toMatchObject({
      subject: `share:${body.id}`,
      after: { viewLimit: 3 },
    });
    expect(JSON.stringify(told)).not.toMatch(/secret|Hush|Nobody|example\.com|192\.0\.2/);
  });

  it('are told once each, to those who want them', async () => {
    await begin('role.create', 'role.delete');
    await listen(admin, ['role.create'], 2);
    await listen(admin, ['role.update'], 3);
    for (const action of ['role.create', 'role.delete', 'role.update', 'user.update']) {
      await write(action);
    }
    const told = (await toldEvents()).map(({ userId, event }) => [userId, event.type]);
    expect(told.sort()).toEqual(
      [
        [root.id, 'role.create'],
        [root.id, 'role.delete'],
        [admin.id, 'role.create'],
        [admin.id, 'role.update'],
      ].sort(),
    );
    pass(60_000);
    await run();
    expect(await toldEvents()).toHaveLength(4);
  });

  it('are told of entries that appear late, in any shard', async () => {
    await begin('job.retry');
    const start = Date.now();
    for (let minute = 1; minute <= 3; minute++) {
      pass(60_000);
      for (let count = 0; count < 20; count++) await write('job.retry');
      await run();
      // Their transactions were made before, and ended after the run.
      for (let late = 0; late < 20; late++) await write('job.retry', Date.now() - 1_500 * late);
    }
    pass(60_000);
    await run();
    const shards = new Set((await itemsOf('AUDIT#')).map(({ pk }) => pk));
    expect(listShards(auditKeys.entry).filter((pk) => shards.has(pk))).toHaveLength(16);
    const told = await toldEvents();
    expect(told).toHaveLength(120);
    expect(new Set(told.map(({ event }) => event.id)).size).toBe(120);
    expect(told.every(({ event }) => Date.parse(event.timestamp) >= start)).toBe(true);
  });

  it('are told by writers whose clocks are ahead', async () => {
    await begin('job.retry');
    await write('job.retry', Date.now() + 30_000);
    await run();
    for (let minute = 0; minute < 3; minute++) {
      pass(60_000);
      await run();
    }
    expect(await typesOf()).toEqual(['job.retry']);
  });

  it('are the same events if a run is repeated, or two run at once', async () => {
    await begin('job.retry');
    for (let count = 0; count < 5; count++) await write('job.retry');
    const mark = await markOf();
    await Promise.all([run(), run()]);
    if (mark) await put(mark);
    await run();
    expect((await toldEvents()).length).toBeGreaterThan(5);
    expect(await toldOnce()).toHaveLength(5);
  });

  it('go on where a deadline ended a run, each at least once', async () => {
    await begin('job.retry');
    await Promise.all(Array.from({ length: 2_500 }, () => write('job.retry')));
    await tellAuditEvents({ deadline: 0 });
    expect((await markOf())?.['told']).toHaveLength(1_000);
    for (let runs = 0; runs < 3; runs++) {
      pass(60_000);
      await run();
    }
    expect(await toldOnce()).toHaveLength(2_500);
  });

  it('wait in the table while the queue takes nothing', async () => {
    await begin('job.retry');
    await write('job.retry');
    await withoutQueue(run);
    expect(await typesOf()).toEqual(['job.retry']);
  });

  it.each([
    ['lost the right', { role: 'user' }],
    ['is suspended', { status: 'suspended' }],
  ])('are not told to a user who %s', async (_, fields) => {
    await begin('job.retry');
    await setUser(root.id, fields);
    await write('job.retry');
    await run();
    expect(await toldEvents()).toEqual([]);
  });

  it('of before the first webhook are not told, nor those between two', async () => {
    await write('job.retry');
    pass(120_000);
    await begin('job.retry');
    await write('job.retry');
    await run();
    await documentClient().send(
      new PutCommand({ TableName: tableName(), Item: { pk: 'X', sk: 'X' } }),
    );
    expect(await typesOf()).toEqual(['job.retry']);
  });
});

describe('while nobody wants events of the audit', () => {
  it('a run reads nothing but the empty list', async () => {
    await sharesOf(root).newShare();
    const { readUnits, writeUnits, requests } = await meter.measure(run);
    expect({ readUnits, writeUnits, requests: requests.table }).toEqual({
      readUnits: 0.5,
      writeUnits: 0,
      requests: 1,
    });
  });

  it('the mark of those who did is deleted', async () => {
    await begin('job.retry');
    expect(await markOf()).toBeDefined();
    await clearTable();
    await put({ ...webhookKeys.auditMark.at(), at: new Date().toISOString(), told: [] });
    await run();
    expect(await markOf()).toBeUndefined();
  });
});

it('a run with nothing new reads the ends of the shards and writes nothing', async () => {
  await begin('job.retry');
  pass(300_000);
  await run();
  pass(60_000);
  const { readUnits, writeUnits, trips } = await meter.measure(run);
  expect({ readUnits, writeUnits, trips }).toEqual({ readUnits: 8.5, writeUnits: 0, trips: 2 });
});

it('runs every minute', async () => {
  await begin('job.retry');
  await write('job.retry');
  await runMinute();
  expect(await typesOf()).toEqual(['job.retry']);
});
