import { orderOwnData } from '../../../support/exports/exports.ts';
import { complete, made, presign, purge, remove, sendForm } from '../../../support/files/files.ts';
import { pass } from '../../../support/run/virtual-time.ts';
import { newUser, params } from '../../../support/sample-requests/sample-request.ts';
import { call } from '../../../support/service/call.ts';
import { runMinute } from '../../../support/service/jobs.ts';
import { site, uploaded } from '../../../support/shares/files.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { leave } from '../../../support/users/leaving.ts';
import { dueJobs } from './due-jobs.ts';
import type { FaultyEngines } from './engines.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const writers = ['documents:create', 'documents:delete', 'files:create', 'files:delete'];

/** Creates a share with an expiry of one hour, which has passed. */
const endShare = async () => {
  await sharesOf(await newUser()).newShare({
    expiresAt: new Date(Date.now() + 60 * minuteMs).toISOString(),
  });
  pass(65 * minuteMs);
};

/** Creates due work for each sweep. */
export const dueSweeps: Readonly<Record<string, (engines: FaultyEngines) => Promise<unknown>>> = {
  'unsent-jobs': async (engines) => {
    await dueJobs['document-shared']?.(engines);
    pass(1);
  },
  'ended-shares': endShare,
  tombstones: async () => {
    await endShare();
    await runMinute();
    pass(91 * dayMs);
  },
  'leaving-accounts': async () => {
    await leave((await newUser()).token);
    pass(7 * dayMs);
  },
  'due-exports': async () => {
    await orderOwnData(await newUser());
    pass(1);
  },
  'trashed-documents': async () => {
    const { token } = await newUser('user', writers);
    const body = { title: 'A document', content: 'Hello' };
    const { data } = (await call('POST /api/documents', { token, body })).body;
    await call('DELETE /api/documents/{id}', { token, ...params(data.id) });
    pass(31 * dayMs);
  },
  'trashed-files': async () => {
    const owner = await newUser('user', writers);
    await remove(owner, await made(owner));
    pass(31 * dayMs);
  },
  'unfinished-uploads': async () => {
    await presign(await newUser('user', writers), { name: 'notes.txt', size: 5 });
    pass(7 * 60 * minuteMs);
  },
  'share-prunes': async () => {
    await uploaded((await newUser()).token ?? '', site);
    pass(26 * 60 * minuteMs);
  },
  'scheduled-deletions': async (engines) => {
    const owner = await newUser('user', writers);
    const { data } = (await presign(owner, { name: 'notes.txt', size: 5 })).body;
    await sendForm(data, 'Hello');
    await complete(owner, data.id);
    await remove(owner, data.id);
    const times = Number.POSITIVE_INFINITY;
    await engines.suffer([{ kind: 'throttle', service: 's3', times }], () => purge(owner, data.id));
    pass(1);
  },
  'event-reminders': async () => {
    const { token } = await newUser('user', ['calendar:create']);
    const start = new Date(Date.now() + 90 * minuteMs).toISOString();
    const end = new Date(Date.now() + 150 * minuteMs).toISOString();
    const body = { title: 'A meeting', start, end, reminders: [60] };
    await call('POST /api/calendar/events', { token, body });
    pass(31 * minuteMs);
  },
};
