import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { type Answer, call } from '../service/call.ts';
import { type Caller, createRequests, idsIn, type Query } from '../sharing/requests.ts';
import type { Person } from '../users/test-users.ts';

const requests = createRequests('documents');

export const { newOwner: newAuthor, newReader, newManager } = requests;
export const { look, change, remove: trash, share, unshare, list, listed, walk } = requests;
export const restore = requests.withId('POST /api/documents/{id}/restore');
const atRevision = ({ token }: Caller, id: number, version: number) => ({
  token,
  params: { id: String(id), version: String(version) },
});
const revisionPath = '/api/documents/{id}/revisions/{version}';
export const revisions = requests.withId('GET /api/documents/{id}/revisions');
export const revision = (client: Caller, id: number, version: number): Promise<Answer> =>
  call(`GET ${revisionPath}`, atRevision(client, id, version));
export const diff = (
  client: Caller,
  id: number,
  version: number,
  query: Query = {},
): Promise<Answer> =>
  call(`GET ${revisionPath}/diff`, { ...atRevision(client, id, version), query });
export const restoreRevision = (
  client: Caller,
  id: number,
  version: number,
  headers = {},
): Promise<Answer> =>
  call(`POST ${revisionPath}/restore`, { ...atRevision(client, id, version), headers });
const sendShare = requests.withId('POST /api/documents/{id}/share');
export const purge = requests.withId('DELETE /api/documents/trash/{id}');

export const create = ({ token }: Caller, body: object = {}, headers = {}): Promise<Answer> =>
  call('POST /api/documents', { token, headers, body: { title: 'A document', ...body } });

/** Creates a document and returns its id. */
export const made = async (client: Caller, body: object = {}): Promise<number> => {
  const response = await create(client, body);
  expect(response.status).toBe(201);
  return response.body.data.id;
};

/** Shares a document with users in a role. */
export const shareAs = (
  client: Caller,
  id: number,
  userIds: readonly number[],
  role: string,
): Promise<Answer> => sendShare(client, id, {}, { userIds, role });

export const listTrash = ({ token }: Caller, query: Query = {}): Promise<Answer> =>
  call('GET /api/documents/trash', { token, query });

/** Returns the ids on the trash's first page of 100, and the total. */
export const trashed = async (client: Caller) => {
  const response = await listTrash(client, { pageSize: '100' });
  return { ids: idsIn(response), total: response.body.data.total };
};

/** Creates documents of every kind: private, shared, public, large and trashed. */
export const madeOfAll = async (author: Caller, reader: Pick<Person, 'id'>) => {
  const content = randomBytes(30_000).toString('base64');
  const ids = [
    await made(author, { title: 'Private', content: 'x' }),
    await made(author, { title: 'Shared', folder: 'F' }),
    await made(author, { title: 'For all', visibility: 'everyone', content }),
    await made(author, { title: 'Thrown away', content }),
  ] as const;
  await share(author, ids[1], [reader.id]);
  await share(author, ids[3], [reader.id]);
  await trash(author, ids[3]);
  return ids;
};
