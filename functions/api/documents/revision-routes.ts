import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { RecordId } from '../../../shared/db/ids.ts';
import { encodingHeaders } from '../../../shared/http/content/content-negotiation.ts';
import { Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { Reader } from '../../../shared/records/readers.ts';
import {
  comparedWith,
  diffFields,
  exampleDiff,
  RevisionVersion,
} from '../../../shared/revisions/fields.ts';
import { countTextBytes } from '../../../shared/storage/stored-text.ts';
import {
  compareRevisions,
  listRevisions,
  readRevision,
  restoreRevision,
  type WrittenRevision,
} from './read-revisions.ts';
import { toDetailResponse } from './responses.ts';
import { getExpiry } from './revisions.ts';
import { Document } from './schemas.ts';

const exampleRevision = {
  version: 3,
  title: 'Minutes of May',
  size: 7,
  editedBy: { id: 244_212_480_000_000, name: 'Ann Example', avatar: null },
  editedAt: '2026-11-21T13:55:00.000Z',
  replacedAt: '2026-11-21T14:05:00.000Z',
  expiresAt: '2027-02-19T14:05:00.000Z',
};

const DocumentRevisionSummary = z
  .object({
    version: z
      .int()
      .meta({ description: 'The version of the document that the next change replaced.' }),
    title: z.string(),
    size: z.int().meta({ description: 'The size of the content in bytes (UTF-8).' }),
    editedBy: Reader.nullable().meta({
      description: 'Who wrote it; `null` if the user was deleted.',
    }),
    editedAt: z.iso.datetime().meta({ description: 'When it was written.' }),
    replacedAt: z.iso.datetime(),
    expiresAt: z.iso
      .datetime()
      .meta({ description: 'When it is deleted at the latest: 90 days after it was replaced.' }),
  })
  .meta({ id: 'DocumentRevisionSummary', examples: [exampleRevision] });

const DocumentRevisionList = z
  .object({ items: z.array(DocumentRevisionSummary) })
  .meta({ id: 'DocumentRevisionList', examples: [{ items: [exampleRevision] }] });

const DocumentRevision = DocumentRevisionSummary.extend({
  content: z.string().nullable(),
}).meta({ id: 'DocumentRevision', examples: [{ ...exampleRevision, content: 'We met.' }] });

const DocumentRevisionDiff = z
  .object({
    ...diffFields,
    title: z
      .object({
        from: z.string().meta({ description: 'That of the revision.' }),
        to: z.string().meta({ description: 'That of the other state.' }),
      })
      .optional()
      .meta({ description: 'Both titles, if they differ.' }),
  })
  .meta({ id: 'DocumentRevisionDiff', examples: [exampleDiff] });

const toSummary = ({
  revision,
  writer,
}: WrittenRevision): z.output<typeof DocumentRevisionSummary> => ({
  version: revision.version,
  title: revision.title,
  size: countTextBytes(revision.texts),
  editedBy: writer,
  editedAt: revision.writtenAt,
  replacedAt: revision.replacedAt,
  expiresAt: new Date(getExpiry(revision)).toISOString(),
});

const params = z.object({ id: RecordId });

const revisionParams = z.object({
  id: RecordId,
  version: RevisionVersion.meta({ description: 'The version of the revision.' }),
});

/** Who can call all of these: whoever can change title and content (decisions.md#documents). */
const access = { access: 'documents:update', accessByRecord: 'documents:view' } as const;

const onlyEditors = 'Only those who can change title and content can do this.';

/** Limits how many revisions a user compares, which takes up to 1 s each. */
const comparisonLimits = [
  {
    name: 'document-diff',
    tokens: 60,
    perMs: 600_000,
    key: ({ actor }: { readonly actor: Actor }) => String(actor.user.id),
  },
] as const;

/** Former contents of a document (decisions.md#documents). */
export const revisionRoutes = [
  route({
    endpoint: 'GET /api/documents/{id}/revisions',
    ...access,
    summary: 'List revisions of a document',
    description: `Lists former titles and contents, the newest first: up to 50 of the last 90 days, with 16 MB in all. A change leaves one if someone else wrote before, if the last one is 10 minutes old, or if most of the text goes; other changes within that time are one. ${onlyEditors}`,
    params,
    output: Success(DocumentRevisionList),
    handle: async ({ actor, params: { id } }) =>
      success({ items: (await listRevisions(actor, id)).map(toSummary) }),
  }),
  route({
    endpoint: 'GET /api/documents/{id}/revisions/{version}',
    ...access,
    summary: 'Get a revision of a document',
    description: `Returns a former title and content. ${onlyEditors}`,
    params: revisionParams,
    output: Success(DocumentRevision),
    handle: async ({ actor, params: { id, version } }) => {
      const found = await readRevision(actor, id, version);
      return success({ ...toSummary(found), content: found.content });
    },
  }),
  route({
    endpoint: 'GET /api/documents/{id}/revisions/{version}/diff',
    ...access,
    summary: 'Get a diff of document revisions',
    description: `Compares a former content with the current one, or with another revision. Very different contents are shown as replaced as a whole. A diff is cut after 1 MB. ${onlyEditors}`,
    params: revisionParams,
    headers: z.object(encodingHeaders),
    query: z.object(comparedWith),
    output: Success(DocumentRevisionDiff),
    errors: {
      NOT_ACCEPTABLE: 'The response is larger than 4 MB, and the client accepts no compression.',
    },
    limits: comparisonLimits,
    handle: async ({ actor, params: { id, version }, query: { to } }) =>
      success({
        from: version,
        to: to ?? null,
        ...(await compareRevisions(actor, id, version, to)),
      }),
  }),
  route({
    endpoint: 'POST /api/documents/{id}/revisions/{version}/restore',
    ...access,
    summary: 'Restore a revision of a document',
    description: `Makes a former title and content the current ones; what they replace becomes a revision. All else of the document stays. ${onlyEditors}`,
    params: revisionParams,
    output: Success(Document),
    auditAction: 'document.restore-revision',
    versionOf: ({ data }) => data.version,
    handle: async ({ actor, params: { id, version }, ifMatch, recorder }) => {
      const restored = await restoreRevision(actor, id, version, ifMatch, recorder);
      return success(await toDetailResponse(actor, restored), 'Restored');
    },
  }),
];
