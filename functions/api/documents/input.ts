import * as z from 'zod';
import { label, oneLine, optional } from '../../../shared/input/fields.ts';
import { recordChange } from '../../../shared/input/record-change.ts';
import { visibilities } from './document.ts';
import type { DocumentEdit, DocumentFields } from './documents.ts';
import { Document } from './schemas.ts';

const title = label(200);

const sameAsTitle = { description: 'The same as `title`.' };

/** Only an empty content is none: blanks may be what it is about. */
const content = optional(z.string(), (text) => text === '').meta({
  description: 'The text, up to 2 MB (UTF-8).',
});

const fields = {
  content,
  type: optional(label(50)).meta({
    description: 'Any kind of document; the default is `text`.',
  }),
  folder: optional(oneLine(100)).meta({ description: 'The name of a folder. Empty is none.' }),
  tags: optional(z.array(label(50)).max(20, 'must have at most 20 tags')),
  visibility: optional(z.enum(visibilities, `must be one of ${visibilities.join(', ')}`)),
};

const byRoutes =
  'is changed at POST /api/documents/{id}/share and POST /api/documents/{id}/unshare';

const isNone = (value: unknown): boolean =>
  value == null || (Array.isArray(value) && value.length === 0);

/** The body of `POST /api/documents`; optional fields take null (decisions.md#bodies). */
export const DocumentInput = z
  .object({
    title: title.nullish(),
    name: title.nullish().meta(sameAsTitle),
    ...fields,
    sharedWith: z
      .unknown()
      .optional()
      .refine(isNone, byRoutes)
      .meta({ description: `Must be empty: it ${byRoutes}.` }),
  })
  .superRefine(({ title: one, name: other }, check) => {
    const refuse = (path: string, message: string) =>
      check.addIssue({ code: 'custom', path: [path], message });
    if (one == null && other == null) refuse('title', 'is required');
    if (one != null && other != null && one !== other) refuse('name', 'must equal title');
  })
  .meta({
    id: 'CreateDocumentInput',
    examples: [{ title: 'Minutes of May', content: 'We met.', folder: 'Minutes', tags: ['board'] }],
  });

const changeOfDocument = recordChange(
  Document,
  { title: title.optional(), name: title.optional().meta(sameAsTitle), ...fields },
  { aliases: { title: ['name'] }, elsewhere: { sharedWith: byRoutes }, sets: ['sharedWith'] },
);

/** The body of `PUT /api/documents/{id}`: what is sent is changed, null takes an optional field away. */
export const DocumentChange = z.object(changeOfDocument.shape).meta({
  id: 'UpdateDocumentInput',
  examples: [{ name: 'Minutes of June', visibility: 'everyone' }],
});

const defaultType = 'text';

const eachOnce = (tags: readonly string[] | null | undefined): string[] => [...new Set(tags)];

/** The input as the domain takes it, what is not sent as it is by default. */
export const toNewDocument = (
  input: z.output<typeof DocumentInput>,
): DocumentFields & { readonly content: string | undefined } => ({
  title: input.title ?? input.name ?? '',
  type: input.type ?? defaultType,
  folder: input.folder ?? undefined,
  tags: eachOnce(input.tags),
  visibility: input.visibility ?? 'private',
  content: input.content ?? undefined,
});

/**
 * The change as the domain takes it: what of the body differs from the document as the API shows it.
 * @throws AppError VALIDATION_ERROR about what can't be changed
 */
export const toDocumentEdit = (
  body: z.output<typeof DocumentChange>,
  shown: z.output<typeof Document>,
): DocumentEdit => {
  const changes = changeOfDocument.changes(body, shown);
  const { title: newTitle, content: text, type, folder, tags, visibility } = changes;
  return {
    ...(newTitle !== undefined && { title: newTitle }),
    ...(text !== undefined && { content: text }),
    ...(type !== undefined && { type: type ?? defaultType }),
    ...(folder !== undefined && { folder: folder ?? undefined }),
    ...(tags !== undefined && { tags: eachOnce(tags) }),
    ...(visibility !== undefined && { visibility: visibility ?? 'private' }),
  };
};
