import { afterEach, describe, expect, it, vi } from 'vitest';
import { healthKeys } from '../../../functions/api/health/keys.ts';
import { ChangeRecorder, changedFields, systemRecorder } from '../../../shared/audit/audit-log.ts';
import { auditKeys } from '../../../shared/audit/keys.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { createItemWrite, type Step, transact } from '../../../shared/db/transaction.ts';
import { entries } from '../../support/service/audit.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';

useTable();
afterEach(() => vi.useRealTimers());

const now = Date.UTC(2026, 10, 21, 12);
const dayMs = 86_400_000;
const actor = { user: { id: 7 } } as Actor;
const origin = { address: '192.0.2.1', requestId: 'request-1' };
const changeOf = (action = 'thing.update') => new ChangeRecorder(action, actor, origin);

const stopClock = () => vi.useFakeTimers({ toFake: ['Date'], now });

describe('changedFields', () => {
  const before = { name: 'Ann', tags: ['a'], phone: '1', passwordHash: 'x' };

  it('returns the named fields that differ, before and after', () => {
    const after = { ...before, tags: ['a', 'b'], passwordHash: 'y' };
    expect(changedFields(before, after, ['name', 'tags', 'phone'])).toEqual({
      before: { tags: ['a'] },
      after: { tags: ['a', 'b'] },
    });
  });

  it('returns null for absent fields', () => {
    const { phone: _, ...without } = before;
    expect(changedFields<Partial<typeof before>>(before, without, ['name', 'phone'])).toEqual({
      before: { phone: '1' },
      after: { phone: null },
    });
  });

  it('returns nothing if no field differs', () => {
    const after = { ...before, tags: ['a'], passwordHash: 'y' };
    expect(changedFields(before, after, ['name', 'tags'])).toEqual({ before: {}, after: {} });
  });
});

describe('ChangeRecorder.steps', () => {
  it('creates entries by time, actor and subject with a retention of a year and a day', () => {
    stopClock();
    const [audit, auditOfSubject, ...others] = changeOf().steps({
      subject: 'thing:1',
      before: { name: 'a' },
      after: { name: 'b' },
    });
    const at = '2026-11-21T12:00:00.000Z';
    const id = audit?.write?.Put?.Item?.['id'];
    expect(id).toMatch(/^[\w-]{8}$/);
    const entry = {
      ...{ id, action: 'thing.update', subject: 'thing:1', at, actorId: 7, ...origin },
      ...{ before: { name: 'a' }, after: { name: 'b' }, ttl: (now + 366 * dayMs) / 1_000 },
    };
    const ofActor = { gsi1pk: 'AUDIT#ACTOR#7', gsi1sk: `${at}#${id}` };
    expect(audit?.write).toEqual(
      createItemWrite(auditKeys.entry.at({ at, id }), { ...entry, ...ofActor }),
    );
    expect(auditOfSubject?.write).toEqual(
      createItemWrite({ pk: 'AUDIT#SUBJECT#thing:1', sk: `${at}#${id}` }, entry),
    );
    expect(others).toEqual([]);
  });

  it('uses the retention of the setting', () => {
    stopClock();
    vi.stubEnv('AUDIT_KEEP', '30d');
    const [audit] = changeOf().steps({ subject: 'thing:1' });
    vi.unstubAllEnvs();
    expect(audit?.write?.Put?.Item?.['ttl']).toBe((now + 31 * dayMs) / 1_000);
  });

  it('uses the given actor and action instead of those of the request', () => {
    const [audit] = changeOf().steps({
      subject: 'user:8',
      actor: { id: 8, name: 'Bob' },
      action: 'user.refuse',
    });
    expect(audit?.write?.Put?.Item).toMatchObject({
      ...{ actorId: 8, actorName: 'Bob', action: 'user.refuse', gsi1pk: 'AUDIT#ACTOR#8' },
    });
  });

  it('truncates long texts', () => {
    const after = { text: 'x'.repeat(5_000), short: 'y'.repeat(200) };
    const [audit] = changeOf().steps({ subject: 'thing:1', after });
    expect(audit?.write?.Put?.Item?.['after']).toEqual({
      text: `${'x'.repeat(200)}…`,
      short: 'y'.repeat(200),
    });
  });

  it('creates no actor and no actor entry without a request', () => {
    const [audit] = systemRecorder('thing.sweep').steps({ subject: 'thing:1' });
    const item = audit?.write?.Put?.Item ?? {};
    expect(item).toMatchObject({ action: 'thing.sweep', address: '', requestId: '' });
    expect(item['actorId']).toBeUndefined();
    expect(Object.keys(item)).not.toContain('gsi1pk');
  });

  it('are written with the change or not at all', async () => {
    const write = (subject: string) =>
      transact([
        { write: createItemWrite(healthKeys.probe.at(), {}), refused: 'taken' },
        ...changeOf('atomic.make').steps({ subject }),
      ]);
    expect(await write('atomic:1')).toBeUndefined();
    expect(await write('atomic:2')).toEqual({ by: 'taken', item: undefined });
    expect(await itemsOf('AUDIT#SUBJECT#atomic:1')).toHaveLength(1);
    expect(await itemsOf('AUDIT#SUBJECT#atomic:2')).toEqual([]);
    const all = await entries();
    expect(all.filter(({ action }) => action === 'atomic.make')).toHaveLength(1);
  });

  it('marks the idempotency key once', async () => {
    const marker = (subject: string): Step => ({
      write: createItemWrite({ pk: 'IDEMPOTENCY#0', sk: 'CREATED#x' }, { subject }),
      refused: () => new Error('repeated'),
    });
    const change = new ChangeRecorder('once.make', actor, origin, marker);
    expect(await transact(change.steps({ subject: 'once:1' }))).toBeUndefined();
    await expect(transact(change.steps({ subject: 'once:2' }))).rejects.toThrow('repeated');
    expect(await itemsOf('IDEMPOTENCY#0')).toEqual([
      expect.objectContaining({ subject: 'once:1' }),
    ]);
    expect(await itemsOf('AUDIT#SUBJECT#once:2')).toEqual([]);
  });
});

describe('ChangeRecorder.record', () => {
  it('writes both entries without a change', async () => {
    await changeOf('note.leave').record({ subject: 'note:1', after: { tried: true } });
    const [entry, ...others] = await itemsOf('AUDIT#SUBJECT#note:1');
    expect(others).toEqual([]);
    const { pk: _, ...rest } = entry ?? {};
    const byTime = (await entries()).filter(({ action }) => action === 'note.leave');
    expect(byTime).toEqual([expect.objectContaining(rest)]);
  });
});
