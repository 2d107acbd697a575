import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import { readCounter } from '../../../shared/counters/counter.ts';
import { usage } from '../../../shared/storage/usage.ts';
import { formOf, multipartType, sendForm, sha256 } from '../files/files.ts';
import { bucketName, clientOf, remove } from '../s3/local-s3.ts';
import { type Answer, call } from '../service/call.ts';

/** Files by their paths. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** The smallest site there is: a page, a style and a picture of it. */
export const site: Files = {
  'index.html': '<link rel="stylesheet" href="style.css"><img src="img/dot.png"><p>Hello</p>',
  'style.css': 'p { color: teal }',
  'img/dot.png': Buffer.from('89504e470d0a1a0a0000', 'hex'),
};

/** Sends a form with files, whose names are their paths. */
export const sendFiles = (
  token: string,
  files: Files,
  fields: Readonly<Record<string, string>> = {},
  headers: object = {},
): Promise<Answer> =>
  call('POST /api/share', {
    token,
    headers: { ...multipartType, ...headers },
    body: formOf(
      ...Object.entries(files).map(([fileName, content]) => ({ name: 'file', fileName, content })),
      ...Object.entries(fields).map(([name, content]) => ({ name, content })),
    ),
  });

/** Names files by their bytes. */
export const namesOf = (files: Files) =>
  Object.entries(files).map(([path, content]) => ({
    path,
    size: Buffer.from(content).length,
    sha256: sha256(Buffer.from(content)),
  }));

/** Returns the keys of a share’s objects in the bucket, or of all shares. */
export const objectsOf = async (id?: string): Promise<string[]> => {
  const Prefix = id === undefined ? 'shares/' : `shares/${id}/`;
  const { Contents = [] } = await clientOf().send(
    new ListObjectsV2Command({ Bucket: bucketName(), Prefix }),
  );
  return Contents.map(({ Key = '' }) => Key);
};

/** A form of an upload, as the API returns it. */
export interface UploadForm {
  readonly path: string;
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Starts an upload of files, or adds them to one. */
export const startUpload = (token: string, files: Files, body: object = {}): Promise<Answer> =>
  call('POST /api/share/uploads', { token, body: { files: namesOf(files), ...body } });

/** Sends the files of an upload by its forms, and returns the statuses of S3. */
export const sendForms = (forms: readonly UploadForm[], files: Files): Promise<number[]> =>
  Promise.all(forms.map((form) => sendForm(form, files[form.path] ?? '')));

/** Uploads files and returns the id of the upload. */
export const uploaded = async (token: string, files: Files, body: object = {}): Promise<string> => {
  const started = await startUpload(token, files, body);
  expect(started.status, JSON.stringify(started.body)).toBe(201);
  const sent = await sendForms(started.body.forms, files);
  expect(new Set(sent)).toEqual(new Set(sent.length > 0 ? [201] : []));
  return started.body.id;
};

/** What a user stores, in bytes, and how many uploads the user has. */
export const usageOf = async (userId: number) => {
  const { used = 0, uploads = 0 } = await readCounter(usage, { userId });
  return { used, uploads };
};

/** Deletes the objects of all shares in the bucket, whatever lists them. */
export const deleteAllObjects = async (): Promise<void> => {
  for (const key of await objectsOf()) await remove(key);
};
