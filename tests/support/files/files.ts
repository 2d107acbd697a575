import { createHash, randomBytes } from 'node:crypto';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import { bucketName, clientOf } from '../s3/local-s3.ts';
import { type Answer, call } from '../service/call.ts';
import { type Caller, createRequests, idsIn, type Query } from '../sharing/requests.ts';
import type { Person } from '../users/test-users.ts';

const requests = createRequests('files');

export const { newOwner, newReader, newManager } = requests;
export const { look, change, remove, share, unshare, list, listed } = requests;
export const restore = requests.withId('POST /api/files/{id}/restore');
export const purge = requests.withId('DELETE /api/files/trash/{id}');
/** Deletes a file for good: the answer is that of the trash, or why the file isn't moved there. */
export const erase = async (caller: Caller, id: number): Promise<Answer> => {
  const response = await remove(caller, id);
  return response.body.message === 'Moved to the trash' ? purge(caller, id) : response;
};
/** Sends a thumbnail; by default one pixel. */
export const setThumbnail = (
  { token }: Caller,
  id: number,
  image: unknown = png.toString('base64'),
): Promise<Answer> =>
  call('PUT /api/files/{id}/thumbnail', { token, params: { id: String(id) }, body: { image } });
export const thumbnail = requests.withId('GET /api/files/{id}/thumbnail');
/** The id of a new image that has a thumbnail. */
export const madeWithThumbnail = async (owner: Caller): Promise<number> => {
  const id = await made(owner, { name: 'dot.png' }, png);
  expect((await setThumbnail(owner, id)).status).toBe(200);
  return id;
};
export const complete = requests.withId('POST /api/files/{id}/complete');

export const listTrash = ({ token }: Caller, query: Query = {}): Promise<Answer> =>
  call('GET /api/files/trash', { token, query });

/** Returns the ids on the trash's first page of 100, and the total. */
export const trashed = async (client: Caller) => {
  const response = await listTrash(client, { pageSize: '100' });
  return { ids: idsIn(response), total: response.body.data.total };
};

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
  call('GET /api/files/{id}/download', { token, query, params: { id: String(id) } });

/** What S3 answers at the address that a download leads to. */
export const fetchFile = async (client: Caller, id: number, query: Query = {}) => {
  const answer = await download(client, id, query);
  expect(answer.status).toBe(302);
  const response = await fetch(answer.headers['location'] ?? '');
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, bytes, headers: response.headers };
};

export const usage = async ({ token }: Caller) =>
  (await call('GET /api/files/usage', { token })).body.data;

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

/** Creates files of every kind: in folders, shared, public, a favorite, in the trash and an incomplete upload. */
export const madeOfAll = async (owner: Caller, reader: Pick<Person, 'id'>) => {
  const folders = [
    await madeFolder(owner, 'Photos'),
    await madeFolder(owner, '2026', 'Photos'),
  ] as const;
  const files = [
    await made(owner, { name: 'plain.txt' }, 'plain'),
    await made(owner, { name: 'shared.txt', folder: 'Photos/2026' }, 'shared'),
    await made(owner, { name: 'everyones.txt', folder: 'Photos' }, 'everyones'),
    await made(owner, { name: 'trashed.txt', folder: 'Photos' }, 'trashed'),
  ] as const;
  await change(owner, files[0], { isFavorite: true });
  await change(owner, files[1], { sharedWith: [reader.id] });
  await change(owner, files[2], { visibility: 'everyone' });
  await share(owner, files[3], [reader.id]);
  await remove(owner, files[3]);
  const { body } = await presign(owner, { size: 5 });
  return { folders, files, uploading: body.data as Form & { readonly id: number } };
};
