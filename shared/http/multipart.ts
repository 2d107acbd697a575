import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type AppError, invalidField } from '../runtime/errors.ts';
import type { Form, ReadMultipart } from './middleware/validate.ts';

/** A file in a form, in memory: what the gateway takes of a body fits there. */
export class FilePart {
  /** As the sender calls it, without folders. */
  readonly name: string;
  readonly bytes: Buffer;

  constructor(name: string, bytes: Buffer) {
    this.name = name;
    this.bytes = bytes;
  }

  /** What stands for it where a request is told from another. */
  toJSON(): object {
    return { name: this.name, sha256: createHash('sha256').update(this.bytes).digest('hex') };
  }
}

/** The schema of a field that is a file. */
export const getFilePart = (description: string) =>
  z
    .custom<FilePart>((value) => value instanceof FilePart, {
      error: ({ input }) =>
        input === undefined ? 'is required: a part with a file' : 'must be a file, with a name',
    })
    .meta({ override: { type: 'string', format: 'binary', description } });

/** What a form of this service may hold: a file and a few words. */
const limits = {
  files: 1,
  fields: 10,
  parts: 12,
  fieldNameSize: 100,
  fieldSize: 4_096,
  headerPairs: 20,
  headerSize: 4_096,
} as const;

const endOfHeader = '\r\n\r\n';
const lastMark = Buffer.from('--');

/** All bytes are at hand, so that only a form which never ends takes so long. */
const timeoutMs = 2_000;

const malformed = (cause?: unknown) =>
  invalidField('body', 'must be valid multipart/form-data', cause);

/** Named once, and of the characters that RFC 2046 allows: the parser takes it for the same. */
const parseBoundary = (contentType: string): string => {
  const [, quoted, bare] = contentType.match(/;\s*boundary=(?:"([^"]*)"|([^\s;"]*))/i) ?? [];
  const boundary = quoted ?? bare ?? '';
  if (contentType.match(/boundary\s*\*?=/gi)?.length !== 1) throw malformed();
  if (!/^[\w'()+,./:=? -]{1,70}$/.test(boundary)) throw malformed();
  return boundary;
};

/**
 * The parser cuts a longer header off without a word, and with it what the part is called.
 * @throws AppError VALIDATION_ERROR about `body`
 */
const assertHeaders = (contentType: string, bytes: Buffer): void => {
  const delimiter = `--${parseBoundary(contentType)}`;
  const nextDelimiter = `\r\n${delimiter}`;
  let at = bytes.indexOf(delimiter);
  while (at !== -1) {
    const start = at + delimiter.length;
    const header = bytes.subarray(start, start + 2 + limits.headerSize + endOfHeader.length);
    const isShort = start + header.length === bytes.length;
    const hasEnd = header.includes(endOfHeader) || header.includes(nextDelimiter);
    if (!isShort && !hasEnd && !header.subarray(0, 2).equals(lastMark)) {
      throw invalidField(
        'body',
        `must contain at most ${limits.headerSize} bytes of headers per part`,
      );
    }
    const next = bytes.indexOf(nextDelimiter, start);
    at = next === -1 ? -1 : next + 2;
  }
};

const createParser = async (contentType: string) => {
  // Loaded with the first form: a request without one does without it.
  const { createFormParser } = await import('./form-parser.ts');
  try {
    return createFormParser(contentType, limits);
  } catch (cause) {
    throw malformed(cause);
  }
};

/**
 * The fields of a form by their names, a file as a `FilePart`.
 * @throws AppError VALIDATION_ERROR about `body` where it is no such form, has no end, holds more than one file or ten
 *   fields, or a part with more than 4 KB of header; within 2 s
 */
export const readMultipart: ReadMultipart = async (contentType, bytes) => {
  if (!/^multipart\/form-data\b/i.test(contentType)) {
    throw invalidField('body', 'must be multipart/form-data, with a part named file');
  }
  assertHeaders(contentType, bytes);
  const parser = await createParser(contentType);
  const form: Record<string, unknown> = Object.create(null);
  return new Promise<Form>((resolve, reject) => {
    const timer = setTimeout(() => reject(malformed()), timeoutMs);
    const fail = (error: AppError) => {
      clearTimeout(timer);
      reject(error);
    };
    const take = (name: string, value: unknown) => {
      if (name in form) fail(invalidField(name, 'must occur once'));
      form[name] = value;
    };
    parser.on('file', (name, stream, fileName) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', (cause) => fail(malformed(cause)));
      // A form's field for a file that nobody chose is sent without a name and without bytes.
      stream.on('end', () => {
        const content = Buffer.concat(chunks);
        if (fileName || content.length > 0)
          take(name, fileName ? new FilePart(fileName, content) : '');
      });
    });
    parser.on('field', (name, value, isNameCut, isValueCut) => {
      if (isNameCut || isValueCut) {
        fail(invalidField(name, `must be at most ${limits.fieldSize} bytes`));
      } else take(name, value);
    });
    const tooMany = () =>
      fail(invalidField('body', 'must contain one file and at most 10 other fields'));
    parser.on('filesLimit', tooMany);
    parser.on('fieldsLimit', tooMany);
    parser.on('partsLimit', tooMany);
    parser.on('error', (cause) => fail(malformed(cause)));
    parser.on('finish', () => {
      clearTimeout(timer);
      resolve({ ...form });
    });
    parser.end(bytes);
  });
};
