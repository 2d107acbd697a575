import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { auditKeys } from '../../../shared/audit/keys.ts';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { putItems } from '../../support/table/batch-writes.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

const { root } = usePeople({ root: 'super_admin' });
afterEach(() => void vi.restoreAllMocks());

type Query = Readonly<Record<string, string>>;
const list = (query: Query) => call('GET /api/audit', { token: root.token, query });

/** Counts the entries that queries examine meanwhile. */
const countExamined = async (act: () => Promise<unknown>): Promise<number> => {
  const send = vi.spyOn(documentClient(), 'send');
  await act();
  const outputs = send.mock.calls.flatMap(([command], at) =>
    command instanceof QueryCommand ? [send.mock.results[at]?.value as unknown] : [],
  );
  send.mockRestore();
  const answers = (await Promise.all(outputs)) as QueryCommandOutput[];
  return answers.reduce((sum, { ScannedCount = 0 }) => sum + ScannedCount, 0);
};

const minuteMs = 60_000;
const total = 12_500;
const newest = Date.parse('2026-10-20T00:00:00Z');
/** An entry each minute, from August on; each 4,000th is rare. */
const before = { to: '2026-10-21T00:00:00Z' };

const store = async (): Promise<void> => {
  const entries = Array.from({ length: total }, (_, age) => {
    const at = new Date(newest - age * minuteMs * 5).toISOString();
    const id = String(age).padStart(8, '0');
    const action = age % 4_000 === 3_999 ? 'thing.rare' : 'thing.often';
    const entry = { at, id, action, subject: 'thing:1', address: '', requestId: '' };
    return { ...entry, ...auditKeys.entry.at({ at, id }) };
  });
  await putItems(entries);
};

describe('GET /api/audit by action', () => {
  it('lists the entries of an action, of anyone, by one actor or about one subject', async () => {
    const by = { actor: { id: 41 } };
    for (const [action, fields] of [
      ['plan.make', { subject: 'plan:1', ...by }],
      ['plan.drop', { subject: 'plan:1', ...by }],
      ['plan.make', { subject: 'plan:2', ...by }],
      ['plan.make', { subject: 'plan:1' }],
    ] as const) {
      pass(1_000);
      await systemRecorder(action).record(fields);
    }
    const subjects = async (query: Query) => {
      const { items, total, totalIsExact } = (
        await list({ action: 'plan.make', count: 'true', ...query })
      ).body.data;
      expect([total, totalIsExact]).toEqual([items.length, true]);
      return items.map(({ subject }: { subject: string }) => subject);
    };
    expect(await subjects({})).toEqual(['plan:1', 'plan:2', 'plan:1']);
    expect(await subjects({ actor: '41' })).toEqual(['plan:2', 'plan:1']);
    expect(await subjects({ subject: 'plan:1' })).toEqual(['plan:1', 'plan:1']);
    expect(await subjects({ sort: '-at' })).toEqual(['plan:1', 'plan:2', 'plan:1']);
    expect(await subjects({ action: 'plan.drop', actor: '41' })).toEqual(['plan:1']);
  });

  it('examines up to 10,000 entries per request, and continues by its cursor', async () => {
    await store();
    const query = { ...before, action: 'thing.rare', pageSize: '100', count: 'true' };
    for (const sort of ['at', '-at']) {
      const found: string[][] = [];
      let cursor: string | undefined;
      while (cursor !== null) {
        let body: Awaited<ReturnType<typeof list>>['body'];
        const examined = await countExamined(async () => {
          ({ body } = await list({ ...query, sort, ...(cursor && { cursor }) }));
        });
        // The page and the total.
        expect(examined).toBeLessThanOrEqual(2 * 10_000);
        expect(body.data).toMatchObject({ total: 2, totalIsExact: false });
        found.push(body.data.items.map(({ id }: { id: string }) => id));
        cursor = body.data.nextCursor;
        expect(found.length).toBeLessThan(5);
      }
      const ids = ['00003999', '00007999', '00011999'];
      expect(found.length).toBeGreaterThan(1);
      expect(found.flat()).toEqual(sort === 'at' ? ids : ids.toReversed());
    }
  });

  it('finds what a long log has often with few entries examined', async () => {
    const query = { ...before, action: 'thing.often', pageSize: '50' };
    const examined = await countExamined(async () => {
      expect((await list(query)).body.data.items).toHaveLength(50);
    });
    expect(examined).toBeLessThan(2_500);
  });
});

it('names the users in the changed fields', async () => {
  const [ann, bob] = [await newUserOf('user', { name: 'Ann' }), await newUserOf('user')];
  await systemRecorder('plan.share').record({
    subject: 'plan:9',
    before: { ownerId: bob.id, sharedWith: [] },
    after: { userId: bob.id, sharedWith: [99], readers: [ann.id], size: 7 },
  });
  const { items } = (await list({ subject: 'plan:9' })).body.data;
  expect(items).toMatchObject([
    {
      users: [
        { id: bob.id, name: 'Bob Example' },
        { id: ann.id, name: 'Ann' },
      ],
    },
  ]);
});
