import * as z from 'zod';
import { paginated, Success, success } from '../../../../shared/http/envelope.ts';
import { route } from '../../../../shared/http/route.ts';
import { pageQuery, skipsNothing } from '../../../../shared/lists/pagination.ts';
import { assertListable, shareFilters, toShareFilter } from '../listing/filters.ts';
import { findEntries, loadEntries } from '../listing/listing.ts';
import { admit } from '../reading/admission.ts';
import { DecisionInput } from '../requests/decision.ts';
import { reportLimits } from '../requests/limits.ts';
import { ReportReason, ShareId } from '../requests/request-fields.ts';
import { exampleShare } from '../requests/schemas.ts';
import {
  exampleReport,
  ManagedShare,
  ManagedShareDetail,
  ManagedSharePage,
  toManaged,
} from './managed-share.ts';

const AllSharesQuery = z.object({ ...pageQuery, ...shareFilters });

/** Report and moderate shares. */
export const moderationRoutes = [
  route({
    endpoint: 'POST /api/share/{id}/report',
    access: 'optional',
    scope: 'shares:create',
    summary: 'Report a share',
    description: 'Reports a share for moderation. No account is needed.',
    status: 201,
    params: ShareId,
    body: z
      .object({ reason: ReportReason })
      .meta({ id: 'ReportShareInput', examples: [{ reason: exampleReport.reason }] }),
    output: z.object({ id: z.string(), message: z.string() }).meta({
      id: 'ReportedShare',
      examples: [{ id: exampleShare.id, message: 'Report received.' }],
    }),
    errors: {
      UNAUTHORIZED: 'The share isn’t open to all, and the caller isn’t signed in.',
      GONE: 'The share has ended or was taken down.',
    },
    limits: reportLimits,
    auditAction: 'share.report',
    handle: async ({ actor, params, body, recorder }) => {
      const admission = await admit(params.id, { actor, afterEnd: 'any', asReporter: true });
      const { report } = await import('./moderation.ts');
      await report(admission, body.reason, { actor, isNamed: true }, recorder);
      return { id: admission.addressId, message: 'Report received.' };
    },
  }),
  route({
    endpoint: 'GET /api/shares',
    access: 'shares:manage',
    summary: 'List all shares',
    description:
      'Returns the shares of all users or of one, newest first, or those waiting for a decision.',
    query: AllSharesQuery,
    output: ManagedSharePage,
    readAhead: (userId, query) =>
      skipsNothing(query) ? findEntries(userId, toShareFilter(query), query) : undefined,
    handle: async ({ actor, query, ahead }) => {
      const filter = toShareFilter(query);
      assertListable(filter, query);
      const found = await (ahead ?? findEntries(actor.user.id, filter, query));
      return paginated(await loadEntries(found), toManaged);
    },
  }),
  route({
    endpoint: 'GET /api/shares/{id}',
    access: 'shares:manage',
    summary: 'Get a share for moderation',
    description: 'Returns the share with its content and reports. Doesn’t count a view.',
    params: ShareId,
    output: Success(ManagedShareDetail),
    errors: {
      NOT_ACCEPTABLE: 'The response is larger than 4 MB, and the client accepts no compression.',
    },
    versionOf: ({ data }) => data.version,
    handle: async ({ params }) => {
      const { readDetail } = await import('./detail.ts');
      return success(await readDetail(params.id));
    },
  }),
  route({
    endpoint: 'PUT /api/shares/{id}/decision',
    access: 'shares:manage',
    summary: 'Moderate a share',
    description:
      'Takes the share down, so that it responds with 410, or keeps it. Closes its reports.',
    params: ShareId,
    body: DecisionInput,
    output: Success(ManagedShare),
    auditAction: 'share.moderate',
    versionOf: ({ data }) => data.version,
    handle: async ({ actor, params, body: { decision, reason }, recorder, ifMatch }) => {
      const by = { moderator: actor.user, recorder, ifMatch };
      const { moderate } = await import('./moderation.ts');
      const found = await moderate(params.id, { decision, reason: reason ?? undefined }, by);
      return success(toManaged(found), decision === 'take-down' ? 'Taken down' : 'Kept');
    },
  }),
];
