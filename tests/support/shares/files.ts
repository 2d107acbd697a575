import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { formOf, multipartType, sha256 } from '../files/files.ts';
import { bucketName, clientOf } from '../s3/local-s3.ts';
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
