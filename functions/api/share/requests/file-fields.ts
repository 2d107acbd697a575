import * as z from 'zod';
import { maxFiles, maxPathLength } from '../../../../shared/share-files/limits.ts';
import type { ShareFile } from '../../../../shared/share-files/share-file.ts';

const ofPath = {
  description: 'From the root of the share, such as `img/mill.jpg`: up to 200 characters, in NFC.',
};

/** More than a path can have, so that `checkPaths` says what is wrong with it. */
const maxGivenLength = 1_000;

/** The path of a file in a request. `checkPaths` says what is wrong with it. */
export const FilePath = z.string().min(1).max(maxGivenLength).meta(ofPath);

/** The path of a file as part of an address, which may be empty. `checkPaths` says what is wrong with it. */
export const FilePathParam = z.string().max(maxGivenLength).meta(ofPath);

/** The path of the main page in a request. */
export const MainPath = z.string().min(1).max(maxPathLength);

/** The SHA-256 of a file in a request: in hex, as lower case. */
const Sha256 = z
  .string()
  .regex(/^[\da-f]{64}$/i, 'must be a SHA-256 in hex')
  .toLowerCase();

/** The id of an upload. An impossible one in a path results in 404. */
export const UploadId = z.string().regex(/^[\w-]{1,64}$/, 'must be the id of an upload');

/** A file that a request names by its bytes, among those of an upload and of the share. */
export const NamedFile = z.object({
  path: FilePath,
  sha256: Sha256.meta({ description: 'The SHA-256 of its bytes, in hex.' }),
});

/** A file that will be sent. */
export const AnnouncedFile = NamedFile.extend({
  size: z.int().min(0).meta({ description: 'In bytes.' }),
});

/** More than a share can have, so that `checkPaths` says how many there are. */
const maxListed = 10 * maxFiles;

/** Files that a request names. */
export const NamedFiles = z.array(NamedFile).max(maxListed);

/** Files that will be sent. */
export const AnnouncedFiles = z.array(AnnouncedFile).min(1).max(maxListed);

const shownFile = {
  path: z.string().meta({ description: 'From the root of the share.' }),
  size: z.int().meta({ description: 'In bytes.' }),
  type: z.string().meta({ description: 'The media type that it is served with.' }),
  sha256: z.string().meta({ description: 'The SHA-256 of its bytes, in hex.' }),
};

export const exampleFile = {
  path: 'index.html',
  size: 1_204,
  type: 'text/html',
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
};

/** A reference to a file that the share doesn’t have. */
export const exampleMissing = { path: 'img/mill.jpg', from: 'index.html', line: 12 };

/** The files of a share in responses. */
export const ShownFiles = z
  .array(z.object(shownFile))
  .meta({ id: 'ShareFiles', examples: [[exampleFile]] });

/** Converts a file to its representation. */
export const toShownFile = ({ path, size, type, sha256 }: ShareFile) => ({
  path,
  size,
  type,
  sha256,
});

/** The field of a request that shares a stored file. */
export const StoredFileId = z.int().positive().nullable().optional().meta({
  description:
    'The id of one of your files (`GET /api/files`), of up to 4 MB. The share has a copy of it: a text as its page or its lines, a picture by itself, any other file as a download. Takes `files:view`.',
});

/** The fields of requests that give a share files. */
export const fileFields = {
  upload: UploadId.nullable().optional().meta({
    description: 'The upload that has sent the files (`POST /api/share/uploads`).',
  }),
  files: NamedFiles.nullable().optional().meta({
    description:
      'Which files the share has, by the SHA-256 of their bytes. Left out, all of the upload by their paths.',
  }),
  main: MainPath.nullable().optional().meta({
    description:
      'The path of the main page, which readers see first: `content`, if it is given, or a file. Left out, `index.html`, or else the first HTML or Markdown file.',
  }),
};
