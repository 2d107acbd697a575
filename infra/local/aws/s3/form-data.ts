import { text } from 'node:stream/consumers';
import { createByteReader } from './byte-reader.ts';
import { invalidArgument, S3Error } from './s3-error.ts';

/** Limit of S3 for the fields before the file. */
const MAX_FIELDS_BYTES = 20 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');

export interface UploadForm {
  /** The fields before the file, by lower-case name. Anything after the file is ignored. */
  readonly fields: ReadonlyMap<string, string>;
  readonly fileName: string;
  readonly file: AsyncGenerator<Buffer>;
}

const malformed = (): S3Error =>
  new S3Error(
    400,
    'MalformedPOSTRequest',
    'The body of your POST request is not well-formed multipart/form-data.',
  );

const tooLong = (): S3Error =>
  new S3Error(
    400,
    'MaxPostPreDataLengthExceeded',
    'Your POST request fields preceding the upload file were too large.',
  );

const parseBoundary = (contentType: string): string => {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (!boundary) throw malformed();
  return boundary;
};

const parseParameter = (head: string, name: string): string | undefined =>
  new RegExp(`;\\s*${name}="([^"]*)"`, 'i').exec(head)?.[1];

/**
 * Reads a browser's upload up to the first byte of its file. The file is streamed.
 * @throws S3Error MalformedPOSTRequest, MaxPostPreDataLengthExceeded, InvalidArgument without a file
 */
export const readUploadForm = async (
  body: AsyncIterator<Buffer>,
  contentType: string,
): Promise<UploadForm> => {
  const delimiter = Buffer.from(`\r\n--${parseBoundary(contentType)}`);
  // Only the first delimiter has no line before it.
  const reader = createByteReader(body, { head: '\r\n', tooShort: malformed, tooLong });
  const fields = new Map<string, string>();
  let left = MAX_FIELDS_BYTES;
  const until = async (mark: Buffer): Promise<string> => {
    const part = await reader.until(mark, left);
    left -= part.length;
    return part.toString();
  };

  await until(delimiter);
  for (;;) {
    if ((await text(reader.stream(2))) === '--') {
      throw invalidArgument('POST requires exactly one file upload per request.');
    }
    const head = `\r\n${await until(HEAD_END)}`;
    const name = parseParameter(head, 'name')?.toLowerCase();
    if (name === undefined) throw malformed();
    if (name === 'file') {
      const fileName = parseParameter(head, 'filename') ?? '';
      return { fields, fileName, file: reader.streamUntil(delimiter) };
    }
    fields.set(name, await until(delimiter));
  }
};
