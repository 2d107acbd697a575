/**
 * Records what this release stores, of each kind of record: run it with `node` at a release, and commit `data.json.gz`.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { packageVersion } from '../../../infra/build/package-version.ts';
import { startService } from '../../../infra/local/service.ts';
import { dynamoDbClient } from '../../../shared/db/dynamodb.ts';
import { getObject, loadBucket } from '../../../shared/storage/bucket.ts';
import { file, pack } from './recording.ts';

const folder = await mkdtemp(join(tmpdir(), 'handbill-record-'));
const password = 'battery staple of a former release';
Object.assign(process.env, {
  DATA_DIR: folder,
  PORT: '0',
  PASSWORD_COST: '4',
  ADMIN_EMAIL: 'root@example.com',
  ADMIN_PASSWORD: password,
});
const { url, close } = await startService(() => undefined);

const send = async (token: string, endpoint: string, body?: object | FormData) => {
  const [method = '', path = ''] = endpoint.split(' ');
  const isForm = body instanceof FormData;
  const response = await fetch(new URL(path, url), {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && !isForm && { 'content-type': 'application/json' }),
      ...(method === 'POST' && !isForm && { 'idempotency-key': randomUUID() }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(`${endpoint}: ${response.status} ${JSON.stringify(answer)}`);
  return answer.data ?? answer;
};

const signIn = async (email: string): Promise<string> =>
  (await send('', 'POST /api/auth/login', { email, password })).accessToken;

const root = await signIn('root@example.com');
const newUser = async (name: string, permissions: readonly string[]) => {
  const email = `${name.toLowerCase()}@example.com`;
  const body = { name, email, password, role: 'user', permissions };
  const { id } = await send(root, 'POST /api/users', body);
  return { id: id as number, token: await signIn(email) };
};
const ann = await newUser('Ann', ['documents:*', 'files:*', 'messages:*', 'calendar:*', 'sales:*']);
const bob = await newUser('Bob', ['messages:*']);
const byAnn = (endpoint: string, body?: object | FormData) => send(ann.token, endpoint, body);

const title = 'Räder & Ämter';
const document = await byAnn('POST /api/documents', {
  title,
  content: 'Words of a document.',
  tags: ['draft'],
  folder: '/plans',
});
await byAnn(`PUT /api/documents/${document.id}`, { content: 'Other words.' });
await byAnn(`POST /api/documents/${document.id}/share`, { userIds: [bob.id] });
const form = new FormData();
form.set('file', new Blob(['Bytes of a file.']), 'notes.txt');
const uploaded = await byAnn('POST /api/files/upload', form);
await byAnn(`POST /api/files/${uploaded.id}/share`, { userIds: [bob.id] });
const message = await byAnn('POST /api/messages', {
  to: bob.id,
  subject: title,
  content: 'At noon?',
  attachments: [uploaded.id],
});
const event = await byAnn('POST /api/calendar/events', {
  title,
  start: '2026-11-23T09:00',
  end: '2026-11-23T10:00',
  timezone: 'Europe/Berlin',
  rrule: 'FREQ=WEEKLY;COUNT=60',
  reminders: [10],
  attendees: [bob.id],
});
const sale = await byAnn('POST /api/sales', {
  amount: 49.9,
  cost: 12.5,
  customer: title,
  category: 'Books',
  soldAt: '2026-11-01T12:00:00Z',
});
const share = await byAnn('POST /api/share', {
  title,
  content: `# ${title}\n${'A long text. '.repeat(3_000)}`,
  language: 'markdown',
});
await byAnn(`PUT /api/share/${share.id}`, { content: '# Another' });
const link = await byAnn(`POST /api/share/${share.id}/links`, { label: 'For Carl' });
const secret = await byAnn('POST /api/share', {
  content: '<p>Hi</p>',
  language: 'html',
  password: 'abc123',
  viewLimit: 5,
  expiresIn: 31_536_000,
});
await send(bob.token, `POST /api/share/${share.id}/report`, { reason: 'spam' });
await byAnn('POST /api/checkin');
await byAnn('PUT /api/users/me', { phone: '+49 30 1234', timezone: 'Europe/Berlin' });
await byAnn('POST /api/calendar/feed');
const { token } = await byAnn('POST /api/auth/tokens', {
  name: 'ci',
  permissions: ['documents:view'],
  expiresInDays: 90,
});

/** Emails and counts of activity are written by jobs. */
await new Promise((resolve) => setTimeout(resolve, 3_000));
await send(bob.token, 'GET /api/messages/unread-count');
const notifications = await send(bob.token, 'GET /api/notifications');

const items: Record<string, AttributeValue>[] = [];
const TableName = process.env['TABLE_NAME'] ?? '';
for await (const page of paginateScan({ client: dynamoDbClient() }, { TableName })) {
  items.push(...(page.Items ?? []));
}
const { client } = await loadBucket();
const Bucket = process.env['FILES_BUCKET'] ?? '';
const objects: Record<string, string> = {};
const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
for (const { Key = '' } of Contents) {
  objects[Key] = Buffer.from((await getObject(Key)) ?? []).toString('base64');
}

const ids = {
  user: ann.id,
  reader: bob.id,
  document: document.id,
  file: uploaded.id,
  message: message.id,
  event: event.id,
  sale: sale.id,
  share: share.id,
  link: link.id,
  secret: secret.id,
  notification: notifications.items[0].id,
};
const packed = pack({
  version: packageVersion,
  recordedAt: new Date().toISOString(),
  items,
  objects,
  password,
  token,
  ids: Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)])),
});
await writeFile(file, packed);
process.stdout.write(`${items.length} items, ${Contents.length} objects: ${packed.length} bytes\n`);
await close();
await rm(folder, { recursive: true });
process.exit();
