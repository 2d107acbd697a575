import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { examplePage, Paginated } from '../../../shared/http/envelope.ts';
import { Reader, readerRoles } from '../../../shared/records/readers.ts';
import { getPurgeTime } from '../../../shared/records/trash.ts';
import type { Author } from '../../../shared/users/person.ts';
import {
  canManage,
  documentActions,
  type ListedDocument,
  listActions,
  visibilities,
} from './document.ts';
import type { DocumentDetail } from './documents.ts';

const createdAt = '2026-11-21T12:00:00.000Z';

const exampleSummary = {
  id: 244_212_480_008_192,
  title: 'Minutes of May',
  name: 'Minutes of May',
  type: 'text',
  folder: 'Minutes',
  tags: ['board'],
  size: 7,
  author_id: 244_212_480_000_000,
  author: { id: 244_212_480_000_000, name: 'Ann Example', avatar: null },
  visibility: 'private' as const,
  everyoneRole: 'reader' as const,
  sharedWith: [244_212_480_004_096],
  actions: ['edit' as const, 'manage' as const, 'delete' as const],
  version: 2,
  created_at: createdAt,
  updated_at: createdAt,
  createdAt,
  updatedAt: createdAt,
};

/** The users with whom a document is shared. */
export const DocumentReaders = z
  .array(
    Reader.extend({
      role: z.enum(readerRoles).meta({
        description: '`editor` may change title and content, too.',
      }),
      isEditing: z.boolean().meta({
        description: 'Whether they changed title or content within the last two minutes.',
      }),
    }),
  )
  .meta({
    id: 'DocumentReaders',
    examples: [
      [
        {
          id: 244_212_480_004_096,
          name: 'Bob Example',
          avatar: null,
          role: 'editor',
          isEditing: false,
        },
      ],
    ],
  });

/** Names that documents have in common. */
export const DocumentNames = z
  .object({
    names: z.array(z.string()).meta({ description: 'By name, at most 100.' }),
    isWhole: z.boolean().meta({
      description: 'Whether these are all; `false` if there are more than 100.',
    }),
  })
  .meta({ id: 'DocumentNames', examples: [{ names: ['Minutes', 'Plans'], isWhole: true }] });

/** A document without its content, as lists show it. */
export const DocumentSummary = z
  .object({
    id: z.int().positive(),
    title: z.string(),
    name: z.string().meta({ description: 'The same as `title`.' }),
    type: z.string(),
    folder: z.string().nullable(),
    tags: z.array(z.string()),
    size: z.int().meta({ description: 'The size of the content in bytes (UTF-8).' }),
    author_id: z.int().positive(),
    author: Reader,
    visibility: z.enum(visibilities).meta({
      description:
        'Who else can read it: no one (`private`) or every user with the permission (`everyone`).',
    }),
    everyoneRole: z.enum(readerRoles).meta({
      description:
        'What everyone may do with it while its visibility is `everyone`: `editor` lets them change title and content, too.',
    }),
    sharedWith: z.array(z.int().positive()).meta({
      description:
        'Ids of the users it is shared with. Those who can’t change the document see only their own.',
    }),
    actions: z.array(z.enum(documentActions)).meta({
      description:
        'What you can do with it beyond reading: change title and content (`edit`), change all its fields and who reads it (`manage`), move it to the trash (`delete`).',
    }),
    matchedIn: z.enum(['title', 'text']).optional().meta({
      description: 'In a search: whether the title has its words, or the text.',
    }),
    version: z.int().positive(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'DocumentSummary', examples: [exampleSummary] });

const content = z.string().nullable();

export const Document = DocumentSummary.extend({
  content,
  editedBy: Reader.nullable().meta({
    description: 'Who last changed title or content; `null` if the user was deleted.',
  }),
  editedAt: z.iso.datetime().meta({ description: 'When title or content were last changed.' }),
  editing: z.array(Reader).meta({
    description: 'Who else changed title or content within the last two minutes, last first.',
  }),
}).meta({
  id: 'Document',
  examples: [
    {
      ...exampleSummary,
      content: 'We met.',
      editedBy: exampleSummary.author,
      editedAt: createdAt,
      editing: [],
    },
  ],
});

const exampleTrashed = {
  ...exampleSummary,
  deletedAt: createdAt,
  purgedAt: '2026-12-21T12:00:00.000Z',
};

/** A document in the trash. */
export const TrashedDocument = DocumentSummary.extend({
  deletedAt: z.iso.datetime(),
  purgedAt: z.iso.datetime().meta({ description: 'When it will be permanently deleted.' }),
}).meta({
  id: 'TrashedDocument',
  examples: [exampleTrashed],
});

export const DocumentPage = Paginated(DocumentSummary).meta({
  id: 'DocumentPage',
  examples: [examplePage(exampleSummary)],
});

export const TrashPage = Paginated(TrashedDocument).meta({
  id: 'TrashPage',
  examples: [examplePage(exampleTrashed)],
});

/** Converts a document to the actor's view of it in lists. */
export const toSummary = (
  actor: Actor,
  document: ListedDocument,
  author: Author,
): z.output<typeof DocumentSummary> => ({
  id: document.id,
  title: document.title,
  name: document.title,
  type: document.type,
  folder: document.folder ?? null,
  tags: [...document.tags],
  size: document.size,
  author_id: document.authorId,
  author,
  visibility: document.visibility,
  everyoneRole: document.everyoneRole ?? 'reader',
  sharedWith: document.sharedWith.filter(
    (userId) => userId === actor.user.id || canManage(actor, document),
  ),
  actions: listActions(actor, document),
  version: document.version,
  created_at: document.createdAt,
  updated_at: document.updatedAt,
  createdAt: document.createdAt,
  updatedAt: document.updatedAt,
});

interface DetailPeople {
  readonly author: Author;
  readonly editedBy: Author | null;
  readonly editing: readonly Author[];
}

/** Converts a document to the actor's view of it, with its content. */
export const toDetail = (
  actor: Actor,
  { document, content: text }: DocumentDetail,
  { author, editedBy, editing }: DetailPeople,
): z.output<typeof Document> => ({
  ...toSummary(actor, document, author),
  content: text,
  editedBy,
  editedAt: document.edited?.at ?? document.createdAt,
  editing: [...editing],
});

/** Converts a document in the trash to the actor's view of it. */
export const toTrashedDocument = (
  actor: Actor,
  document: ListedDocument,
  author: Author,
): z.output<typeof TrashedDocument> => {
  const deletedAt = document.deletedAt ?? document.updatedAt;
  return { ...toSummary(actor, document, author), deletedAt, purgedAt: getPurgeTime(deletedAt) };
};
