import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { notifyReaders } from '../../../functions/api/documents/work.ts';
import { notifyReaders as notifyReadersOfFile } from '../../../functions/api/files/work.ts';
import { removeUser } from '../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import {
  anHour,
  attend,
  inWindow,
  look as lookAtEvent,
  made as madeEvent,
} from '../../support/calendar/calendar.ts';
import { textOf as feedOf, newFeed } from '../../support/calendar/feed.ts';
import * as documents from '../../support/documents/documents.ts';
import * as files from '../../support/files/files.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { queuedWork, runJobs, runMinute, useJobs } from '../../support/service/jobs.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, writing } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useJobs();
useBucket();

const writer = writing('documents', 'files', 'calendar');

/** A user whose deletion was interrupted before the user data was deleted. */
const { ann, reader, root } = usePeople({
  ann: () => newUserOf('user', { name: 'Ann Removed', extraPermissions: writer }),
  reader: () => newUserOf('user', { name: 'Rea Reader' }),
  root: 'super_admin',
});
let tokens: { readonly feed: string; readonly readersFeed: string };
let documentIds: number[];
let trashedId: number;
let fileIds: number[];
let folderId: number;
let eventId: number;
let shareIds: { readonly open: string; readonly limited: string };
let view: string;
let jobsBefore: number;

const inNovember = ['2026-11-01', '2026-12-01'] as const;
const statusOf = async (response: Promise<Answer>) => (await response).status;
const path = (id: string | number) => ({ params: { id: String(id) } });

beforeAll(async () => {
  const shareWith = { sharedWith: [reader.id] };
  documentIds = [
    await documents.made(ann, { title: 'Sharedword', content: 'one' }),
    await documents.made(ann, { title: 'Publicword', content: 'two', visibility: 'everyone' }),
  ];
  await documents.share(ann, documentIds[0] ?? 0, [reader.id]);
  trashedId = await documents.made(ann, { title: 'Trashed' });
  await documents.trash(ann, trashedId);
  folderId = await files.madeFolder(ann, 'Photos');
  fileIds = [
    await files.made(ann, { name: 'shared.txt', folder: 'Photos' }),
    await files.made(ann, { name: 'public.txt' }),
  ];
  await files.change(ann, fileIds[0] ?? 0, shareWith);
  await files.change(ann, fileIds[1] ?? 0, { visibility: 'everyone' });
  eventId = (await madeEvent(ann, { title: 'Gathering', attendees: [reader.id] })).id;
  tokens = { feed: await newFeed(ann), readersFeed: await newFeed(reader) };
  const { newShare } = sharesOf(ann);
  shareIds = { open: await newShare({}), limited: await newShare({ viewLimit: 3 }) };
  const opened = await call('POST /s/{id}/open', { ...path(shareIds.limited), body: '' });
  view = new URL(opened.headers['location'] ?? '', 'http://local').searchParams.get('view') ?? '';
  expect(await statusOf(readRaw(shareIds.limited, view))).toBe(200);
  expect(await feedOf(tokens.readersFeed)).toContain('Gathering');
  await runJobs();
  await removeUser(ann.id, () => undefined, undefined, systemRecorder('user.delete'));
  jobsBefore = (await queuedWork()).length;
});
afterEach(() => {
  vi.useRealTimers();
});

const readRaw = (id: string, token?: string) =>
  call('GET /s/{id}/raw', { ...path(id), ...(token && { query: { view: token } }) });

/** Returns the notifications of a pending job about a record that the deleted user shared. */
const sharingOf = (id: number) => ({
  id,
  userIds: [reader.id],
  sharedBy: { id: ann.id, name: 'Ann' },
  sharedAt: '2026-11-22T00:00:00Z',
});

const unread = async () =>
  (await call('GET /api/notifications/unread-count', { token: reader.token })).body.data;

describe('stored documents of a deleted user', () => {
  it('are not found by id', async () => {
    for (const client of [reader, root]) {
      for (const id of documentIds) expect(await statusOf(documents.look(client, id))).toBe(404);
    }
  });

  it('are not listed or searched', async () => {
    for (const client of [reader, root]) {
      for (const query of [
        {},
        { sort: 'title' },
        { author: String(ann.id) },
        { search: 'sharedword' },
        { search: 'publicword' },
      ]) {
        const { body } = await documents.list(client, query);
        expect(body.data.items).toEqual([]);
      }
    }
  });

  it('cannot be changed, shared, trashed, restored or purged by a manager', async () => {
    const [id = 0] = documentIds;
    const responses = [
      documents.change(root, id, { title: 'Mine' }),
      documents.change(root, id, { content: 'Mine' }),
      documents.share(root, id, [root.id]),
      documents.unshare(root, id, [reader.id]),
      documents.trash(root, id),
      documents.restore(root, trashedId),
      documents.purge(root, trashedId),
    ];
    expect(await Promise.all(responses.map(statusOf))).toEqual(responses.map(() => 404));
  });

  it('notify no one', async () => {
    const [id = 0] = documentIds;
    const before = await unread();
    await notifyReaders(sharingOf(id));
    expect(await unread()).toEqual(before);
  });
});

describe('stored files of a deleted user', () => {
  it('cannot be found or downloaded by id', async () => {
    for (const client of [reader, root]) {
      for (const id of fileIds) {
        expect(await statusOf(files.look(client, id))).toBe(404);
        expect(await statusOf(files.download(client, id))).toBe(404);
      }
    }
  });

  it('are not listed or searched', async () => {
    for (const client of [reader, root]) {
      for (const query of [{}, { sort: 'name' }, { type: 'document' }, { search: 'txt' }]) {
        expect((await files.list(client, query)).body.data.items).toEqual([]);
      }
    }
  });

  it('return 404 to managers of files, also for folders, never 503', async () => {
    const responses = [
      files.look(root, folderId),
      files.change(root, folderId, { name: 'Mine' }),
      files.remove(root, folderId),
      files.change(root, fileIds[0] ?? 0, { name: 'mine.txt' }),
      files.remove(root, fileIds[0] ?? 0),
    ];
    expect(await Promise.all(responses.map(statusOf))).toEqual(responses.map(() => 404));
  });

  it('notify no one', async () => {
    const [id = 0] = fileIds;
    const before = await unread();
    await notifyReadersOfFile(sharingOf(id));
    expect(await unread()).toEqual(before);
  });
});

describe('stored events of a deleted user', () => {
  it('are hidden from attendees', async () => {
    expect(await statusOf(lookAtEvent(reader, eventId))).toBe(404);
    expect(await statusOf(attend(reader, eventId, 'accepted'))).toBe(404);
    expect((await inWindow(reader, ...inNovember)).items).toEqual([]);
    expect(await feedOf(tokens.readersFeed)).not.toContain('Gathering');
  });

  it('are not read by a feed of the user', async () => {
    const params = { token: tokens.feed };
    expect(await statusOf(call('GET /calendar/{token}/events.ics', { params }))).toBe(404);
  });

  it('remind no one', async () => {
    const start = anHour.start;
    const { deliverReminders } = await import(
      '../../../functions/api/calendar/reminders/delivery.ts'
    );
    const before = await call('GET /api/notifications', { token: reader.token });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(start) - 600_000 });
    await deliverReminders({ id: eventId, due: [{ start, minutes: 10 }] });
    vi.useRealTimers();
    const after = await call('GET /api/notifications', { token: reader.token });
    expect(after.body.data.total).toBe(before.body.data.total);
  });
});

describe('stored shares of a deleted user', () => {
  it('return 404 to everyone, also with the view token of an open page', async () => {
    for (const id of Object.values(shareIds)) {
      const responses = [
        call('GET /api/share', { query: { id } }),
        call('HEAD /api/share', { query: { id } }),
        call('GET /s/{id}', path(id)),
        call('GET /s/{id}', { ...path(id), query: { view } }),
        readRaw(id),
        readRaw(id, view),
        call('GET /{id}', path(id)),
        call('GET /{id}', { ...path(id), query: { view } }),
        call('POST /s/{id}/open', { ...path(id), body: '' }),
        call('GET /s/{id}/report', path(id)),
        call('POST /api/share/{id}/report', { ...path(id), body: { reason: 'It is spam' } }),
      ];
      expect(await Promise.all(responses.map(statusOf))).toEqual(responses.map(() => 404));
    }
  });

  it('cannot be listed or managed', async () => {
    const { token } = root;
    expect((await call('GET /api/shares', { token })).body.data.items).toEqual([]);
    const on = { token, ...path(shareIds.open) };
    const responses = [
      call('GET /api/shares/{id}', on),
      call('PUT /api/shares/{id}/decision', { ...on, body: { decision: 'keep' } }),
      call('PUT /api/share/{id}', { ...on, body: { title: 'Mine' } }),
      call('DELETE /api/share/{id}', on),
    ];
    expect(await Promise.all(responses.map(statusOf))).toEqual(responses.map(() => 404));
  });
});

describe('all data of a deleted user', () => {
  it('is denied to the tokens of the user and deleted by the job', async () => {
    expect(await statusOf(documents.list(ann))).toBe(401);
    expect(await queuedWork()).toHaveLength(jobsBefore);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    await runMinute();
    await runJobs();
    vi.useRealTimers();
    const { total } = (await documents.list(root)).body.data;
    expect([total, (await files.list(root)).body.data.total]).toEqual([0, 0]);
    expect((await call('GET /api/shares', { token: root.token })).body.data.total).toBe(0);
  });
});
