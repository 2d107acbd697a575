import * as z from 'zod';
import { FilePart, getFilePart } from '../../../shared/http/multipart.ts';
import type { Form, OtherBody } from '../../../shared/http/route.ts';
import { integer } from '../../../shared/input/fields.ts';
import { maxExpirySeconds } from '../../../shared/input/share-limits.ts';
import { detectLanguage, toTitle } from '../../../shared/markdown/files/content-language.ts';
import { filesToMarkdown } from '../../../shared/markdown/files/files-to-markdown.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { decodeUtf8 } from '../../../shared/text/utf8.ts';
import { toBoolean, toNumber } from './record/option-kinds.ts';
import { optionNames, optionParameters, shareOptions } from './record/options.ts';
import type { Language } from './record/share.ts';

type Reader = (text: unknown) => unknown;

/** How fields are read whose text isn't their value. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...optionNames.map((name) => [name, shareOptions[name].fromText] as const),
  ['expiresIn', toNumber],
  ['useRandomPassword', toBoolean],
]);

const parameter = (read: Reader, schema: z.ZodType, description: string) =>
  z.preprocess(read, schema).optional().meta({ description });

/** The options of a share in the query of `POST /api/share`. A field of the body wins. */
export const ShareOptions = z.looseObject({
  ...optionParameters,
  useRandomPassword: parameter(toBoolean, z.boolean(), 'Whether to generate a password.'),
  expiresIn: parameter(toNumber, integer(maxExpirySeconds), 'After how many seconds it ends.'),
});

/** The headers of `POST /api/share`. */
export const ContentHeaders = z.object({
  'x-share-password': z.string().max(64).optional().meta({
    description: 'A password for the share: 6 letters or digits.',
  }),
});

const toText = (bytes: Buffer, field: string): string => {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  throw invalidField(field, 'must be text in UTF-8');
};

const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '');

const bare = (language: Language, description: string): OtherBody => ({
  schema: z.string().min(1).meta({ description }),
  toFields: (content) => ({
    language,
    content: withoutByteOrderMark(toText(content as Buffer, 'body')),
  }),
});

/** Markdown, HTML and plain text become the content; other files a block of code, as in the composer. */
const toContent = ({ name, bytes }: FilePart): Form => {
  const text = toText(bytes, 'file');
  const title = toTitle(name).slice(0, 200);
  const language = detectLanguage(name);
  return language
    ? { title, language, content: withoutByteOrderMark(text) }
    : { title, language: 'markdown', content: text && filesToMarkdown([{ name, text }]) };
};

const ShareForm = z.object({
  file: getFilePart(
    'A text in UTF-8. Markdown, HTML and plain text are shared as they are, other files as code. Its name is the title unless there is one.',
  ),
});

/** The bodies of `POST /api/share` besides JSON: the content alone, or a form with a file. */
export const otherBodies: Readonly<Record<string, OtherBody>> = {
  'text/markdown': bare('markdown', 'Markdown.'),
  'text/html': bare('html', 'HTML.'),
  'multipart/form-data': {
    schema: ShareForm,
    toFields: (content) => {
      const { file, ...texts } = content as Form;
      if (!(file instanceof FilePart) && texts['content'] === undefined) {
        throw invalidField('file', 'is required: a part with a file');
      }
      const fields = Object.entries(texts).map(([name, text]) => [
        name,
        readers.get(name)?.(text) ?? text,
      ]);
      return {
        ...(file instanceof FilePart && toContent(file)),
        ...Object.fromEntries(fields),
      };
    },
  },
};

/**
 * Adds the options of the query and the password of the header to the fields of a new share.
 * @throws AppError VALIDATION_ERROR for a password in the query, or two
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
