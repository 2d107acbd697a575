import { made as madeFile } from '../../support/files/files.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { newRole } from '../../support/users/roles.ts';
import { newPerson, newUserOf } from '../../support/users/test-users.ts';
import { newWebhook } from '../../support/webhooks/webhooks.ts';

/** A record of its own, and how a client reads and changes it. */
export interface Versioned {
  readonly etag: string;
  read(headers?: Readonly<Record<string, string>>): Promise<Answer>;
  change(headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

const record = async (
  [reading, changing]: readonly [string, string],
  options: Parameters<typeof call>[1],
  body?: unknown,
  query?: Readonly<Record<string, string>>,
): Promise<Versioned> => {
  const read = (headers = {}) => call(reading, { ...options, ...(query && { query }), headers });
  const { headers } = await read();
  return {
    etag: headers['etag'] ?? '',
    read,
    change: (sent = {}) => call(changing, { ...options, body, headers: sent }),
  };
};

export const ofSelf = async () => {
  const { token } = await newPerson();
  return record(['GET /api/users/me', 'PUT /api/users/me'], { token }, { name: 'Ann Other' });
};

export const ofUser = async (endpoint: string, body?: unknown) => {
  const admin = await newUserOf('admin');
  const { id } = await newPerson();
  const params = { id: String(id) };
  return record(['GET /api/users/{id}', endpoint], { token: admin.token, params }, body);
};

const ofRole = async (endpoint: string, body?: unknown) => {
  const root = await newUserOf('super_admin');
  const name = await newRole(root, ['audit:view']);
  const options = { token: root.token, params: { name } };
  return record(['GET /api/roles/{name}', endpoint], options, body);
};

const ofShare = async (endpoint: string, body?: unknown) => {
  const { token } = await newPerson();
  const made = await call('POST /api/share', { token, body: { content: '<p>Hi</p>' } });
  const { id } = made.body;
  const query = { id, mine: 'true' };
  return record(['GET /api/share', endpoint], { token, params: { id } }, body, query);
};

const ofEndedShare = async () => {
  const { token } = await newPerson();
  const { id } = (await call('POST /api/share', { token, body: { content: '<p>Hi</p>' } })).body;
  await call('POST /api/share/{id}/end', { token, params: { id } });
  const options = { token, params: { id } };
  const endpoints = ['GET /api/share', 'POST /api/share/{id}/reopen'] as const;
  return record(endpoints, options, undefined, { id, mine: 'true' });
};

const ofRevision = async () => {
  const { token } = await newPerson();
  const made = await call('POST /api/share', { token, body: { content: '<p>Hi</p>' } });
  const { id } = made.body;
  await call('PUT /api/share/{id}', { token, params: { id }, body: { content: '<p>Two</p>' } });
  const endpoint = 'POST /api/share/{id}/revisions/{version}/restore';
  const options = { token, params: { id, version: '1' } };
  return record(['GET /api/share', endpoint], options, undefined, { id, mine: 'true' });
};

const ofSingleFile = async () => {
  const { token } = await newPerson();
  const made = await call('POST /api/share', { token, body: { content: '<p>Hi</p>' } });
  const { id } = made.body;
  const options = { token, params: { id, path: 'a.css' } };
  const endpoint = 'PUT /api/share/{id}/files/{path+}';
  return record(['GET /api/share', endpoint], options, { content: 'p {}' }, { id, mine: 'true' });
};

const ofDocumentRevision = async () => {
  const { token } = await newUserOf('super_admin');
  const made = { title: 'A document', content: 'Text' };
  const { id } = (await call('POST /api/documents', { token, body: made })).body.data;
  const params = { id: String(id), version: '1' };
  await call('PUT /api/documents/{id}', { token, params, body: { content: 'Another' } });
  const endpoint = 'POST /api/documents/{id}/revisions/{version}/restore';
  return record(['GET /api/documents/{id}', endpoint], { token, params }, undefined);
};

const ofDocument = async (endpoint: string, body?: (readerId: number) => unknown) => {
  const { token } = await newUserOf('super_admin');
  const reader = await newPerson();
  const made = { title: 'A document', content: 'Text' };
  const { id } = (await call('POST /api/documents', { token, body: made })).body.data;
  const options = { token, params: { id: String(id) } };
  await call('POST /api/documents/{id}/share', { ...options, body: { userIds: [reader.id] } });
  return record(['GET /api/documents/{id}', endpoint], options, body?.(reader.id));
};

const madeDocument = async ({ token }: { readonly token: string }): Promise<number> => {
  const body = { title: 'A document', content: 'Text' };
  return (await call('POST /api/documents', { token, body })).body.data.id;
};

/** What is in the trash is in a list only, which has no tags: they are made of the version. */
const ofTrash = async (
  endpoint: string,
  group = 'documents',
  make: typeof madeDocument = madeDocument,
) => {
  const { token } = await newUserOf('super_admin');
  const options = { token, params: { id: String(await make({ token })) } };
  await call(`DELETE /api/${group}/{id}`, options);
  const read = async () => {
    const list = await call(`GET /api/${group}/trash`, { token });
    return { ...list, headers: { etag: `"${list.body.data.items[0].version}-abcdefgh"` } };
  };
  const change = (headers = {}) => call(endpoint, { ...options, headers });
  return { etag: (await read()).headers.etag, read, change };
};

const ofFile = async (endpoint: string, body?: unknown) => {
  const { token } = await newUserOf('super_admin');
  const { id } = (await call('POST /api/files/folders', { token, body: { name: 'Photos' } })).body
    .data;
  return record(['GET /api/files/{id}', endpoint], { token, params: { id: String(id) } }, body);
};

/** A file that one reader sees. */
const ofUploadedFile = async (endpoint: string, body: (readerId: number) => unknown) => {
  const { token } = await newUserOf('super_admin');
  const reader = await newPerson();
  const id = await madeFile({ token });
  const options = { token, params: { id: String(id) } };
  await call('POST /api/files/{id}/share', { ...options, body: { userIds: [reader.id] } });
  return record(['GET /api/files/{id}', endpoint], options, body(reader.id));
};

const ofSale = async (endpoint: string, body?: unknown) => {
  const { token } = await newUserOf('super_admin');
  const sale = { amount: 10, soldAt: '2026-11-01T12:00:00Z' };
  const { id } = (await call('POST /api/sales', { token, body: sale })).body.data;
  return record(['GET /api/sales/{id}', endpoint], { token, params: { id: String(id) } }, body);
};

const ofEvent = async (endpoint: string, body?: unknown) => {
  const { token } = await newUserOf('super_admin');
  const event = { title: 'Standup', start: '2026-11-23T09:00:00Z', rrule: 'FREQ=DAILY' };
  const { id } = (await call('POST /api/calendar/events', { token, body: event })).body.data;
  const params = { id: String(id), start: '2026-11-24T09:00:00Z' };
  return record(['GET /api/calendar/events/{id}', endpoint], { token, params }, body);
};

const ofAttendance = async () => {
  const [owner, { id: guestId, token }] = [await newUserOf('super_admin'), await newPerson()];
  const body = { title: 'Talk', start: '2026-11-23T09:00:00Z', attendees: [guestId] };
  const { id } = (await call('POST /api/calendar/events', { token: owner.token, body })).body.data;
  const endpoints = [
    'GET /api/calendar/events/{id}',
    'PUT /api/calendar/events/{id}/attendance',
  ] as const;
  return record(endpoints, { token, params: { id: String(id) } }, { status: 'accepted' });
};

const ofDecision = async () => {
  const { token } = await newUserOf('super_admin');
  const body = { content: '<p>Hi</p>' };
  const { id } = (await call('POST /api/share', { token, body })).body;
  const endpoints = ['GET /api/shares/{id}', 'PUT /api/shares/{id}/decision'] as const;
  return record(endpoints, { token, params: { id } }, { decision: 'take-down' });
};

const ofRequest = async (endpoint: string, body?: unknown) => {
  const { token } = await newUserOf('super_admin');
  const { id } = (await call('POST /api/share/requests', { token, body: { title: 'Logs' } })).body;
  return record(['GET /api/share/requests/{id}', endpoint], { token, params: { id } }, body);
};

const ofWebhook = async (endpoint: string, body?: unknown) => {
  const { token } = await newPerson();
  const { id } = await newWebhook({ token }, { url: 'https://hooks.example.com/a' });
  return record(['GET /api/webhooks/{id}', endpoint], { token, params: { id: String(id) } }, body);
};

/** A fresh record for each route that changes one: a route that is missing here fails. */
export const records: Readonly<Record<string, () => Promise<Versioned>>> = {
  'PUT /api/users/me': () => ofSelf(),
  'PUT /api/users/{id}': () => ofUser('PUT /api/users/{id}', { name: 'Ann Other' }),
  'DELETE /api/users/{id}': () => ofUser('DELETE /api/users/{id}'),
  'PUT /api/roles/{name}': () => ofRole('PUT /api/roles/{name}', { label: 'Another' }),
  'DELETE /api/roles/{name}': () => ofRole('DELETE /api/roles/{name}'),
  'PUT /api/share/{id}': () => ofShare('PUT /api/share/{id}', { title: 'Another' }),
  'PUT /api/share/{id}/files/{path+}': ofSingleFile,
  'POST /api/share/{id}/end': () => ofShare('POST /api/share/{id}/end'),
  'POST /api/share/{id}/reopen': ofEndedShare,
  'POST /api/share/{id}/revisions/{version}/restore': ofRevision,
  'DELETE /api/share/{id}': () => ofShare('DELETE /api/share/{id}'),
  'PUT /api/shares/{id}/decision': ofDecision,
  'PUT /api/share/requests/{id}': () => ofRequest('PUT /api/share/requests/{id}', { title: 'All' }),
  'DELETE /api/share/requests/{id}': () => ofRequest('DELETE /api/share/requests/{id}'),
  'PUT /api/shares/requests/{id}/decision': () =>
    ofRequest('PUT /api/shares/requests/{id}/decision', { decision: 'take-down' }),
  'PUT /api/webhooks/{id}': () => ofWebhook('PUT /api/webhooks/{id}', { label: 'Another' }),
  'POST /api/webhooks/{id}/secret': () => ofWebhook('POST /api/webhooks/{id}/secret'),
  'DELETE /api/webhooks/{id}': () => ofWebhook('DELETE /api/webhooks/{id}'),
  'PUT /api/documents/{id}': () => ofDocument('PUT /api/documents/{id}', () => ({ title: 'New' })),
  'POST /api/documents/{id}/share': async () => {
    const { id } = await newPerson();
    return ofDocument('POST /api/documents/{id}/share', () => ({ userIds: [id] }));
  },
  'POST /api/documents/{id}/unshare': () =>
    ofDocument('POST /api/documents/{id}/unshare', (readerId) => ({ userIds: [readerId] })),
  'POST /api/documents/{id}/restore': () => ofTrash('POST /api/documents/{id}/restore'),
  'POST /api/documents/{id}/revisions/{version}/restore': ofDocumentRevision,
  'DELETE /api/documents/trash/{id}': () => ofTrash('DELETE /api/documents/trash/{id}'),
  'DELETE /api/documents/{id}': () => ofDocument('DELETE /api/documents/{id}'),
  'PUT /api/files/{id}': () => ofFile('PUT /api/files/{id}', { name: 'Pictures' }),
  'POST /api/files/{id}/share': async () => {
    const { id } = await newPerson();
    return ofUploadedFile('POST /api/files/{id}/share', () => ({ userIds: [id] }));
  },
  'POST /api/files/{id}/unshare': () =>
    ofUploadedFile('POST /api/files/{id}/unshare', (readerId) => ({ userIds: [readerId] })),
  'POST /api/files/{id}/restore': () => ofTrash('POST /api/files/{id}/restore', 'files', madeFile),
  'DELETE /api/files/trash/{id}': () => ofTrash('DELETE /api/files/trash/{id}', 'files', madeFile),
  'DELETE /api/files/{id}': () => ofFile('DELETE /api/files/{id}'),
  'PUT /api/sales/{id}': () => ofSale('PUT /api/sales/{id}', { customer: 'Other' }),
  'DELETE /api/sales/{id}': () => ofSale('DELETE /api/sales/{id}'),
  'POST /api/sales/{id}/refund': () => ofSale('POST /api/sales/{id}/refund'),
  'PUT /api/calendar/events/{id}': () =>
    ofEvent('PUT /api/calendar/events/{id}', { title: 'Talk' }),
  'DELETE /api/calendar/events/{id}': () => ofEvent('DELETE /api/calendar/events/{id}'),
  'PUT /api/calendar/events/{id}/attendance': ofAttendance,
  'PUT /api/calendar/events/{id}/occurrences/{start}': () =>
    ofEvent('PUT /api/calendar/events/{id}/occurrences/{start}', { title: 'Talk' }),
  'DELETE /api/calendar/events/{id}/occurrences/{start}': () =>
    ofEvent('DELETE /api/calendar/events/{id}/occurrences/{start}'),
};
