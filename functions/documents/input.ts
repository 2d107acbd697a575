import * as z from 'zod';
import { plainText } from '../../shared/plain-text.ts';
import { visibilities } from './document.ts';
import type { DocumentEdit, DocumentFields } from './documents.ts';
import { maxReaders } from './sharing.ts';

const text = (max: number) => z.string().trim().max(max, `must have at most ${max} characters`);

const label = (max: number) => plainText(text(max).min(1, 'must not be empty'));

const title = label(200).nullish();

const fields = {
  title,
  name: title.meta({ description: 'The same as `title`' }),
  content: z.string().nullish().meta({ description: 'At most 2 MB of UTF-8' }),
  type: label(50).nullish().meta({
    description: "What kind of document it is, in a word of one's own; `text` without one",
  }),
  folder: plainText(text(100)).nullish().meta({ description: 'Empty: in none' }),
  tags: z.array(label(50)).max(20, 'must have at most 20 tags').nullish(),
  visibility: z.enum(visibilities, `must be one of ${visibilities.join(', ')}`).nullish(),
};

type Fields = z.output<z.ZodObject<typeof fields>>;

const checkTitles = ({ title: one, name: other }: Fields, check: z.core.$RefinementCtx): void => {
  if (one != null && other != null && one !== other) {
    check.addIssue({ code: 'custom', path: ['name'], message: 'can not differ from title' });
  }
};

/** The body of `POST /api/documents` (decisions §5); optional fields take null. */
export const DocumentInput = z
  .object(fields)
  .superRefine((input, check) => {
    if (input.title == null && input.name == null) {
      check.addIssue({ code: 'custom', path: ['title'], message: 'is required' });
    }
    checkTitles(input, check);
  })
  .meta({
    id: 'DocumentInput',
    examples: [{ title: 'Minutes of May', content: 'We met.', folder: 'Minutes', tags: ['board'] }],
  });

/** The body of `PUT /api/documents/{id}`: what is sent is changed, null takes an optional field away. */
export const DocumentChange = z
  .object(fields)
  .superRefine(checkTitles)
  .meta({ id: 'DocumentChange', examples: [{ name: 'Minutes of June', visibility: 'everyone' }] });

/** The body of sharing and unsharing. */
export const Readers = z
  .object({
    userIds: z
      .array(z.int('must be the id of a user').positive('must be the id of a user'))
      .min(1, 'must have at least one user')
      .max(maxReaders, `must have at most ${maxReaders} users`),
  })
  .meta({ id: 'Readers', examples: [{ userIds: [244_212_480_004_096] }] });

const defaultType = 'text';

const eachOnce = (tags: readonly string[] | null | undefined): string[] => [...new Set(tags)];

/** The input as the domain takes it, what is not sent as it is by default. */
export const toNewDocument = (
  input: z.output<typeof DocumentInput>,
): DocumentFields & { readonly content: string | undefined } => ({
  title: input.title ?? input.name ?? '',
  type: input.type ?? defaultType,
  folder: input.folder || undefined,
  tags: eachOnce(input.tags),
  visibility: input.visibility ?? 'private',
  content: input.content ?? undefined,
});

/** The change as the domain takes it: what is not sent is absent. */
export const toDocumentEdit = (input: z.output<typeof DocumentChange>): DocumentEdit => {
  const { title: one, name, content, type, folder, tags, visibility } = input;
  const newTitle = one ?? name;
  return {
    ...(newTitle != null && { title: newTitle }),
    ...(content !== undefined && { content }),
    ...(type !== undefined && { type: type ?? defaultType }),
    ...(folder !== undefined && { folder: folder || undefined }),
    ...(tags !== undefined && { tags: eachOnce(tags) }),
    ...(visibility !== undefined && { visibility: visibility ?? 'private' }),
  };
};
