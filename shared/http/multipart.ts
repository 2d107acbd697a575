import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type AppError, invalidField } from '../runtime/errors.ts';
import type { ReadMultipart } from './middleware/validate.ts';
import type { Form, FormLimits } from './route.ts';

/** A file of a form, in memory. */
export class FilePart {
  /** File name as sent, decoded and without folders. */
  readonly name: string;
  readonly bytes: Buffer;
  /** The name with its folders, if the form can have any; else the name. */
  readonly path: string;
  /** The media type that the part states. */
  readonly mediaType: string | undefined;

  constructor(path: string, bytes: Buffer, mediaType?: string) {
    this.name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    this.bytes = bytes;
    this.path = path;
    this.mediaType = mediaType;
  }

  /** Represents the file in the hash that identifies an idempotent request. */
  toJSON(): object {
    return { name: this.path, sha256: createHash('sha256').update(this.bytes).digest('hex') };
  }
}

/** Creates the schema of a file field. */
export const getFilePart = (description: string) =>
  z
    .custom<FilePart>((value) => value instanceof FilePart, {
      error: ({ input }) =>
        input === undefined ? 'is required: a part with a file' : 'must be a file, with a name',
    })
    .meta({ override: { type: 'string', format: 'binary', description } });

/** Limits of most forms: one file and short fields. */
const usualLimits: FormLimits = { files: 1, fieldSize: 4_096 };

const maxFields = 10;

/** Limits of every form. */
const commonLimits = {
  fields: maxFields,
  fieldNameSize: 100,
  headerPairs: 20,
  headerSize: 4_096,
} as const;

const headerEnd = '\r\n\r\n';
const closingMark = Buffer.from('--');

/** The bytes are in memory, so only a form that never ends takes this long. */
const timeoutMs = 2_000;

const invalidForm = (cause?: unknown) =>
  invalidField('body', 'must be valid multipart/form-data', cause);

/**
 * Reads the boundary. The parser must read the same one, so it must occur once and use only the characters of RFC 2046.
 */
const parseBoundary = (contentType: string): string => {
  const [, quoted, bare] = contentType.match(/;\s*boundary=(?:"([^"]*)"|([^\s;"]*))/i) ?? [];
  const boundary = quoted ?? bare ?? '';
  if (contentType.match(/boundary\s*\*?=/gi)?.length !== 1) throw invalidForm();
  if (!/^[\w'()+,./:=? -]{1,70}$/.test(boundary)) throw invalidForm();
  return boundary;
};

/**
 * Checks the length of part headers: the parser silently truncates longer ones, and the part's name with them.
 * @throws AppError VALIDATION_ERROR about `body`
 */
const assertHeaders = (contentType: string, bytes: Buffer): void => {
  const delimiter = `--${parseBoundary(contentType)}`;
  const nextDelimiter = `\r\n${delimiter}`;
  let at = bytes.indexOf(delimiter);
  while (at !== -1) {
    const start = at + delimiter.length;
    const header = bytes.subarray(start, start + 2 + commonLimits.headerSize + headerEnd.length);
    const isShort = start + header.length === bytes.length;
    const hasEnd = header.includes(headerEnd) || header.includes(nextDelimiter);
    if (!isShort && !hasEnd && !header.subarray(0, 2).equals(closingMark)) {
      throw invalidField(
        'body',
        `must contain at most ${commonLimits.headerSize} bytes of headers per part`,
      );
    }
    const next = bytes.indexOf(nextDelimiter, start);
    at = next === -1 ? -1 : next + 2;
  }
};

/**
 * Decodes what browsers, fetch, curl and requests write for a quote or a line break in a name. Nothing else is encoded there,
 * so any other percent sign stands for itself.
 */
const decodeName = (name: string): string =>
  name.replace(/%22|%0a|%0d/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));

const createParser = async (
  contentType: string,
  { files, fieldSize, hasPaths = false }: FormLimits,
) => {
  // Loaded with the first form, to keep other requests fast.
  const { createFormParser } = await import('./form-parser.ts');
  // One part more than it may have, to tell which of the limits is exceeded.
  const parts = files + maxFields + 1;
  try {
    const all = { ...commonLimits, files, fieldSize, parts };
    return createFormParser(contentType, all, hasPaths);
  } catch (cause) {
    throw invalidForm(cause);
  }
};

/**
 * Reads a form within limits, by default one file and short fields. A file becomes a `FilePart`. Takes up to 2 s.
 * @throws AppError VALIDATION_ERROR for an invalid form, too many files, more than ten fields, or over 4 KB of headers per
 *   part
 */
export const readMultipart: ReadMultipart = async (contentType, bytes, limits = usualLimits) => {
  if (!/^multipart\/form-data\b/i.test(contentType)) {
    throw invalidField('body', 'must be multipart/form-data, with a part named file');
  }
  assertHeaders(contentType, bytes);
  const parser = await createParser(contentType, limits);
  const form: Record<string, unknown> = Object.create(null);
  return new Promise<Form>((resolve, reject) => {
    const timer = setTimeout(() => reject(invalidForm()), timeoutMs);
    const fail = (error: AppError) => {
      clearTimeout(timer);
      reject(error);
    };
    const addField = (encodedName: string, value: unknown) => {
      const name = decodeName(encodedName);
      const known = form[name];
      if (Array.isArray(known) && value instanceof FilePart) known.push(value);
      else if (name in form) fail(invalidField(name, 'must occur once'));
      else form[name] = value instanceof FilePart && limits.files > 1 ? [value] : value;
    };
    parser.on('file', (name, stream, fileName, _, mediaType) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', (cause) => fail(invalidForm(cause)));
      // Browsers send an empty file input without a name and without bytes.
      stream.on('end', () => {
        const content = Buffer.concat(chunks);
        if (fileName || content.length > 0)
          addField(name, fileName ? new FilePart(decodeName(fileName), content, mediaType) : '');
      });
    });
    parser.on('field', (name, value, isNameCut, isValueCut) => {
      if (isNameCut || isValueCut) {
        fail(invalidField(name, `must be at most ${limits.fieldSize} bytes`));
      } else addField(name, value);
    });
    const files = limits.files === 1 ? 'one file' : `at most ${limits.files} files`;
    const tooMany = () =>
      fail(invalidField('body', `must contain ${files} and at most ${maxFields} other fields`));
    parser.on('filesLimit', tooMany);
    parser.on('fieldsLimit', tooMany);
    parser.on('partsLimit', tooMany);
    parser.on('error', (cause) => fail(invalidForm(cause)));
    parser.on('finish', () => {
      clearTimeout(timer);
      resolve({ ...form });
    });
    parser.end(bytes);
  });
};
