import { type Form, formOf, multipartType, png, sendForm } from '../files/files.ts';
import { type CallOptions, call } from '../service/call.ts';
import { moreThanAPage, newUser, params, type TypicalCalls } from './sample-request.ts';

const permissions = ['files:create', 'files:update', 'files:delete'];

const form = formOf({ name: 'file', fileName: 'notes.txt', content: 'Hello' });
const image = formOf({ name: 'file', fileName: 'dot.png', content: png });
const thumbnail = { image: png.toString('base64') };

/** Prepares a user with files, and a request about one file. */
const newOwner = async () => {
  const { token } = await newUser('user', permissions);
  const ask = (endpoint: string, options: CallOptions = {}) =>
    call(endpoint, { token, ...options });
  const upload = () => ask('POST /api/files/upload', { headers: multipartType, body: form });
  const make = async () => (await upload()).body.data.id as number;
  const makeImage = async () => {
    const sent = await ask('POST /api/files/upload', { headers: multipartType, body: image });
    return sent.body.data.id as number;
  };
  return { ask, upload, make, makeImage };
};

/** Prepares a request by a file's owner. */
const ofOne = (endpoint: string, body?: unknown) => async () => {
  const { ask, make } = await newOwner();
  const options = { ...params(await make()), ...(body !== undefined && { body }) };
  return () => ask(endpoint, options);
};

const ofTrashed = (endpoint: string) => async () => {
  const { ask, make } = await newOwner();
  const options = params(await make());
  await ask('DELETE /api/files/{id}', options);
  return () => ask(endpoint, options);
};

const ofOwner =
  (endpoint: string, body?: unknown): TypicalCalls[string] =>
  async () => {
    const { ask } = await newOwner();
    return () => ask(endpoint, body === undefined ? {} : { body });
  };

const announced = { name: 'notes.txt', size: 5 };

export const fileCalls: TypicalCalls = {
  'GET /api/files': async () => {
    const { ask, make } = await newOwner();
    await moreThanAPage(make);
    return () => ask('GET /api/files');
  },
  'GET /api/files (of a folder)': async () => {
    const { ask, make } = await newOwner();
    await moreThanAPage(make);
    return () => ask('GET /api/files', { query: { folder: '/', sort: 'name' } });
  },
  'GET /api/files (shared)': async () => {
    const { ask, make } = await newOwner();
    const { id, token } = await newUser();
    await moreThanAPage(async () => {
      const body = { userIds: [id] };
      await ask('POST /api/files/{id}/share', { ...params(await make()), body });
    });
    return () => call('GET /api/files', { token, query: { shared: 'true' } });
  },
  'GET /api/files/trash': async () => {
    const { ask, make } = await newOwner();
    await moreThanAPage(async () => ask('DELETE /api/files/{id}', params(await make())));
    return () => ask('GET /api/files/trash');
  },
  'GET /api/files/usage': ofOwner('GET /api/files/usage'),
  'POST /api/files/upload': async () => (await newOwner()).upload,
  'POST /api/files/presign': ofOwner('POST /api/files/presign', announced),
  'POST /api/files/{id}/complete': async () => {
    const { ask } = await newOwner();
    const { body } = await ask('POST /api/files/presign', { body: announced });
    await sendForm(body.data as Form, 'Hello');
    return () => ask('POST /api/files/{id}/complete', params(body.data.id));
  },
  'PUT /api/files/{id}/thumbnail': async () => {
    const { ask, makeImage } = await newOwner();
    const options = { ...params(await makeImage()), body: thumbnail };
    return () => ask('PUT /api/files/{id}/thumbnail', options);
  },
  'GET /api/files/{id}/thumbnail': async () => {
    const { ask, makeImage } = await newOwner();
    const options = params(await makeImage());
    await ask('PUT /api/files/{id}/thumbnail', { ...options, body: thumbnail });
    return () => ask('GET /api/files/{id}/thumbnail', options);
  },
  'POST /api/files/folders': ofOwner('POST /api/files/folders', { name: 'Photos' }),
  'GET /api/files/{id}': ofOne('GET /api/files/{id}'),
  'GET /api/files/{id}/download': ofOne('GET /api/files/{id}/download'),
  'PUT /api/files/{id}': ofOne('PUT /api/files/{id}', { name: 'Renamed.txt' }),
  'GET /api/files/{id}/readers': async () => {
    const { ask, make } = await newOwner();
    const options = params(await make());
    const userIds = [(await newUser()).id, (await newUser()).id];
    await ask('POST /api/files/{id}/share', { ...options, body: { userIds } });
    return () => ask('GET /api/files/{id}/readers', options);
  },
  'POST /api/files/{id}/share': async () => {
    const { ask, make } = await newOwner();
    const options = { ...params(await make()), body: { userIds: [(await newUser()).id] } };
    return () => ask('POST /api/files/{id}/share', options);
  },
  'POST /api/files/{id}/unshare': async () => {
    const { ask, make } = await newOwner();
    const options = { ...params(await make()), body: { userIds: [(await newUser()).id] } };
    await ask('POST /api/files/{id}/share', options);
    return () => ask('POST /api/files/{id}/unshare', options);
  },
  'DELETE /api/files/{id}': ofOne('DELETE /api/files/{id}'),
  'POST /api/files/{id}/restore': ofTrashed('POST /api/files/{id}/restore'),
  'DELETE /api/files/trash/{id}': ofTrashed('DELETE /api/files/trash/{id}'),
};
