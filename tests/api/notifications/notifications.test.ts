import { describe, expect, it } from 'vitest';
import { parseCounters } from '../../../shared/notifications/counters.ts';
import { notify } from '../../../shared/notifications/notify.ts';
import {
  list,
  listed,
  markAllRead,
  markRead,
  notice,
  remove,
  tell,
  told,
  unreadCount,
} from '../../support/notifications/notifications.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { login, newPerson, newUserOf, type Person } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useVirtualTime('2026-11-21T23:00:00.000Z');

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

const { ann } = usePeople({ ann: newPerson });

const missing = { status: 404, body: { error: { code: 'NOT_FOUND', details: [] } } };
/** Signs in again, because sessions end before notifications expire. */
const signedInAgain = async (person: Person): Promise<Person> => ({
  ...person,
  token: (await login(person.email)).body.accessToken,
});

describe('GET /api/notifications', () => {
  it('returns all fields, newest first', async () => {
    const bob = await newUserOf('guest', { name: 'Bob Sender', avatar: 'https://example.com/b' });
    const her = await newPerson();
    const fields = {
      type: 'user',
      link: '/api/documents/7',
      sender: { id: bob.id, name: 'Bob' },
      action: 'shared a document with you',
    } as const;
    await tell(her);
    const createdAt = new Date().toISOString();
    pass(second);
    await tell(her, fields);
    const response = await list(her);
    const { topic: _, ...content } = notice;
    const unknown = { link: null, sender: null, action: null, conversationId: null };
    const shown = { ...content, ...unknown, read: false, readAt: null };
    const sender = { id: bob.id, name: 'Bob Sender', avatar: 'https://example.com/b' };
    expect({ status: response.status, body: response.body }).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          items: [
            {
              ...shown,
              id: expect.any(Number),
              type: 'user',
              link: '/api/documents/7',
              sender,
              action: 'shared a document with you',
              createdAt: new Date().toISOString(),
            },
            { ...shown, id: expect.any(Number), createdAt },
          ],
          total: 2,
          totalIsExact: true,
          page: 1,
          pageSize: 10,
          totalPages: 1,
          nextCursor: null,
        },
      },
    });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('returns an empty list for users without notifications', async () => {
    const her = await newPerson();
    expect(await listed(her)).toEqual({ items: [], total: 0 });
    expect(await listed(her, { unread: 'true' })).toEqual({ items: [], total: 0 });
    expect(await listed(her, { type: 'alert' })).toEqual({ items: [], total: 0 });
    expect(await unreadCount(her)).toBe(0);
    expect((await markAllRead(her)).status).toBe(200);
    expect(await itemsOf(`USER#${her.id}`)).not.toContainEqual(
      expect.objectContaining({ sk: 'UPDATES#COUNTERS' }),
    );
  });

  it.each([{}, { unread: 'true' }, { type: 'system' }])(
    'paginates all of %j by number and by cursor while they are marked as read',
    async (filter) => {
      const her = await newPerson();
      const ids = await told(her, 7);
      const seen: number[] = [];
      let next: Record<string, string> = {};
      do {
        const { body } = await list(her, { ...filter, ...next, pageSize: '3' });
        for (const { id } of body.data.items) {
          seen.push(id);
          await markRead(her, id);
        }
        next = body.data.nextCursor === null ? {} : { cursor: body.data.nextCursor };
      } while (next['cursor']);
      expect(seen).toEqual(ids);
      const third = await list(her, { page: '3', pageSize: '3' });
      expect(third.body.data).toMatchObject({ items: [{ id: ids[6] }], totalPages: 3 });
    },
  );

  it('filters by unread and by type', async () => {
    const her = await newPerson();
    const [c, b, a] = await told(her, 3);
    await tell(her, { type: 'task' });
    const [task] = (await listed(her, { type: 'task' })).items;
    await markRead(her, b as number);
    const unread = await listed(her, { unread: 'true' });
    expect(unread.items.map(({ id }) => id)).toEqual([task?.['id'], c, a]);
    expect(unread.total).toBe(3);
    const ofSystem = await listed(her, { type: 'system' });
    expect(ofSystem.items.map(({ id }) => id)).toEqual([c, b, a]);
    expect(ofSystem.total).toBe(3);
    expect((await listed(her, { unread: '', type: '' })).total).toBe(4);
  });

  it('filters by read, including those marked by read-all', async () => {
    const her = await newPerson();
    const [c, b, a] = await told(her, 3);
    await markRead(her, b as number);
    const read = async (query: Record<string, string> = {}) => {
      const { items, total } = await listed(her, { unread: 'false', ...query });
      return { ids: items.map(({ id }) => id), total };
    };
    expect(await read()).toEqual({ ids: [b], total: 1 });
    await markAllRead(her);
    const [d] = await told(her, 1);
    expect(await read()).toEqual({ ids: [c, b, a], total: 3 });
    expect(await read({ sort: '-createdAt' })).toEqual({ ids: [a, b, c], total: 3 });
    const { data } = (await list(her, { unread: 'false', pageSize: '1' })).body;
    const rest = await list(her, { unread: 'false', cursor: data.nextCursor });
    expect(rest.body.data.items.map(({ id }: { id: number }) => id)).toEqual([b, a]);
    expect((await listed(her, { unread: 'true' })).items.map(({ id }) => id)).toEqual([d]);
  });

  it('returns an empty next page after read-all', async () => {
    const her = await newPerson();
    await told(her, 5);
    const { body } = await list(her, { unread: 'true', pageSize: '2' });
    await markAllRead(her);
    const rest = await list(her, { unread: 'true', cursor: body.data.nextCursor });
    expect(rest.body.data).toMatchObject({ items: [], total: 0, nextCursor: null });
  });

  it.each([
    [{ unread: 'yes' }, 'unread', 'must be true or false'],
    [{ type: 'mail' }, 'type', 'must be one of system, user, message, task, alert'],
    [{ sort: 'title' }, 'sort', 'must be createdAt; - reverses the order'],
    [{ unread: 'true', type: 'user' }, 'type', 'cannot be combined with unread'],
    [{ unread: 'false', type: 'user' }, 'type', 'cannot be combined with unread'],
    [{ cursor: 'x.y.z' }, 'cursor', expect.stringContaining('nextCursor')],
    [{ page: '1001', pageSize: '10' }, 'page', expect.stringContaining('cursor')],
  ])('rejects %j', async (query, field, message) => {
    expect(await list(ann, query as Record<string, string>)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: [{ field, message }] } },
    });
  });

  it('rejects a cursor of another user or filter', async () => {
    const her = await newPerson();
    await told(her, 2);
    const { nextCursor: cursor } = (await list(her, { pageSize: '1' })).body.data;
    expect((await list(ann, { cursor })).status).toBe(400);
    expect((await list(her, { cursor, unread: 'true' })).status).toBe(400);
    expect((await list(her, { cursor })).status).toBe(200);
  });
});

describe('PUT /api/notifications/{id}/read', () => {
  it('marks a notification as read, once', async () => {
    const her = await newPerson();
    const [newer, older] = await told(her, 2);
    const readAt = new Date().toISOString();
    const first = await markRead(her, older as number);
    expect(first).toMatchObject({
      status: 200,
      body: { data: { id: older, read: true, readAt }, message: 'Marked as read' },
    });
    pass(second);
    expect((await markRead(her, older as number)).body).toEqual(first.body);
    expect((await listed(her)).items).toMatchObject([
      { id: newer, read: false, readAt: null },
      { id: older, read: true, readAt },
    ]);
    expect(await unreadCount(her)).toBe(1);
  });

  it('counts concurrent requests once', async () => {
    const her = await newPerson();
    const [id] = await told(her, 2);
    const responses = await Promise.all([1, 2, 3, 4].map(() => markRead(her, id as number)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await unreadCount(her)).toBe(1);
  });
});

describe('PUT /api/notifications/read-all', () => {
  it('marks existing notifications as read with the current time', async () => {
    const her = await newPerson();
    const [latest, first] = await told(her, 2);
    await markRead(her, first as number);
    const readFirst = new Date().toISOString();
    pass(second);
    const readAll = new Date().toISOString();
    expect(await markAllRead(her)).toMatchObject({
      status: 200,
      body: { success: true, data: {} },
    });
    pass(second);
    const [third] = await told(her, 1);
    const expected = [
      { id: third, read: false, readAt: null },
      { id: latest, read: true, readAt: readAll },
      { id: first, read: true, readAt: readFirst },
    ];
    expect((await listed(her)).items).toMatchObject(expected);
    expect(await unreadCount(her)).toBe(1);
    expect((await markRead(her, latest as number)).body.data).toMatchObject(expected[1] as object);
    expect(await unreadCount(her)).toBe(1);
    await markAllRead(her);
    expect((await listed(her)).items.slice(1)).toMatchObject(expected.slice(1));
  });

  it('keeps the read times of the last 16 changes', async () => {
    const her = await newPerson();
    const times: string[] = [];
    for (let at = 0; at < 18; at++) {
      await tell(her);
      pass(second);
      times.unshift(new Date().toISOString());
      await markAllRead(her);
      // This request has nothing to mark.
      pass(second);
      await markAllRead(her);
    }
    const read = (await listed(her)).items.map(({ readAt }) => readAt);
    expect(read.slice(0, 16)).toEqual(times.slice(0, 16));
    expect(read.slice(16)).toEqual([times[15], times[15]]);
    expect(await unreadCount(her)).toBe(0);
  });
});

describe('DELETE /api/notifications/{id}', () => {
  it('deletes read and unread notifications and updates the counts', async () => {
    const her = await newPerson();
    const [d, c, b, a] = (await told(her, 4)) as [number, number, number, number];
    await markRead(her, b);
    expect(await remove(her, c)).toMatchObject({
      status: 200,
      body: { success: true, data: { id: c }, message: 'Deleted' },
    });
    expect(await unreadCount(her)).toBe(2);
    await remove(her, b);
    expect(await unreadCount(her)).toBe(2);
    await markAllRead(her);
    await remove(her, a);
    expect((await listed(her)).total).toBe(1);
    expect((await listed(her)).items.map(({ id }) => id)).toEqual([d]);
    expect(await remove(her, c)).toMatchObject(missing);
    expect(await markRead(her, c)).toMatchObject(missing);
    expect((await listed(her)).total).toBe(1);
  });

  it('deletes a notification once for concurrent deletions and marks', async () => {
    const her = await newPerson();
    const [id] = (await told(her, 3)) as [number];
    const deletions = [1, 2, 3].map(() => remove(her, id));
    const [responses] = await Promise.all([
      Promise.all(deletions),
      markAllRead(her),
      markRead(her, id),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(await unreadCount(her)).toBe(0);
    expect((await listed(her)).total).toBe(2);
  });
});

describe('access to a notification', () => {
  it('returns 404 and lists and counts nothing for other users', async () => {
    const [her, other] = [await newPerson(), await newUserOf('super_admin')];
    const [id] = (await told(her, 1)) as [number];
    await markAllRead(other);
    expect(await markRead(other, id)).toMatchObject(missing);
    expect(await remove(other, id)).toMatchObject(missing);
    expect((await listed(other)).total).toBe(0);
    expect((await listed(other, { unread: 'true' })).items).toEqual([]);
    expect(await unreadCount(other)).toBe(0);
    expect((await listed(her, { unread: 'true' })).total).toBe(1);
  });

  it('returns 404 for an invalid id', async () => {
    for (const id of ['0', '-1', '1.5', 'x', '9007199254740992']) {
      const options = { token: ann.token, params: { id } };
      expect(await call('DELETE /api/notifications/{id}', options)).toMatchObject(missing);
      expect(await call('PUT /api/notifications/{id}/read', options)).toMatchObject(missing);
    }
  });
});

describe('notify', () => {
  it('notifies each user once and skips unknown users', async () => {
    const [her, his] = [await newPerson(), await newPerson()];
    const again = () => notify([her.id, 1, his.id], notice, 'fire#1');
    await again();
    await Promise.all([again(), again()]);
    await notify([her.id], notice, 'fire#2');
    expect((await listed(her)).total).toBe(2);
    expect((await listed(his)).total).toBe(1);
    expect(await itemsOf('USER#1')).not.toContainEqual(expect.objectContaining({ pk: 'USER#1' }));
  });

  it('leaves no notifications of a removed user', async () => {
    const [her, root] = [await newPerson(), await newUserOf('super_admin')];
    await told(her, 3);
    const params = { id: String(her.id) };
    expect((await call('DELETE /api/users/{id}', { token: root.token, params })).status).toBe(200);
    await tell(her);
    expect(await itemsOf(`USER#${her.id}`)).toEqual([]);
  });

  it('assigns ascending ids, even concurrently or after the clock moves back', async () => {
    const her = await newPerson();
    await Promise.all(Array.from({ length: 6 }, () => tell(her)));
    pass(-2 * hour);
    await tell(her);
    pass(2 * hour);
    const { items, total } = await listed(her);
    expect(total).toBe(7);
    expect(new Set(items.map(({ id }) => id)).size).toBe(7);
    const times = items.map(({ createdAt }) => createdAt as string);
    expect(times).toEqual([...times].sort().reverse());
    expect(await unreadCount(her)).toBe(7);
  });
});

describe('expiry of a notification', () => {
  it('hides a stored notification after the end of its 90th day', async () => {
    let her = await newPerson();
    const [old] = (await told(her, 1)) as [number];
    pass(10 * day);
    her = await signedInAgain(her);
    const [newer] = (await told(her, 1)) as [number];
    // It is the 90th day, one hour before midnight, the time of both creations.
    pass(80 * day);
    her = await signedInAgain(her);
    expect((await listed(her)).items.map(({ id }) => id)).toEqual([newer, old]);
    pass(hour);
    her = await signedInAgain(her);
    expect((await listed(her)).items.map(({ id }) => id)).toEqual([newer]);
    expect((await listed(her)).total).toBe(1);
    expect((await listed(her, { unread: 'true' })).items.map(({ id }) => id)).toEqual([newer]);
    expect((await listed(her, { type: 'system' })).total).toBe(1);
    expect(await unreadCount(her)).toBe(1);
    expect(await markRead(her, old)).toMatchObject(missing);
    expect(await remove(her, old)).toMatchObject(missing);
    const stored = (await itemsOf(`USER#${her.id}`)).map(({ sk }) => String(sk));
    expect(stored.filter((sk) => sk.startsWith('NOTIFICATION#'))).toHaveLength(2);
  });

  it('removes expired counts with the next notification', async () => {
    const her = await newPerson();
    await told(her, 1);
    pass(92 * day);
    const she = await signedInAgain(her);
    await told(she, 2);
    const item = (await itemsOf(`USER#${her.id}`)).find(({ sk }) => sk === 'UPDATES#COUNTERS');
    const box = parseCounters(item);
    const today = String(Math.floor(Date.now() / day));
    expect(box).toMatchObject({ kept: { [today]: 2 }, unread: { [today]: 2 } });
    expect(Object.keys(box?.kept ?? {})).toEqual([today]);
    expect(Object.keys(box?.unread ?? {})).toEqual([today]);
  });
});
