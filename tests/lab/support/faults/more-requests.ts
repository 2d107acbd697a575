import { randomBytes } from 'node:crypto';
import { pass } from '../../../support/run/virtual-time.ts';
import {
  newUser,
  params,
  type TypicalCalls,
} from '../../../support/sample-requests/sample-request.ts';
import { call } from '../../../support/service/call.ts';
import { runJobs, runMinute } from '../../../support/service/jobs.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { frame, raw, view } from '../../../support/shares/shares.ts';
import type { Person } from '../../../support/users/test-users.ts';

/** Too large for an item, so it is stored in the bucket. */
const large = (): string => randomBytes(15_000).toString('base64');

const permissions = ['documents:create', 'documents:update', 'messages:create'];

const newLargeShare = async () => {
  const her = sharesOf(await newUser());
  return { ...her, id: await her.newShare({ content: large(), title: 'Hi' }) };
};

const newLargeDocument = async () => {
  const { token } = await newUser('user', permissions);
  const body = { title: 'A document', content: large() };
  const { data } = (await call('POST /api/documents', { token, body })).body;
  return { token, ...params(data.id) };
};

/** Creates a user with data of every kind that is deleted with its owner. */
const newOwner = async (): Promise<Person> => {
  const [owner, other] = [await newUser('user', permissions), await newUser()];
  const { token } = owner;
  await sharesOf(owner).newShare({ content: large() });
  const body = { title: 'A document', content: large() };
  const { data } = (await call('POST /api/documents', { token, body })).body;
  const userIds = [other.id];
  await call('POST /api/documents/{id}/share', { token, ...params(data.id), body: { userIds } });
  await call('POST /api/messages', { token, body: { to: userIds, content: 'Hello' } });
  // Avoids a race between the deletion and notifications about the deleted data.
  pass(1);
  await runMinute();
  await runJobs();
  return owner;
};

/** Prepares an admin's request about such a user. */
const toOwner =
  (endpoint: string, options: () => Promise<object> = async () => ({})) =>
  async () => {
    const { token } = await newUser('admin');
    const { id } = await newOwner();
    const given = await options();
    return () => call(endpoint, { token, ...params(id), ...given });
  };

/** Calls beyond the typical ones: with the bucket, with passwords, on all user data, and rejected ones. */
export const moreCalls: TypicalCalls = {
  'POST /api/auth/login (with a wrong password)': async () => {
    const { email } = await newUser();
    return () => call('POST /api/auth/login', { body: { email, password: 'wrong horse' } });
  },
  'POST /api/share (a large one)': async () => {
    const { create } = sharesOf(await newUser());
    const content = large();
    return () => create({ content });
  },
  'PUT /api/share/{id} (a large one)': async () => {
    const { id, put } = await newLargeShare();
    const content = large();
    return () => put(id, { content });
  },
  'DELETE /api/share/{id} (a large one)': async () => {
    const { id, remove } = await newLargeShare();
    return () => remove(id);
  },
  'GET /api/share (a large one)': async () => {
    const { id } = await newLargeShare();
    return () => view(id);
  },
  'GET /api/share (with a password)': async () => {
    const her = sharesOf(await newUser());
    const id = await her.newShare({ password: 'Abc123', viewLimit: 20 });
    return () => view(id, 'Abc123');
  },
  'GET /s/{id}/raw (a large one)': async () => {
    const { id } = await newLargeShare();
    return () => raw(id);
  },
  'GET /{id} (a large one)': async () => {
    const { id } = await newLargeShare();
    return () => frame(id);
  },
  'POST /api/documents (a large one)': async () => {
    const { token } = await newUser('user', permissions);
    const body = { title: 'A document', content: large() };
    return () => call('POST /api/documents', { token, body });
  },
  'PUT /api/documents/{id} (a large one)': async () => {
    const options = { ...(await newLargeDocument()), body: { content: large() } };
    return () => call('PUT /api/documents/{id}', options);
  },
  'GET /api/documents/{id} (a large one)': async () => {
    const options = await newLargeDocument();
    return () => call('GET /api/documents/{id}', options);
  },
  'POST /api/messages (a large one)': async () => {
    const { token } = await newUser('user', permissions);
    const body = { to: [(await newUser()).id], content: large() };
    return () => call('POST /api/messages', { token, body });
  },
  'DELETE /api/users/{id} (who has something of everything)': toOwner('DELETE /api/users/{id}'),
  'DELETE /api/users/{id} (whose things go to another)': toOwner(
    'DELETE /api/users/{id}',
    async () => ({ query: { transferTo: String((await newUser()).id) } }),
  ),
  'PUT /api/users/{id} (who is suspended)': toOwner('PUT /api/users/{id}', async () => ({
    body: { status: 'suspended' },
  })),
};
