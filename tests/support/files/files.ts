import { createHash, randomBytes } from 'node:crypto';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import { bucketName, clientOf } from '../s3/local-s3.ts';
import { type Answer, call } from '../service/call.ts';
import { newUserOf, type Person } from '../users/test-users.ts';

type Caller = Pick<Person, 'token'>;
type Query = Readonly<Record<string, string>>;

const writing = ['files:create', 'files:update', 'files:delete'];

/** A user with the role `user` who may write files too. */
export const newOwner = (name = 'Ann Owner'): Promise<Person> =>
  newUserOf('user', { name, extraPermissions: writing });

/** A user who may look at files and no more. */
export const newReader = (name = 'Rea Reader'): Promise<Person> => newUserOf('user', { name });

/** A user who sees and changes all files. */
export const newManager = (): Promise<Person> => newUserOf('admin', { name: 'Max Manager' });

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Every byte there is, and a megabyte of others. */
export const everyByte = (): Buffer =>
  Buffer.concat([
    Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
    randomBytes(1024 ** 2),
  ]);

/** The smallest PNG there is: one transparent pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export interface Part {
  readonly name: string;
  /** A part is a file that has one. */
  readonly fileName?: string;
  readonly type?: string;
  readonly content: Uint8Array | string;
}

export const boundary = 'handbill-tests-boundary';
export const multipartType = { 'content-type': `multipart/form-data; boundary=${boundary}` };

/** A form as a browser writes it. */
export const formOf = (...parts: readonly Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ name, fileName, type = 'application/octet-stream', content }) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${
          fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: ${type}`
        }\r\n\r\n`,
      ),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

export interface NewFile {
  readonly name?: string;
  readonly type?: string;
  readonly folder?: string;
}

const filePartOf = (bytes: Uint8Array | string, { name = 'file.bin', type }: NewFile): Part => ({
  name: 'file',
  fileName: name,
  ...(type !== undefined && { type }),
  content: bytes,
});

/** Uploads through the API. */
export const upload = (
  { token }: Caller,
  bytes: Uint8Array | string = 'Hello',
  file: NewFile = {},
  headers = {},
): Promise<Answer> =>
  call('POST /api/files/upload', {
    token,
    headers: { ...multipartType, ...headers },
    body: formOf(
      filePartOf(bytes, file),
      ...(file.folder === undefined ? [] : [{ name: 'folder', content: file.folder }]),
    ),
  });

/** A new file's id. */
export const made = async (
  client: Caller,
  file: NewFile = {},
  bytes: Uint8Array | string = 'Hello',
): Promise<number> => {
  const response = await upload(client, bytes, file);
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return response.body.data.id;
};

export const presign = ({ token }: Caller, body: object, headers = {}): Promise<Answer> =>
  call('POST /api/files/presign', { token, headers, body: { name: 'file.bin', ...body } });

/** A form of S3's, as it was presigned or otherwise. */
export interface Form {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Sends a form to S3, as a page does; answers the status. */
export const sendForm = async (
  { url, fields }: Form,
  bytes: Uint8Array | string,
): Promise<number> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([Buffer.from(bytes)]), 'blob');
  const { status } = await fetch(url, { method: 'POST', body: form });
  return status;
};

const on = (id: number) => ({ params: { id: String(id) } });

export const complete = ({ token }: Caller, id: number): Promise<Answer> =>
  call('POST /api/files/{id}/complete', { token, ...on(id) });

/** The direct way, from the form to the file. */
export const uploadDirect = async (
  client: Caller,
  bytes: Uint8Array | string,
  fields: object = {},
): Promise<Answer> => {
  const { body } = await presign(client, { size: Buffer.byteLength(bytes), ...fields });
  expect(await sendForm(body.data, bytes)).toBe(201);
  return complete(client, body.data.id);
};

export const look = ({ token }: Caller, id: number, headers = {}): Promise<Answer> =>
  call('GET /api/files/{id}', { token, headers, ...on(id) });

export const change = (
  { token }: Caller,
  id: number,
  body: unknown,
  headers = {},
): Promise<Answer> => call('PUT /api/files/{id}', { token, headers, body, ...on(id) });

const sharing =
  (verb: 'share' | 'unshare') =>
  ({ token }: Caller, id: number, userIds: unknown, headers = {}): Promise<Answer> =>
    call(`POST /api/files/{id}/${verb}`, { token, headers, body: { userIds }, ...on(id) });

export const share = sharing('share');
export const unshare = sharing('unshare');

export const remove = ({ token }: Caller, id: number, headers = {}): Promise<Answer> =>
  call('DELETE /api/files/{id}', { token, headers, ...on(id) });

export const makeFolder = ({ token }: Caller, body: object, headers = {}): Promise<Answer> =>
  call('POST /api/files/folders', { token, headers, body });

/** A new folder's id. */
export const madeFolder = async (
  client: Caller,
  name: string,
  folder?: string,
): Promise<number> => {
  const response = await makeFolder(client, { name, folder });
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return response.body.data.id;
};

export const download = ({ token }: Caller, id: number, query: Query = {}): Promise<Answer> =>
  call('GET /api/files/{id}/download', { token, query, ...on(id) });

/** What S3 answers at the address that a download leads to. */
export const fetchFile = async (client: Caller, id: number, query: Query = {}) => {
  const answer = await download(client, id, query);
  expect(answer.status).toBe(302);
  const response = await fetch(answer.headers['location'] ?? '');
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, bytes, headers: response.headers };
};

export const list = ({ token }: Caller, query: Query = {}): Promise<Answer> =>
  call('GET /api/files', { token, query });

export const usage = async ({ token }: Caller) =>
  (await call('GET /api/files/usage', { token })).body.data;

/** The ids on a list's first page of 100, and the total it names. */
export const listed = async (client: Caller, query: Query = {}) => {
  const response = await list(client, { pageSize: '100', ...query });
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  const { total, totalIsExact, items } = response.body.data;
  expect(totalIsExact).toBe(true);
  return { ids: items.map(({ id }: { id: number }) => id) as number[], total };
};

/** The names in a list, in its order. */
export const namesIn = async (client: Caller, query: Query = {}): Promise<string[]> =>
  (await list(client, { pageSize: '100', ...query })).body.data.items.map(
    ({ name }: { name: string }) => name,
  );

/** The keys of all objects of the bucket. */
export const objectKeys = async (): Promise<string[]> => {
  const { Contents = [] } = await clientOf().send(
    new ListObjectsV2Command({ Bucket: bucketName() }),
  );
  return Contents.map(({ Key = '' }) => Key);
};
