import { randomBytes, randomUUID } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { retentionJob } from '../../../../functions/jobs/retention/jobs.ts';
import { documentClient, tableName } from '../../../../shared/db/dynamodb.ts';
import { sendJob } from '../../../../shared/jobs/queue.ts';
import { orderOwnData } from '../../../support/exports/exports.ts';
import { deletionsOf } from '../../../support/files/deletions.ts';
import { complete, presign, sendForm, upload } from '../../../support/files/files.ts';
import { sentQueued } from '../../../support/messages/messages.ts';
import { pass } from '../../../support/run/virtual-time.ts';
import { newUser, nextEmail, params } from '../../../support/sample-requests/sample-request.ts';
import { call } from '../../../support/service/call.ts';
import { queuedJobs, runJobs, runMinute, sendBody } from '../../../support/service/jobs.ts';
import { readItems } from '../../../support/service/state.ts';
import { sendFiles, site } from '../../../support/shares/files.ts';
import { handIn, intakeOf, reportRequest } from '../../../support/shares/intake.ts';
import { report, sharesOf } from '../../../support/shares/requests.ts';
import { view } from '../../../support/shares/shares.ts';
import { putItems } from '../../../support/table/batch-writes.ts';
import { changePassword, forgotPassword } from '../../../support/users/account.ts';
import { leave } from '../../../support/users/leaving.ts';
import { newInvited } from '../../../support/users/test-users.ts';
import { dueEmailJobs } from './due-email-jobs.ts';
import { dueWebhookJobs } from './due-webhook-jobs.ts';
import type { FaultyEngines } from './engines.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Too large for an item, so it is stored in the bucket. */
const large = (): string => randomBytes(15_000).toString('base64');

const iso = (ms: number): string => new Date(ms).toISOString();

const kindOf = (body: string): string => (JSON.parse(body) as { readonly kind: string }).kind;

/** Removes all pending jobs of a type and returns the message of the last. */
export const takeJob = async (kind: string): Promise<string> => {
  const kept = (await readItems()).filter(
    ({ pk, message }) => pk.startsWith('OUTBOX#') && kindOf(String(message)) === kind,
  );
  for (const { pk, sk } of kept) {
    await documentClient().send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } }));
  }
  const bodies = [...(await queuedJobs()), ...kept.map(({ message }) => String(message))];
  const body = bodies.findLast((one) => kindOf(one) === kind);
  if (body === undefined) throw new Error(`No job of the kind ${kind} waits`);
  return body;
};

const permissions = [
  'calendar:create',
  'documents:create',
  'documents:update',
  'files:create',
  'files:update',
  'messages:create',
];

/** Creates an event of two people in 90 minutes. */
const plan = async (reminders: number[]) => {
  const [owner, guest] = [await newUser('user', permissions), await newUser()];
  const start = Date.now() + 90 * minuteMs;
  const body = {
    title: 'A meeting',
    start: iso(start),
    end: iso(start + hourMs),
    attendees: [guest.id],
    reminders,
  };
  await call('POST /api/calendar/events', { token: owner.token, body });
};

/** Creates such an event with a due reminder, whose job the sweep has sent. */
const remind = async () => {
  await plan([60]);
  pass(31 * minuteMs);
  await runMinute();
};

/** Creates a user with data of every kind, and interrupts the deletion after its first write. */
const removeUser = async (engines: FaultyEngines) => {
  const [{ token }, other] = [await newUser('admin'), await newUser()];
  const owner = await newUser('user', permissions);
  const own = { token: owner.token };
  await sharesOf(owner).newShare({ content: large() });
  const document = { title: 'A document', content: large() };
  const { data } = (await call('POST /api/documents', { ...own, body: document })).body;
  const userIds = [other.id];
  await call('POST /api/documents/{id}/share', { ...own, ...params(data.id), body: { userIds } });
  await call('POST /api/messages', { ...own, body: { to: userIds, content: 'Hello' } });
  pass(1);
  await runMinute();
  await runJobs();
  const times = Number.POSITIVE_INFINITY;
  await engines.suffer([{ kind: 'throttle', service: 'dynamodb', operation: 'Query', times }], () =>
    call('DELETE /api/users/{id}', { token, ...params(owner.id) }),
  );
};

/** Creates a document of a user that has a revision in the bucket. */
const newRevised = async ({ token }: { readonly token?: string }) => {
  const own = { token };
  const body = { title: 'A document', content: large() };
  const { data } = (await call('POST /api/documents', { ...own, body })).body;
  const next = { ...own, ...params(data.id), body: { content: large() } };
  await call('PUT /api/documents/{id}', next);
  return { own, id: data.id as number };
};

/** Shares a document with a reader. */
const shareDocument = async (reader: { readonly id: number }): Promise<void> => {
  const { token } = await newUser('user', permissions);
  const body = { title: 'A document', content: 'Hello' };
  const { data } = (await call('POST /api/documents', { token, body })).body;
  const sharing = { userIds: [reader.id] };
  await call('POST /api/documents/{id}/share', { token, ...params(data.id), body: sharing });
};

/** Changes a password, which notifies the account's owner. */
const changeAPassword = async (): Promise<void> => {
  await changePassword((await newUser()).token);
};

/** Creates a pending job of each type. */
export const dueJobs: Readonly<Record<string, (engines: FaultyEngines) => Promise<unknown>>> = {
  ...dueEmailJobs,
  ...dueWebhookJobs,
  'password-reset-email': async () => {
    const { email } = await newUser();
    await forgotPassword(email);
  },
  'invitation-email': async () => {
    const { token } = await newUser('admin');
    const { id } = await newInvited({ email: nextEmail(), name: 'Zoe Example' });
    await call('POST /api/users/{id}/invitation', { token, ...params(id) });
  },
  'verification-email': async () => {
    await call('POST /api/auth/send-verification', { token: (await newUser()).token });
  },
  'export-email': async () => {
    await orderOwnData(await newUser());
    pass(1);
    await runMinute();
  },
  'purge-share': async () => {
    const { newShare } = sharesOf(await newUser());
    await view(await newShare({ content: large(), viewLimit: 1 }));
    pass(3 * minuteMs);
  },
  'document-shared': async () => shareDocument(await newUser()),
  'file-shared': async () => {
    const [{ token }, reader] = [await newUser('user', permissions), await newUser()];
    const { data } = (await upload({ token }, 'Hello')).body;
    const sharing = { userIds: [reader.id] };
    await call('POST /api/files/{id}/share', { token, ...params(data.id), body: sharing });
  },
  'notification-email': async () => {
    const reader = await newUser();
    const body = { notificationSettings: { sharing: { mail: true } } };
    await call('PUT /api/users/me', { token: reader.token, body });
    await shareDocument(reader);
    pass(1);
    await runMinute();
    await runJobs();
  },
  'event-notification': () => plan([]),
  'event-reminder': remind,
  'event-reminder-email': async () => {
    await remind();
    pass(1);
    await runMinute();
    await runJobs();
  },
  'delete-revisions': async () => {
    const her = sharesOf(await newUser());
    const id = await her.newShare();
    await her.put(id, { content: large() });
    await her.remove(id);
  },
  'delete-receipts': async () => {
    const [owner, reader] = [await newUser(), await newUser()];
    const her = sharesOf(owner);
    const id = await her.newShare({ readers: [reader.id] });
    await call('GET /api/share', { token: reader.token, query: { id } });
    await runJobs();
    await her.remove(id);
  },
  'delete-document-revisions': async () => {
    const { own, id } = await newRevised(await newUser('super_admin'));
    await call('DELETE /api/documents/{id}', { ...own, ...params(id) });
    await call('DELETE /api/documents/trash/{id}', { ...own, ...params(id) });
  },
  'forget-document-writer': async () => {
    const [admin, receiver] = [await newUser('super_admin'), await newUser('user', permissions)];
    const author = await newUser('user', permissions);
    await newRevised(author);
    const transfer = { query: { transferTo: String(receiver.id) }, ...params(author.id) };
    await call('DELETE /api/users/{id}', { token: admin.token, ...transfer });
  },
  'prune-share-files': async () => {
    const person = await newUser();
    const { id } = (await sendFiles(person.token ?? '', site)).body;
    await sharesOf(person).remove(id);
  },
  'share-opened': async () => {
    await view(await sharesOf(await newUser()).newShare({ notify: true }));
  },
  'share-readers': async () => {
    const readers = [await newUser(), await newUser()];
    await sharesOf(await newUser()).newShare({ readers: readers.map(({ id }) => id) });
  },
  'share-submitted': async () => {
    await handIn(await intakeOf(await newUser()).newRequest());
  },
  'share-request-reported': async () => {
    await newUser('super_admin');
    await reportRequest(await intakeOf(await newUser()).newRequest());
  },
  'share-reported': async () => {
    await newUser('super_admin');
    await report(await sharesOf(await newUser()).newShare());
  },
  'deliver-message': async () => {
    const [sender, first, second] = [
      await newUser('user', permissions),
      await newUser(),
      await newUser(),
    ];
    await sentQueued(sender, [first, second], { subject: 'Hi', content: large() });
  },
  'complete-upload': async (engines) => {
    const owner = await newUser('user', permissions);
    const { data } = (await presign(owner, { name: 'notes.txt', size: 5 })).body;
    await sendForm(data, 'Hello');
    await engines.suffer([{ kind: 'hang', service: 's3', operation: 'CopyObject' }], () =>
      complete(owner, data.id),
    );
  },
  'email-refused': async () => {
    const { email } = await newUser();
    const data = { reason: 'bounce', at: iso(Date.now()), recipients: [{ emailAddress: email }] };
    await sendBody(JSON.stringify({ id: randomUUID(), kind: 'email-refused', data }));
  },
  'security-alert': async () => {
    await changeAPassword();
  },
  'security-alert-email': async () => {
    await changeAPassword();
    pass(1);
    await runMinute();
    await runJobs();
  },
  'account-deleted-email': async () => {
    await leave((await newUser()).token);
    pass(7 * 24 * hourMs);
    await runMinute();
  },
  activity: async () => {
    await view(await sharesOf(await newUser()).newShare());
  },
  'reconcile-user': removeUser,
  retention: () => sendJob(retentionJob, { walk: 'users' }),
  sweep: async () => {
    await putItems(deletionsOf(0, 110));
    await runMinute();
  },
};
