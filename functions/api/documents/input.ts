import * as z from 'zod';
import { label, oneLine, optional } from '../../../shared/input/fields.ts';
import { recordChange } from '../../../shared/input/record-change.ts';
import { readerRoles } from '../../../shared/records/readers.ts';
import { visibilities } from './document.ts';
import type { DocumentEdit, DocumentFields } from './documents.ts';
import { Document } from './schemas.ts';

const title = label(200);

const sameAsTitle = { description: 'The same as `title`.' };

/** Content of blanks only is kept. */
const content = optional(z.string(), (text) => text === '').meta({
  description: 'The text, up to 2 MB (UTF-8).',
});

const fields = {
  content,
  type: optional(label(50)).meta({
    description: 'Any kind of document; the default is `text`.',
  }),
  folder: optional(oneLine(100)).meta({ description: 'The name of a folder. Empty is none.' }),
  tags: optional(z.array(label(50)).max(20, 'must contain at most 20 tags')),
  visibility: optional(z.enum(visibilities, `must be one of ${visibilities.join(', ')}`)),
  everyoneRole: optional(z.enum(readerRoles, `must be one of ${readerRoles.join(', ')}`)).meta({
    description:
      'What everyone may do with a public document; `editor` needs the visibility `everyone`.',
  }),
};

const changedByRoutes =
  'is changed by POST /api/documents/{id}/share and POST /api/documents/{id}/unshare';

const isEmpty = (value: unknown): boolean =>
  value == null || (Array.isArray(value) && value.length === 0);

/** The body of `POST /api/documents`; optional fields take null (decisions.md#bodies). */
export const CreateDocumentInput = z
  .object({
    title: title.nullish(),
    name: title.nullish().meta(sameAsTitle),
    ...fields,
    sharedWith: z
      .unknown()
      .optional()
      .refine(isEmpty, changedByRoutes)
      .meta({ description: `Must be empty: it ${changedByRoutes}.` }),
  })
  .superRefine(({ title: sentTitle, name: alias }, context) => {
    const reject = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (sentTitle == null && alias == null) reject('title', 'is required');
    if (sentTitle != null && alias != null && sentTitle !== alias)
      reject('name', 'must equal title');
  })
  .meta({
    id: 'CreateDocumentInput',
    examples: [{ title: 'Minutes of May', content: 'We met.', folder: 'Minutes', tags: ['board'] }],
  });

const documentChange = recordChange(
  Document,
  { title: title.optional(), name: title.optional().meta(sameAsTitle), ...fields },
  {
    aliases: { title: ['name'] },
    elsewhere: { sharedWith: changedByRoutes },
    sets: ['sharedWith'],
  },
);

/** The body of `PUT /api/documents/{id}`: changes the fields that are sent; null clears an optional one. */
export const UpdateDocumentInput = z.object(documentChange.shape).meta({
  id: 'UpdateDocumentInput',
  examples: [{ name: 'Minutes of June', visibility: 'everyone' }],
});

const defaultType = 'text';

const unique = (tags: readonly string[] | null | undefined): string[] => [...new Set(tags)];

/** Converts the input to a new document, with defaults for what is not sent. */
export const toNewDocument = (
  input: z.output<typeof CreateDocumentInput>,
): DocumentFields & { readonly content: string | undefined } => ({
  title: input.title ?? input.name ?? '',
  type: input.type ?? defaultType,
  folder: input.folder ?? undefined,
  tags: unique(input.tags),
  visibility: input.visibility ?? 'private',
  everyoneRole: input.everyoneRole ?? 'reader',
  content: input.content ?? undefined,
});

/** Who is editing changes by itself, so what was read of it is never a change. */
const isSame = (field: string): true | undefined => (field === 'editing' ? true : undefined);

/**
 * Converts the body to the changes from the document as the API shows it.
 * @throws AppError VALIDATION_ERROR for a field that can't be changed
 */
export const toDocumentEdit = (
  body: z.output<typeof UpdateDocumentInput>,
  shown: z.output<typeof Document>,
): DocumentEdit => {
  const {
    title: newTitle,
    content: text,
    type,
    folder,
    tags,
    visibility,
    everyoneRole,
  } = documentChange.changes(body, shown, isSame);
  return {
    ...(newTitle !== undefined && { title: newTitle }),
    ...(text !== undefined && { content: text }),
    ...(type !== undefined && { type: type ?? defaultType }),
    ...(folder !== undefined && { folder: folder ?? undefined }),
    ...(tags !== undefined && { tags: unique(tags) }),
    ...(visibility !== undefined && { visibility: visibility ?? 'private' }),
    ...(everyoneRole !== undefined && { everyoneRole: everyoneRole ?? 'reader' }),
  };
};
