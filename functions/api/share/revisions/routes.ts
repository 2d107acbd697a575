import * as z from 'zod';
import { encodingHeaders } from '../../../../shared/http/content/content-negotiation.ts';
import { route } from '../../../../shared/http/route.ts';
import { comparedWith, diffFields, exampleDiff } from '../../../../shared/revisions/fields.ts';
import { countTextBytes } from '../../../../shared/storage/stored-text.ts';
import { assertCanEdit, notForModerators, toSummaryResponse } from '../changing/edit-check.ts';
import { getExpiry, type StoredRevision } from '../record/revisions.ts';
import { ShownFiles } from '../requests/file-fields.ts';
import { comparisonLimits, creationLimits } from '../requests/limits.ts';
import { RevisionId, ShareId } from '../requests/request-fields.ts';
import { Language, showFiles, UpdatedShare } from '../requests/schemas.ts';
import {
  admitToRevisions,
  compareRevisions,
  listRevisions,
  readRevision,
  readRevisionFiles,
  restoreRevision,
} from './revisions.ts';

const exampleRevision = {
  version: 3,
  language: 'markdown' as const,
  bytes: 1_204,
  replacedAt: '2026-11-21T14:05:00.000Z',
  expiresAt: '2026-12-21T14:05:00.000Z',
};

/** A former content of a share. */
const RevisionSummary = z
  .object({
    version: z
      .int()
      .meta({ description: 'The version of the share that the next content replaced.' }),
    language: Language,
    bytes: z.int().meta({ description: 'The size of the content (UTF-8).' }),
    replacedAt: z.iso.datetime(),
    expiresAt: z.iso
      .datetime()
      .meta({ description: 'When the revision is deleted at the latest.' }),
  })
  .meta({ id: 'ShareRevisionSummary', examples: [exampleRevision] });

const RevisionList = z
  .object({ items: z.array(RevisionSummary) })
  .meta({ id: 'ShareRevisionList', examples: [{ items: [exampleRevision] }] });

const Revision = RevisionSummary.extend({
  content: z.string(),
  files: ShownFiles.optional().meta({
    description: 'The files that the share had, with its main page, whose text is `content`.',
  }),
  main: z.string().optional().meta({ description: 'The path of the main page among `files`.' }),
}).meta({
  id: 'ShareRevision',
  examples: [{ ...exampleRevision, content: '# Hi' }],
});

const RevisionDiff = z
  .object(diffFields)
  .meta({ id: 'ShareRevisionDiff', examples: [exampleDiff] });

const toSummary = (revision: StoredRevision): z.output<typeof RevisionSummary> => ({
  version: revision.version,
  language: revision.language,
  bytes: countTextBytes(revision.texts),
  replacedAt: revision.replacedAt,
  expiresAt: new Date(getExpiry(revision)).toISOString(),
});

const errors = {
  UNAUTHORIZED: 'The share isn’t open to all, and the caller isn’t signed in.',
  NOT_FOUND: 'The share or revision doesn’t exist, or you can’t see the revisions of this share.',
  GONE: 'The share has ended or was taken down.',
} as const;

const withCompression = {
  ...errors,
  NOT_ACCEPTABLE: 'The response is larger than 4 MB, and the client accepts no compression.',
} as const;

/** Former contents of a share (decisions.md#revisions). */
export const revisionRoutes = [
  route({
    endpoint: 'GET /api/share/{id}/revisions',
    access: 'optional',
    scope: 'shares:view',
    summary: 'List revisions of a share',
    description:
      'Lists the former contents of a share, the newest first: up to 50 of the last 30 days, with 16 MB in all. For its owner, users with `shares:manage`, and with `showsRevisions` for readers of a share without a password and a view limit, who see none that was the content under one.',
    params: ShareId,
    output: RevisionList,
    errors,
    handle: async ({ actor, params: { id } }) => ({
      items: (await listRevisions(await admitToRevisions(actor, id))).map(toSummary),
    }),
  }),
  route({
    endpoint: 'GET /api/share/{id}/revisions/{version}',
    access: 'optional',
    scope: 'shares:view',
    summary: 'Get a revision of a share',
    description: 'Returns a former content of a share as it was sent.',
    params: RevisionId,
    headers: z.object(encodingHeaders),
    output: Revision,
    errors: withCompression,
    handle: async ({ actor, params: { id, version } }) => {
      const { revision, source } = await readRevision(await admitToRevisions(actor, id), version);
      const manifest = await readRevisionFiles(id, revision);
      return { ...toSummary(revision), content: source, ...showFiles(revision, manifest) };
    },
  }),
  route({
    endpoint: 'GET /api/share/{id}/revisions/{version}/diff',
    access: 'optional',
    scope: 'shares:view',
    summary: 'Get a diff of share revisions',
    description:
      'Compares a former content with the current one, or with another revision. Very different contents are shown as replaced as a whole. A diff is cut after 1 MB.',
    params: RevisionId,
    headers: z.object(encodingHeaders),
    query: z.object(comparedWith),
    output: RevisionDiff,
    errors: { ...withCompression, UNPROCESSABLE: 'The share is sealed.' },
    limits: comparisonLimits,
    handle: async ({ actor, params: { id, version }, query: { to } }) => ({
      from: version,
      to: to ?? null,
      ...(await compareRevisions(await admitToRevisions(actor, id, to === undefined), version, to)),
    }),
  }),
  route({
    endpoint: 'POST /api/share/{id}/revisions/{version}/restore',
    access: 'signed-in',
    scope: 'shares:update',
    summary: 'Restore a revision',
    description:
      'Makes a former content the current one; the current one becomes a revision. Only the owner of the share, or a user with `shares:manage`, can do this.',
    params: RevisionId,
    output: UpdatedShare,
    errors: {
      ...errors,
      FORBIDDEN: notForModerators,
      CONFLICT: 'Files of the revision are no longer kept.',
      PAYLOAD_TOO_LARGE: 'The files exceed your quota.',
      UNPROCESSABLE: 'The share is sealed: save the revision with the proof of its key.',
    },
    limits: creationLimits,
    auditAction: 'share.restore-revision',
    versionOf: ({ version }) => version,
    handle: async ({ actor, params: { id, version }, recorder, ifMatch }) => {
      const { change } = await import('../changing/update.ts');
      const { found } = await change(
        id,
        async ({ share }) => ({
          ...(await restoreRevision(share, version)),
          useRandomPassword: false,
        }),
        assertCanEdit(actor, ifMatch),
        recorder,
        actor,
      );
      return { ...toSummaryResponse(actor, found), message: 'Restored' };
    },
  }),
];
