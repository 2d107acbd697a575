import { type CallOptions, call } from '../service/call.ts';
import { moreThanAPage, newUser, params, type TypicalCalls } from './sample-request.ts';

const permissions = ['documents:create', 'documents:update', 'documents:delete'];

/** Creates a user, with functions that send requests about documents. */
const newAuthor = async () => {
  const { token } = await newUser('user', permissions);
  const make = async () => {
    const body = { title: 'A document', content: 'Some words.', tags: ['draft'] };
    return (await call('POST /api/documents', { token, body })).body.data.id as number;
  };
  const trash = (id: number) => call('DELETE /api/documents/{id}', { token, ...params(id) });
  const ask = (endpoint: string, options: CallOptions = {}) =>
    call(endpoint, { token, ...options });
  return { make, trash, ask };
};

/** Prepares a request by a document's author. `body` may create a user to name in it. */
const ofOne =
  (endpoint: string, body: () => Promise<unknown> = async () => undefined) =>
  async () => {
    const { make, ask } = await newAuthor();
    const options = { ...params(await make()), body: await body() };
    return () => ask(endpoint, options);
  };

const ofTrashed = (endpoint: string) => async () => {
  const { make, trash, ask } = await newAuthor();
  const id = await make();
  await trash(id);
  return () => ask(endpoint, params(id));
};

/** Prepares a request by the author of a document that has a revision. */
const ofRevised = (endpoint: string) => async () => {
  const { make, ask } = await newAuthor();
  const id = await make();
  const changed = await ask('PUT /api/documents/{id}', {
    ...params(id),
    body: { content: 'Else.' },
  });
  const version = String(changed.body.data.version - 1);
  return () => ask(endpoint, { params: { id: String(id), version } });
};

export const documentCalls: TypicalCalls = {
  'GET /api/documents': async () => {
    const { make, ask } = await newAuthor();
    await moreThanAPage(make);
    return () => ask('GET /api/documents');
  },
  'GET /api/documents/trash': async () => {
    const { make, trash, ask } = await newAuthor();
    await moreThanAPage(async () => trash(await make()));
    return () => ask('GET /api/documents/trash');
  },
  'GET /api/documents/names': async () => {
    const { make, ask } = await newAuthor();
    await moreThanAPage(make);
    return () => ask('GET /api/documents/names', { query: { of: 'tag' } });
  },
  'GET /api/documents/{id}': ofOne('GET /api/documents/{id}'),
  'POST /api/documents': async () => {
    const { ask } = await newAuthor();
    return () => ask('POST /api/documents', { body: { title: 'A document', content: 'Words.' } });
  },
  'PUT /api/documents/{id}': ofOne('PUT /api/documents/{id}', async () => ({ title: 'Another' })),
  'PUT /api/documents/{id} (goes on)': ofOne('PUT /api/documents/{id}', async () => ({
    content: 'Some words. More words.',
  })),
  'PUT /api/documents/{id} (leaves a revision)': ofOne('PUT /api/documents/{id}', async () => ({
    content: 'More words.',
  })),
  'DELETE /api/documents/{id}': ofOne('DELETE /api/documents/{id}'),
  'GET /api/documents/{id}/readers': async () => {
    const { make, ask } = await newAuthor();
    const options = params(await make());
    const readers = [(await newUser()).id, (await newUser()).id];
    await ask('POST /api/documents/{id}/share', { ...options, body: { userIds: readers } });
    return () => ask('GET /api/documents/{id}/readers', options);
  },
  'POST /api/documents/{id}/share': ofOne('POST /api/documents/{id}/share', async () => ({
    userIds: [(await newUser()).id],
  })),
  'POST /api/documents/{id}/unshare': async () => {
    const { make, ask } = await newAuthor();
    const options = { ...params(await make()), body: { userIds: [(await newUser()).id] } };
    await ask('POST /api/documents/{id}/share', options);
    return () => ask('POST /api/documents/{id}/unshare', options);
  },
  'POST /api/documents/{id}/restore': ofTrashed('POST /api/documents/{id}/restore'),
  'DELETE /api/documents/trash/{id}': ofTrashed('DELETE /api/documents/trash/{id}'),
  'GET /api/documents/{id}/revisions': ofRevised('GET /api/documents/{id}/revisions'),
  'GET /api/documents/{id}/revisions/{version}': ofRevised(
    'GET /api/documents/{id}/revisions/{version}',
  ),
  'GET /api/documents/{id}/revisions/{version}/diff': ofRevised(
    'GET /api/documents/{id}/revisions/{version}/diff',
  ),
  'POST /api/documents/{id}/revisions/{version}/restore': ofRevised(
    'POST /api/documents/{id}/revisions/{version}/restore',
  ),
};
