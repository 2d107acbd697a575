import * as z from 'zod';
import { FilePart, getFilePart } from '../../../../shared/http/multipart.ts';
import type { Form, OtherBody, OtherContent } from '../../../../shared/http/route.ts';
import { integer } from '../../../../shared/input/fields.ts';
import { maxExpirySeconds } from '../../../../shared/input/share-limits.ts';
import { invalidField } from '../../../../shared/runtime/errors.ts';
import { maxFiles } from '../../../../shared/share-files/limits.ts';
import { toBoolean, toNumber } from '../record/option-kinds.ts';
import { optionNames, optionParameters, shareOptions } from '../record/options.ts';
import type { Language } from '../record/share.ts';
import { MainPath } from '../requests/file-fields.ts';
import { toContent, toFile, toFilePath, toText, withoutByteOrderMark } from './file-content.ts';
import { toSentArchive, toSentFiles } from './sent-files.ts';
import { isShownAlone } from './shown-alone.ts';

type Reader = (text: unknown) => unknown;

/** How fields are read whose text isn't their value. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...optionNames.map((name) => [name, shareOptions[name].fromText] as const),
  ['expiresIn', toNumber],
  ['useRandomPassword', toBoolean],
  ['main', (text) => text],
]);

const parameter = (read: Reader, schema: z.ZodType, description: string) =>
  z.preprocess(read, schema).optional().meta({ description });

/** The options of a share in the query of `POST /api/share`. A field of the body wins. */
export const ShareOptions = z.looseObject({
  ...optionParameters,
  useRandomPassword: parameter(toBoolean, z.boolean(), 'Whether to generate a password.'),
  expiresIn: parameter(toNumber, integer(maxExpirySeconds), 'After how many seconds it ends.'),
  main: MainPath.optional().meta({ description: 'The path of the main page, of several files.' }),
});

/** The headers of `POST /api/share`. */
export const ContentHeaders = z.object({
  'x-share-password': z.string().max(64).optional().meta({
    description: 'A password for the share: 6 letters or digits.',
  }),
});

const bare = (language: Language, description: string): OtherBody => ({
  schema: z.string().min(1).meta({ description }),
  read: (content, { charset }) => {
    const { text, encoding } = toText(content as Buffer, 'body', charset);
    return { fields: { language, content: withoutByteOrderMark(text) }, readAs: encoding };
  },
});

/** Returns the JSON of a share that a client sends as a text, as `fetch` names it, and that a page must not show. */
const parseShare = (text: string): Form | undefined => {
  const json = withoutByteOrderMark(text);
  if (!/^\s*\{/.test(json)) return undefined;
  try {
    const value: object = JSON.parse(json);
    return 'content' in value ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};

/** The name of a body, which has none: the title, with an ending. */
const toName = (query: unknown, ending: string): string => {
  const { title = 'snippet' } = query as z.output<typeof ShareOptions>;
  return /\.\w+$/.test(title) ? title : `${title}.${ending}`;
};

const plainText: OtherBody = {
  schema: z.string().min(1).meta({
    description:
      'Plain text: a file of lines, named by `title`. A JSON object with `content` is read as JSON.',
  }),
  read: (content, { charset, query }) => {
    const { text, encoding } = toText(content as Buffer, 'body', charset);
    const fields = parseShare(text) ?? { ...toFile(toName(query, 'txt'), text) };
    return { fields, readAs: encoding };
  },
};

const csv: OtherBody = {
  schema: z.string().min(1).meta({ description: 'CSV: a table, named by `title`.' }),
  read: (content, { charset, query }) => {
    const { text, encoding } = toText(content as Buffer, 'body', charset);
    return { fields: { ...toFile(toName(query, 'csv'), text) }, readAs: encoding };
  },
};

/** A picture or PDF alone, whose name has this ending. */
const binary = (ending: string, what: string): OtherBody => ({
  schema: z.string().meta({
    override: { type: 'string', format: 'binary', description: `${what}, named by \`title\`.` },
  }),
  read: (content, { query }) => {
    const file = new FilePart(toFilePath(toName(query, ending)), content as Buffer);
    if (!isShownAlone(file)) throw invalidField('body', `must be ${what.replace('A ', 'a ')}`);
    return { fields: { sent: toSentFiles([file]) } };
  },
});

const ShareForm = z.object({
  file: getFilePart(
    'One or several files, or a ZIP archive of them. A text alone is in UTF-8, in UTF-16 with a byte order mark, or in Windows-1252: Markdown and HTML are shared as pages, by the ending of the name, other texts as lines; a picture, sound, film or PDF is shown by itself, and what is no text is a download. The name of one file is the title unless `title` or front matter has one. Of several files, the names are paths, and the page is `main`, `index.html`, or else the first HTML or Markdown file.',
  ),
});

/** Returns what several files of a form are, or one. */
const toShared = (files: readonly FilePart[]): OtherContent | undefined => {
  const [first] = files;
  if (!first) return undefined;
  return files.length === 1 ? toContent(first) : { fields: { sent: toSentFiles(files) } };
};

/** The bodies of `POST /api/share` besides JSON: the content alone, an archive, or a form with files. */
export const otherBodies: Readonly<Record<string, OtherBody>> = {
  'text/markdown': bare('markdown', 'Markdown.'),
  'text/html': bare('html', 'HTML.'),
  'text/plain': plainText,
  'text/csv': csv,
  'image/png': binary('png', 'A picture in PNG'),
  'image/jpeg': binary('jpg', 'A picture in JPEG'),
  'image/gif': binary('gif', 'A picture in GIF'),
  'image/webp': binary('webp', 'A picture in WebP'),
  'image/avif': binary('avif', 'A picture in AVIF'),
  'image/svg+xml': binary('svg', 'A picture in SVG'),
  'application/pdf': binary('pdf', 'A PDF'),
  'application/zip': {
    schema: z.string().meta({
      override: { type: 'string', format: 'binary', description: 'A ZIP archive of files.' },
    }),
    read: (content) => ({ fields: { sent: toSentArchive(content as Buffer) } }),
  },
  'multipart/form-data': {
    schema: ShareForm,
    formLimits: { files: maxFiles, fieldSize: 4_096, hasPaths: true },
    read: (content) => {
      const { file, ...texts } = content as Form;
      assertNoSeal(texts);
      const shared = toShared(Array.isArray(file) ? file : []);
      if (!shared && texts['content'] === undefined) {
        throw invalidField('file', 'is required: a part with a file');
      }
      const fields = Object.entries(texts).map(([name, text]) => [
        name,
        readers.get(name)?.(text) ?? text,
      ]);
      return {
        fields: { ...shared?.fields, ...Object.fromEntries(fields) },
        readAs: shared?.readAs,
      };
    },
  },
};

/** A seal is part of the content, which only JSON has as an envelope. @throws AppError VALIDATION_ERROR */
const assertNoSeal = (fields: object): void => {
  const seal = ['sealed', 'proof'].find((name) => name in fields);
  if (seal !== undefined) throw invalidField(seal, 'must be sent in a JSON body');
};

/**
 * Adds the options of the query and the password of the header to the fields of a new share.
 * @throws AppError VALIDATION_ERROR for a password or seal in the query, or two passwords
 */
export const completeBody = (
  fields: Form,
  request: {
    readonly query: z.output<typeof ShareOptions>;
    readonly headers: z.output<typeof ContentHeaders>;
  },
): Form => {
  if ('password' in request.query) {
    throw invalidField('password', 'must be sent as X-Share-Password, because URLs are logged');
  }
  assertNoSeal(request.query);
  const password = request.headers['x-share-password'];
  if (password !== undefined && fields['password'] != null) {
    throw invalidField('x-share-password', 'cannot be combined with a password');
  }
  const given = Object.entries(request.query).filter(
    ([name, value]) => readers.has(name) && value !== undefined,
  );
  return {
    ...Object.fromEntries(given),
    ...fields,
    ...(password !== undefined && { password }),
  };
};
