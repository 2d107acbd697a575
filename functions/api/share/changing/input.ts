import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { oneLine, optional } from '../../../../shared/input/fields.ts';
import { recordChange } from '../../../../shared/input/record-change.ts';
import { maxTitleLength } from '../../../../shared/input/share-limits.ts';
import { toTitle } from '../../../../shared/markdown/files/content-language.ts';
import { type ErrorDetail, invalidInput } from '../../../../shared/runtime/errors.ts';
import { optionFields, toAskedOptions } from '../record/options.ts';
import {
  expirationFields,
  findBroken,
  findExpirationConflicts,
  refuseConflicts,
  toExpiry,
} from '../requests/expiration.ts';
import { fileFields, StoredFileId } from '../requests/file-fields.ts';
import { SharePassword } from '../requests/request-fields.ts';
import { Share } from '../requests/schemas.ts';
import type { AskedFiles } from './chosen-files.ts';
import type { NewShare } from './create.ts';
import { SentFiles } from './sent-files.ts';
import type { ShareChange } from './update.ts';

const Content = z.string().min(1, 'must not be empty');

const LanguageField = z.enum(['html', 'markdown'], 'must be html or markdown');

const fields = {
  ...optionFields,
  sealed: optional(z.boolean()).meta({
    description:
      'Whether `content` is a sealed envelope in base64url, which the service can’t open, and the files are such envelopes. It takes `proof`; it can’t be changed afterwards.',
  }),
  proof: optional(z.string().max(64)).meta({
    description:
      'The proof of the key of a sealed share, 32 bytes in base64url: who sends it gets the envelope. A hash of it is stored. When the content changes, it may be left out if the key stays.',
  }),
  useRandomPassword: optional(z.boolean()),
  password: optional(SharePassword),
  ...expirationFields,
};

type Fields = Partial<z.output<z.ZodObject<typeof fields>>>;

/** Finds fields that are invalid in combination, or at this time. */
const findConflicts = ({
  password,
  useRandomPassword,
  ...rest
}: Fields): readonly ErrorDetail[] => [
  ...findBroken([
    [
      password != null && useRandomPassword === true,
      'useRandomPassword',
      'cannot be combined with a password',
    ],
  ]),
  ...findExpirationConflicts(rest),
];

/** Files that bodies of other media types have. JSON can’t. */
const Sent = z
  .unknown()
  .transform((value) => (value instanceof SentFiles ? value : undefined))
  .optional();

/** What can be shared. */
interface Shared {
  readonly content?: unknown;
  readonly upload?: unknown;
  readonly file?: unknown;
  readonly sent?: unknown;
}

const hasContent = ({ content, upload, file, sent }: Shared): boolean =>
  content !== undefined || upload != null || file != null || sent instanceof SentFiles;

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The body of `POST /api/share`. Optional fields accept null (decisions.md#bodies). */
export const ShareInput = z
  .object({
    content: Content.optional().meta({
      description:
        'The HTML or Markdown. It can be left out with `upload` and `file`; with files, it is the text of the main page.',
    }),
    language: optional(LanguageField),
    ...fileFields,
    file: StoredFileId,
    sent: Sent,
    fileName: optional(oneLine(255)).meta({
      description:
        'The name of the file that the content is of. Without its ending `.md` or `.html`, it is the title if neither `title` nor the front matter has one.',
    }),
    ...fields,
  })
  .superRefine(refuseConflicts(findConflicts))
  .refine(({ files, upload }) => files == null || upload != null, {
    path: ['files'],
    error: 'needs the `upload` that has sent them',
  })
  .refine(
    ({ file, content, upload, sent }) =>
      file == null || (content === undefined && upload == null && !sent),
    { path: ['file'], error: 'cannot be combined with `content`, `upload` or files' },
  )
  // Also if something else is wrong: `details` names all of it.
  .refine(hasContent, {
    path: ['content'],
    error: 'is required',
    when: ({ value }) => isObject(value),
  })
  .meta({
    id: 'CreateShareInput',
    override: ({ jsonSchema }) => {
      delete jsonSchema.properties?.['sent'];
    },
    examples: [
      {
        content: '# Hi',
        language: 'markdown',
        title: 'A note',
        viewLimit: 3,
        useRandomPassword: true,
        expiresIn: 86_400,
      },
      {
        ...{ sealed: true, content: 'SEJTAQBZeyJpZCI6…', viewLimit: 1 },
        proof: 'mHn9W9jRTC0tmR1HhIu6CnlTcrFB5sl2J8E1yQL8QQU',
      },
    ],
  });

const byModeration = 'can only be changed with PUT /api/shares/{id}/decision';

const shareChange = recordChange(
  Share,
  { content: Content.optional(), language: LanguageField.optional(), ...fileFields, ...fields },
  {
    sets: ['readers'],
    elsewhere: {
      titleIsGiven: 'can only be changed with `title`',
      protected: 'can only be changed with `password` or `useRandomPassword`',
      html: 'is rendered from `content`',
      status: 'is derived from views, expiration and PUT /api/shares/{id}/decision',
      viewsLeft: 'can only be changed with `viewLimit`',
      ...{ reports: byModeration, reportedAt: byModeration, takenDownAt: byModeration },
      ...{ reportList: byModeration, decisions: byModeration },
      ...{ ownerId: 'cannot be changed', ownerName: 'cannot be changed' },
      submittedBy: 'cannot be changed',
      ...{ sealedBytes: 'follows from `content`', passphrase: 'follows from `content`' },
      ...{
        fileTotals: 'follows from `files`',
        filesUrl: 'is an address that is valid for a while',
      },
      readerList: 'can only be changed with `readers`',
      author: 'is the name of its owner',
      endToken: 'can only be changed with `readersCanEnd`',
    },
  },
);

/** The body of `PUT /api/share/{id}`. Absent fields stay, null removes an optional field. */
export const ShareChangeInput = z
  .object(shareChange.shape)
  .meta({ id: 'UpdateShareInput', examples: [{ title: 'Another title', viewLimit: null }] });

/** Returns what a body says of files; `undefined` for a text alone. */
const toNewFiles = ({
  sent,
  upload,
  files,
  main,
}: Pick<z.output<typeof ShareInput>, 'sent' | 'upload' | 'files' | 'main'>) =>
  sent || upload != null ? { sent, upload, files: files ?? undefined, main } : undefined;

/** Converts the input: null becomes absent, and the expiration one instant. */
export const toNewShare = (input: z.output<typeof ShareInput>): NewShare => ({
  ...toAskedOptions(input),
  content: input.content,
  language: input.language ?? undefined,
  files: toNewFiles(input),
  ownFile: input.file ?? undefined,
  fileTitle: input.fileName == null ? undefined : toTitle(input.fileName).slice(0, maxTitleLength),
  password: input.password ?? undefined,
  useRandomPassword: input.useRandomPassword ?? false,
  sealed: input.sealed ?? undefined,
  proof: input.proof ?? undefined,
  expiresAt: toExpiry(input),
});

type NamedFiles = z.output<typeof ShareChangeInput>['files'];

/** Whether both name the same bytes by the same paths, in any order. */
const areSameFiles = (sent: NamedFiles, stored: NamedFiles): boolean => {
  const describe = (files: NamedFiles) =>
    files?.map(({ path, sha256 }) => `${sha256} ${path}`).toSorted();
  return isDeepStrictEqual(describe(sent), describe(stored));
};

/** Returns what a body changes about files. With an upload, `files` chooses among its files even if the share has the same. */
const toChangedFiles = (
  body: Pick<z.output<typeof ShareChangeInput>, 'files'>,
  { upload, files, main }: Pick<z.output<typeof ShareChangeInput>, 'upload' | 'files' | 'main'>,
): AskedFiles | undefined => {
  if (upload == null && files === undefined && main == null) return undefined;
  return { upload, files: upload == null ? files : (body.files ?? undefined), main };
};

/**
 * Returns what the body changes about the share, given as the API shows it: `null` removes a field, absent fields stay.
 * @throws AppError VALIDATION_ERROR for fields that can't be changed or combined
 */
export const toShareChange = (
  body: z.output<typeof ShareChangeInput>,
  current: object & { readonly titleIsGiven: boolean },
): ShareChange => {
  const input = shareChange.changes(body, current, (field, sent, stored) => {
    // A title that is sent alone holds. In a record that is sent as it was read, it goes on to follow the content.
    if (field === 'title' && !current.titleIsGiven && !('titleIsGiven' in body)) return false;
    // It has a token that is another one each time.
    if (field === 'filesUrl') return true;
    if (field === 'files') return areSameFiles(sent as NamedFiles, stored as NamedFiles);
    return field === 'expiresAt' && typeof sent === 'string' && typeof stored === 'string'
      ? Date.parse(sent) === Date.parse(stored)
      : undefined;
  });
  const conflicts = findConflicts(input);
  if (conflicts.length > 0) throw invalidInput(conflicts);
  const { expiresIn, expiresAt } = input;
  const removesExpiration = expiresIn === null || expiresAt === null;
  return {
    ...toAskedOptions(input),
    content: input.content,
    language: input.language,
    files: toChangedFiles(body, input),
    password: input.password,
    useRandomPassword: input.useRandomPassword ?? false,
    sealed: input.sealed ?? undefined,
    proof: input.proof ?? undefined,
    expiresAt: toExpiry(input) ?? (removesExpiration ? null : undefined),
  };
};
