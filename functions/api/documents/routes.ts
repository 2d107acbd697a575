import * as z from 'zod';
import { parseSubjectId } from '../../../shared/audit/record-diff.ts';
import { idText, RecordId } from '../../../shared/db/ids.ts';
import { Deleted, paginated, Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { oneLine } from '../../../shared/input/fields.ts';
import { emptyAsUndefined, isTrue } from '../../../shared/lists/filters.ts';
import { pageQuery } from '../../../shared/lists/pagination.ts';
import { sortBy } from '../../../shared/lists/sort.ts';
import { Readers, ReadersWithRole } from '../../../shared/records/readers.ts';
import { create, type DocumentDetail, read, update } from './documents.ts';
import {
  CreateDocumentInput,
  toDocumentEdit,
  toNewDocument,
  UpdateDocumentInput,
} from './input.ts';
import { type DocumentFilter, list, readAhead } from './list.ts';
import { listNames, namedKinds } from './names.ts';
import { findAuthor, toDetailResponse, toSummaryResponse } from './responses.ts';
import { revisionRoutes } from './revision-routes.ts';
import {
  Document,
  DocumentNames,
  DocumentPage,
  DocumentReaders,
  DocumentSummary,
  TrashPage,
  toSummary,
  toTrashedDocument,
} from './schemas.ts';
import { listReaders, share, unshare } from './sharing.ts';
import { listTrash, moveToTrash, purge, restore } from './trash.ts';

const params = z.object({ id: RecordId });

const getVersion = ({ data }: { readonly data: { readonly version: number } }) => data.version;

const facet = (max: number, description: string) =>
  z.preprocess(emptyAsUndefined, oneLine(max).optional().meta({ description }));

const DocumentQuery = z.object({
  ...pageQuery,
  search: z.preprocess(
    emptyAsUndefined,
    z.string().max(200).optional().meta({
      description:
        'Finds documents whose title has words that start with each of these, ignoring case and accents, and after them, newest first, those with such words among the first 2,000 of their text: `matchedIn` says which. Covers the first 20 words of a title; fewer if the document has more than 20 tags and readers. One request looks into up to 1,000 texts; a page may be short or empty and still have a `nextCursor`.',
    }),
  ),
  folder: facet(100, 'The exact name of the folder. Can be combined with `type` and `tag`.'),
  type: facet(50, 'The type of the document. Can be combined with `folder` and `tag`.'),
  tag: facet(50, 'A tag of the document. Can be combined with `folder` and `type`.'),
  author: z.preprocess(
    emptyAsUndefined,
    idText('a user').optional().meta({ description: 'The id of the author.' }),
  ),
  shared: isTrue.meta({
    description: '`true` for what other users share with you, without what is visible to everyone.',
  }),
  ...sortBy(['createdAt', 'title', 'name']),
});

const NamesInput = z.object({
  of: z
    .enum(namedKinds, `must be one of ${namedKinds.join(', ')}`)
    .meta({ description: 'What has the names.' }),
  search: z.preprocess(
    emptyAsUndefined,
    z.string().max(200).optional().meta({
      description: 'The start of the names, ignoring case and accents.',
    }),
  ),
  shared: isTrue.meta({
    description:
      '`true` for those of what other users share with you, without what is visible to everyone.',
  }),
});

const toFilter = ({
  search,
  folder,
  type,
  tag,
  author,
  shared,
  sort,
}: z.output<typeof DocumentQuery>): DocumentFilter => ({
  ...{ search, folder, type, tag, author, shared },
  sort: sort === undefined || sort.by === 'createdAt' ? 'createdAt' : 'title',
});

const contentErrors = {
  PAYLOAD_TOO_LARGE: 'The content exceeds 2 MB, or has too many characters that JSON escapes.',
} as const;

export const routes = [
  route({
    endpoint: 'GET /api/documents',
    access: 'documents:view',
    summary: 'List documents',
    description:
      'Returns your documents, those shared with you and those visible to everyone, newest first and without content. `folder`, `type` and `tag` can be combined, also with `author` or `shared`; other filters can’t.',
    query: DocumentQuery,
    output: DocumentPage,
    tools: [
      {
        name: 'document_search',
        title: 'Find documents',
        description:
          'Lists the documents that the person can read, the newest first, without their text: by words of the title or the text (`search`; `matchedIn` says which), or by folder and tag. While there is a `nextCursor`, send it as `cursor`.',
        hints: {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
        inputs: ['search', 'folder', 'tag', 'shared', 'cursor', 'pageSize'],
        outputs: [
          'id',
          'title',
          'type',
          'folder',
          'tags',
          'size',
          'author',
          'version',
          'updatedAt',
          'matchedIn',
        ],
        showsContent: true,
      },
    ],
    readAhead: (userId, query) => readAhead(userId, toFilter(query), query),
    handle: async ({ actor, query, ahead }) =>
      paginated(
        await list(actor, toFilter(query), query, ahead),
        ({ document, author, matchedIn }) => ({
          ...toSummary(actor, document, author),
          ...(matchedIn && { matchedIn }),
        }),
      ),
  }),
  route({
    endpoint: 'GET /api/documents/trash',
    access: 'documents:view',
    summary: 'List documents in the trash',
    description: 'Returns your deleted documents, last deleted first. Each is kept for 30 days.',
    query: z.object({ ...pageQuery, ...sortBy(['deletedAt']) }),
    output: TrashPage,
    readAhead: listTrash,
    handle: async ({ actor, query, ahead }) => {
      const author = await findAuthor(actor, actor.user.id);
      return paginated(await (ahead ?? listTrash(actor.user.id, query)), (document) =>
        toTrashedDocument(actor, document, author),
      );
    },
  }),
  route({
    endpoint: 'GET /api/documents/names',
    access: 'documents:view',
    summary: 'List names within documents',
    description:
      'Returns the names of folders, tags or types of the documents you can view, by name, at most 100. `search` finds the others.',
    query: NamesInput,
    output: Success(DocumentNames),
    handle: async ({ actor, query }) => success(await listNames(actor, query)),
  }),
  route({
    endpoint: 'GET /api/documents/{id}',
    access: 'documents:view',
    summary: 'Get a document',
    description: 'Returns the document with its content.',
    params,
    output: Success(Document),
    tools: [
      {
        name: 'document_read',
        title: 'Read a document',
        description:
          'Returns a document with its text. A long text comes in parts: while there is a `nextOffset`, send it as `offset`.',
        hints: {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
        outputs: [
          ...['id', 'title', 'type', 'folder', 'tags', 'author', 'visibility', 'version'],
          ...['createdAt', 'updatedAt', 'content'],
        ],
        longText: 'content',
        showsContent: true,
      },
    ],
    versionOf: getVersion,
    handle: async ({ actor, params: { id } }) =>
      success(await toDetailResponse(actor, await read(actor, id))),
  }),
  route({
    endpoint: 'POST /api/documents',
    access: 'documents:create',
    summary: 'Create a document',
    description: '`title` or `name` is required. The content can have up to 2 MB.',
    status: 201,
    body: CreateDocumentInput,
    output: Success(Document),
    errors: contentErrors,
    tools: [
      {
        name: 'document_create',
        title: 'Create a document',
        description:
          'Stores a text as a document that only the person can read, and returns its id. Use it for notes and minutes; to give someone a link, use share_create.',
        hints: {
          readOnlyHint: false,
          destructiveHint: false,
          idempotentHint: false,
          openWorldHint: false,
        },
        inputs: ['title', 'content', 'type', 'folder', 'tags'],
        required: ['title'],
        outputs: ['id', 'title', 'folder', 'version'],
      },
    ],
    auditAction: 'document.create',
    idempotency: {
      replay: async ({ actor }, subject) =>
        success(
          await toDetailResponse(actor, await read(actor, parseSubjectId(subject))),
          'Created',
        ),
    },
    versionOf: getVersion,
    handle: async ({ actor, body, recorder }) =>
      success(
        await toDetailResponse(actor, await create(actor, toNewDocument(body), recorder)),
        'Created',
      ),
  }),
  route({
    endpoint: 'PUT /api/documents/{id}',
    access: 'documents:update',
    accessByRecord: 'documents:view',
    summary: 'Update a document',
    description:
      'Changes only the fields you send; `null` clears a field. You can also send back the whole document as you read it. Only the author, or a user with `documents:manage`, can change all of it; an editor can change title and content, without `documents:update`.',
    params,
    body: UpdateDocumentInput,
    output: Success(Document),
    errors: contentErrors,
    auditAction: 'document.update',
    versionOf: getVersion,
    handle: async ({ actor, params: { id }, body, ifMatch, recorder }) => {
      const toEdit = async (current: DocumentDetail) =>
        toDocumentEdit(body, await toDetailResponse(actor, current));
      const changed = await update(actor, id, toEdit, ifMatch, recorder);
      return success(await toDetailResponse(actor, changed), 'Saved');
    },
  }),
  route({
    endpoint: 'DELETE /api/documents/{id}',
    access: 'documents:delete',
    summary: 'Move a document to the trash',
    description:
      'The document can be restored for 30 days. Only its author, or a user with `documents:manage`, can do this.',
    params,
    output: Deleted,
    auditAction: 'document.delete',
    versionOf: () => undefined,
    handle: async ({ actor, params: { id }, ifMatch, recorder }) => {
      await moveToTrash(actor, id, ifMatch, recorder);
      return success({ id }, 'Moved to the trash');
    },
  }),
  route({
    endpoint: 'GET /api/documents/{id}/readers',
    access: 'documents:update',
    summary: 'List readers of a document',
    description:
      'Returns the users with their names and roles. Only its author, or a user with `documents:manage`, can do this.',
    params,
    output: Success(DocumentReaders),
    handle: async ({ actor, params: { id } }) => success(await listReaders(actor, id)),
  }),
  route({
    endpoint: 'POST /api/documents/{id}/share',
    access: 'documents:update',
    summary: 'Share a document with users',
    description:
      'Lets up to 20 users read the document, or also change title and content (`role`), and notifies those who are new. Also changes the role of those who read it. Only its author, or a user with `documents:manage`, can do this.',
    params,
    body: ReadersWithRole,
    output: Success(DocumentSummary),
    auditAction: 'document.share',
    versionOf: getVersion,
    handle: async ({ actor, params: { id }, body, ifMatch, recorder }) => {
      const shared = await share(actor, id, body.userIds, ifMatch, recorder, body.role);
      return success(await toSummaryResponse(actor, shared), 'Shared');
    },
  }),
  route({
    endpoint: 'POST /api/documents/{id}/unshare',
    access: 'documents:update',
    summary: 'Unshare a document',
    description:
      'Stops sharing the document with these users. Users it isn’t shared with are ignored.',
    params,
    body: Readers,
    output: Success(DocumentSummary),
    auditAction: 'document.unshare',
    versionOf: getVersion,
    handle: async ({ actor, params: { id }, body, ifMatch, recorder }) => {
      const unshared = await unshare(actor, id, body.userIds, ifMatch, recorder);
      return success(await toSummaryResponse(actor, unshared), 'Unshared');
    },
  }),
  route({
    endpoint: 'POST /api/documents/{id}/restore',
    access: 'documents:delete',
    summary: 'Restore a document',
    description: 'Takes the document out of the trash, shared with the same users as before.',
    params,
    output: Success(DocumentSummary),
    auditAction: 'document.restore',
    versionOf: getVersion,
    handle: async ({ actor, params: { id }, ifMatch, recorder }) =>
      success(
        await toSummaryResponse(actor, await restore(actor, id, ifMatch, recorder)),
        'Restored',
      ),
  }),
  route({
    endpoint: 'DELETE /api/documents/trash/{id}',
    access: 'documents:delete',
    summary: 'Delete a document from the trash',
    description: 'Deletes a document that is in the trash. This can’t be undone.',
    params,
    output: Deleted,
    auditAction: 'document.purge',
    versionOf: () => undefined,
    handle: async ({ actor, params: { id }, ifMatch, recorder }) => {
      await purge(actor, id, ifMatch, recorder);
      return success({ id }, 'Permanently deleted');
    },
  }),
  ...revisionRoutes,
];
