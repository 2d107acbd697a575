import { describe, expect, it } from 'vitest';
import * as documents from '../../support/documents/documents.ts';
import * as files from '../../support/files/files.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, type Person, writing } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useJobs();
useBucket();

const writer = writing('documents', 'files', 'calendar');
const newWriter = () => newUserOf('user', { extraPermissions: writer });

const { root } = usePeople({ root: 'super_admin' });

const count = (id: number, { token } = root) =>
  call('GET /api/users/{id}/belongings', { token, params: { id: String(id) } });

const invite = ({ token }: Person, attendees: readonly number[]) =>
  call('POST /api/calendar/events', {
    token,
    body: { title: 'Event', start: '2026-12-01T09:00:00Z', end: '2026-12-01T10:00:00Z', attendees },
  });

const exactly = (total: number) => ({ total, totalIsExact: true });

describe('GET /api/users/{id}/belongings', () => {
  it('counts what the user owns, and nothing of others', async () => {
    const [ann, bob] = [await newWriter(), await newWriter()];
    const none = exactly(0);
    expect((await count(ann.id)).body.data).toEqual({
      shares: none,
      documents: none,
      files: none,
      events: none,
    });
    await documents.made(ann, { title: 'Mine' });
    await documents.made(ann, { title: 'Public', visibility: 'everyone' });
    await documents.trash(ann, await documents.made(ann, { title: 'Gone' }));
    await documents.share(bob, await documents.made(bob), { userIds: [ann.id] });
    await files.madeFolder(ann, 'Photos');
    await files.made(ann, { name: 'a.txt', folder: 'Photos' }, 'bytes');
    expect((await invite(ann, [bob.id])).status).toBe(201);
    expect((await invite(bob, [ann.id])).status).toBe(201);
    const body = { content: '<p>Hi</p>' };
    for (const { token } of [ann, ann, bob]) await call('POST /api/share', { token, body });
    expect((await count(ann.id)).body.data).toEqual({
      shares: exactly(2),
      documents: exactly(3),
      files: exactly(2),
      events: exactly(1),
    });
  });

  it('is refused for a user of a higher rank, and for none', async () => {
    const admin = await newUserOf('admin', { extraPermissions: ['users:delete'] });
    expect((await count(root.id, admin)).status).toBe(403);
    expect((await count(1)).status).toBe(404);
    expect((await count(root.id, await newUserOf('user'))).status).toBe(403);
  });
});
