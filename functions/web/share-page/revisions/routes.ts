import * as z from 'zod';
import {
  encodingHeaders,
  negotiate,
  Representation,
} from '../../../../shared/http/content/content-negotiation.ts';
import { route } from '../../../../shared/http/route.ts';
import { comparedWith, RevisionVersion } from '../../../../shared/revisions/fields.ts';
import { shownComparisonLimits } from '../../../api/share/requests/limits.ts';
import { RevisionId, ShareId } from '../../../api/share/requests/request-fields.ts';
import {
  admitToRevisions,
  compareRevisions,
  listRevisions,
  readRevision,
} from '../../../api/share/revisions/revisions.ts';
import { readTheme } from '../../layout/theme.ts';
import { pageHeaders, rawPolicy, replyWithErrorPage, replyWithErrorText } from '../page-reply.ts';

const errors = {
  UNAUTHORIZED: 'The share isn’t open to all, and the caller isn’t signed in.',
  NOT_FOUND: 'The share or revision doesn’t exist, or you can’t see the revisions of this share.',
  GONE: 'The share has ended or was taken down.',
} as const;

/** Former contents of a share for readers, without JavaScript (decisions.md#revisions). */
export const revisionRoutes = [
  route({
    endpoint: 'GET /s/{id}/revisions',
    access: 'optional',
    scope: 'session',
    summary: 'Show revisions of a share',
    description:
      'Lists the former contents of a share, and with `version` the differences of one. For those who can list the revisions.',
    params: ShareId,
    query: z.object({
      version: RevisionVersion.optional().meta({
        description: 'The version of the revision that is compared.',
      }),
      ...comparedWith,
    }),
    headers: z.object(encodingHeaders),
    produces: 'html',
    output: Representation,
    errors: { ...errors, UNPROCESSABLE: 'The share is sealed.' },
    limits: shownComparisonLimits,
    failurePage: replyWithErrorPage,
    handle: async ({ actor, params: { id }, query: { version, to }, headers, cookies }) => {
      const admitted = await admitToRevisions(actor, id, version !== undefined && to === undefined);
      const { share, reading } = admitted;
      const [revisions, diff] = await Promise.all([
        listRevisions(admitted),
        version === undefined ? undefined : compareRevisions(admitted, version, to),
      ]);
      // Loaded with the first page of revisions, which few readers see.
      const { revisionsPage } = await import('./revisions-page.ts');
      const page = revisionsPage({
        share,
        revisions,
        comparison: diff && version !== undefined ? { ...diff, version, to } : undefined,
        canRestore: reading === 'editor',
        theme: readTheme(cookies),
      });
      return negotiate(page, headers, { headers: pageHeaders() });
    },
  }),
  route({
    endpoint: 'GET /s/{id}/revisions/{version}/raw',
    access: 'optional',
    scope: 'session',
    summary: 'Get the source of a revision',
    description: 'Returns plain text of a former content of a share.',
    params: RevisionId,
    headers: z.object(encodingHeaders),
    produces: 'text',
    output: Representation,
    errors: {
      ...errors,
      NOT_ACCEPTABLE: 'The source is larger than 4 MB, and the client accepts no compression.',
    },
    failurePage: replyWithErrorText,
    handle: async ({ actor, params: { id, version }, headers }) => {
      const { source } = await readRevision(await admitToRevisions(actor, id), version);
      return negotiate(source, headers, { headers: { 'content-security-policy': rawPolicy } });
    },
  }),
];
