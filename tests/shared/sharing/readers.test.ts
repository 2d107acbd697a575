import { describe, expect, it } from 'vitest';
import { list as listNotifications } from '../../support/notifications/notifications.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { minuteLater, useJobs } from '../../support/service/jobs.ts';
import { recordTypes } from '../../support/sharing/record-types.ts';
import { useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00.000Z');
useTable();
useBucket();
useJobs();

const missing = { status: 404, body: { error: { code: 'NOT_FOUND', details: [] } } };

const noticesOf = async (person: Person) =>
  (await listNotifications(person)).body.data.items as readonly unknown[];

describe.each(Object.values(recordTypes))('sharing $group', (recordType) => {
  const { group, singular, nameField, newRecord, look, change, remove, listed, share, unshare } =
    recordType;
  const { newReader, notifyReaders } = recordType;
  const { ann, manager } = usePeople({
    ann: () => recordType.newOwner('Ann Owner'),
    manager: () => recordType.newManager(),
  });

  it('lets the given users view a record until it is unshared', async () => {
    const [rea, rob] = [await newReader(), await newReader()];
    const id = await newRecord(ann);
    expect(await look(rea, id)).toMatchObject(missing);
    const shared = await share(ann, id, [rea.id, rob.id, rea.id, ann.id]);
    expect(shared).toMatchObject({
      status: 200,
      body: { message: 'Shared', data: { id, sharedWith: [rea.id, rob.id], version: 2 } },
    });
    expect(shared.body.data).not.toHaveProperty('content');
    expect(shared.headers['etag']).toMatch(/^"2-/);
    expect((await look(rea, id)).body.data.sharedWith).toEqual([rea.id]);
    expect((await share(ann, id, [rea.id])).body.data.version).toBe(2);
    expect(await listed(rea)).toEqual({ ids: [id], total: 1 });
    expect(await unshare(ann, id, [rea.id, 12345])).toMatchObject({
      status: 200,
      body: { message: 'Unshared', data: { sharedWith: [rob.id], version: 3 } },
    });
    expect((await unshare(ann, id, [rea.id])).body.data.version).toBe(3);
    expect(await look(rea, id)).toMatchObject(missing);
    expect(await listed(rea)).toEqual({ ids: [], total: 0 });
    expect(await listed(rob)).toEqual({ ids: [id], total: 1 });
  });

  it.each([
    [undefined, 'userIds', 'is required'],
    [[], 'userIds', 'must contain at least one user'],
    [['x'], 'userIds.0', 'must be the id of a user'],
    [[0], 'userIds.0', 'must be the id of a user'],
    [[12345], 'userIds', 'contains unknown users: 12345'],
  ])('rejects %j for %s', async (userIds, field, message) => {
    const id = await newRecord(ann);
    const response = await share(ann, id, userIds);
    expect([response.status, response.body.error.details]).toEqual([400, [{ field, message }]]);
    expect((await look(ann, id)).body.data).toMatchObject({ sharedWith: [], version: 1 });
  });

  it('accepts up to 20 readers', async () => {
    const id = await newRecord(ann);
    const readers = await Promise.all(Array.from({ length: 21 }, () => newReader()));
    const ids = readers.map((reader) => reader.id);
    const most = 'must contain at most 20 users';
    const details = async (userIds: readonly number[]) =>
      (await share(ann, id, userIds)).body.error.details;
    expect(await details(ids)).toEqual([{ field: 'userIds', message: most }]);
    expect((await share(ann, id, ids.slice(0, 20))).body.data.sharedWith).toEqual(ids.slice(0, 20));
    const message = 'cannot be shared with more than 20 users';
    expect(await details(ids.slice(20))).toEqual([{ field: 'userIds', message }]);
    expect((await look(readers[20] as Person, id)).status).toBe(404);
    expect(await listed(readers[19] as Person)).toEqual({ ids: [id], total: 1 });
  });

  it('keeps the readers of a public record without showing them to others', async () => {
    const [rea, bob] = [await newReader(), await newReader()];
    const id = await newRecord(ann);
    await share(ann, id, [rea.id]);
    await change(ann, id, { visibility: 'everyone' });
    expect((await look(bob, id)).body.data.sharedWith).toEqual([]);
    expect((await listed(bob)).ids).toContain(id);
    expect((await look(ann, id)).body.data.sharedWith).toEqual([rea.id]);
    await change(ann, id, { visibility: 'private' });
    expect(await look(bob, id)).toMatchObject(missing);
    expect((await look(rea, id)).status).toBe(200);
  });

  it('notifies each new reader once, naming who shared the record', async () => {
    const [rea, rob, roy] = [await newReader(), await newReader(), await newReader()];
    const id = await newRecord(ann, 'Minutes of May');
    await share(ann, id, [rea.id, rob.id]);
    await share(manager, id, [rea.id, roy.id]);
    await unshare(ann, id, [rob.id]);
    await minuteLater();
    const notice = (name: string) =>
      expect.objectContaining({
        type: 'user',
        title: `A ${singular} was shared with you`,
        content: '“Minutes of May”',
        link: `/api/${group}/${id}`,
        sender: expect.objectContaining({ name }),
      });
    expect(await noticesOf(rea)).toEqual([notice('Ann Owner')]);
    expect(await noticesOf(rob)).toEqual([]);
    expect(await noticesOf(roy)).toEqual([notice('Max Manager')]);
    const sharedBy = { id: ann.id, name: 'Ann Owner' };
    const sharing = { id, userIds: [rea.id], sharedBy, sharedAt: '2026-11-21T12:00:00Z' };
    await notifyReaders(sharing);
    await notifyReaders(sharing);
    expect(await noticesOf(rea)).toHaveLength(2);
  });

  it('notifies no one of a deleted record', async () => {
    const rea = await newReader();
    const id = await newRecord(ann, nameField);
    await share(ann, id, [rea.id]);
    await remove(ann, id);
    await minuteLater();
    expect(await noticesOf(rea)).toEqual([]);
  });
});
