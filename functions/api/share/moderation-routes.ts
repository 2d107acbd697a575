import * as z from 'zod';
import {
  examplePage,
  Paginated,
  paginated,
  Success,
  success,
} from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { assertSingleFilter } from '../../../shared/lists/filters.ts';
import { pageQuery } from '../../../shared/lists/pagination.ts';
import { sortBy } from '../../../shared/lists/sort.ts';
import { ReportReason, ShareId } from './input.ts';
import { reportLimits } from './limits.ts';
import { listAll } from './listing.ts';
import { areAllListed, listReports, moderate, report } from './moderation.ts';
import { inspect } from './reading/reading.ts';
import { type FoundShare, moderationVersion, type StoredShare } from './record/share.ts';
import { exampleShare, Share, ShareSummary, toShare, toSummary } from './schemas.ts';

const exampleManaged = {
  ...exampleShare,
  ownerId: 244_212_480_000_000,
  reports: 2,
  reportedAt: '2026-11-21T13:00:00.000Z',
  takenDownAt: null,
};

/** The additional fields for moderators. */
const managedFields = {
  ownerId: z.int().positive(),
  reports: z.int().meta({ description: 'The number of reports since the last decision.' }),
  reportedAt: z.iso.datetime().nullable(),
  takenDownAt: z.iso.datetime().nullable(),
};

const ManagedShare = ShareSummary.extend(managedFields).meta({
  id: 'ManagedShare',
  examples: [exampleManaged],
});

const exampleReport = {
  id: 'k3JZ0cWbq7x1',
  reason: 'It asks for a password of another site',
  createdAt: '2026-11-21T13:00:00.000Z',
  userId: null,
};

const ManagedShareDetail = Share.extend({
  ...managedFields,
  content: z.string().nullable().meta({ description: 'The source. `null` once it is deleted.' }),
  reportList: z.array(
    z.object({
      id: z.string(),
      reason: z.string(),
      createdAt: z.iso.datetime(),
      userId: z.int().positive().nullable(),
    }),
  ),
}).meta({
  id: 'ManagedShareDetail',
  examples: [
    { ...exampleManaged, content: '# Hi', html: '<h1>Hi</h1>', reportList: [exampleReport] },
  ],
});

const ManagedSharePage = Paginated(ManagedShare).meta({
  id: 'ManagedSharePage',
  examples: [examplePage(exampleManaged)],
});

/** Converts the additional fields for moderators. */
export const toManagedFields = (share: StoredShare) => ({
  ownerId: share.ownerId,
  reports: share.reports ?? 0,
  reportedAt: share.reportedAt ?? null,
  takenDownAt: share.takenDownAt ?? null,
});

const toManaged = (found: FoundShare) => ({
  ...toSummary(found),
  version: moderationVersion(found.share),
  ...toManagedFields(found.share),
});

const toReports = (reports: Awaited<ReturnType<typeof listReports>>) =>
  reports.map(({ userId = null, ...rest }) => ({ ...rest, userId }));

/** Lists the reports of a share in their API representation. */
export const readReports = async (id: string) => toReports(await listReports(id));

const toContent = ({ content, html }: z.output<typeof Share>) => ({ content, html });

const toDetail = async (id: string) => {
  const [found, listed] = await Promise.all([inspect(id), listReports(id)]);
  // The version includes the reports, so all of them must be listed before a decision closes them.
  const reports = areAllListed(found.share, listed) ? listed : await listReports(id);
  return {
    ...toManaged(found),
    content: null,
    ...('source' in found && toContent(toShare(found))),
    reportList: toReports(reports),
  };
};

/** Report and moderate shares. */
export const moderationRoutes = [
  route({
    endpoint: 'POST /api/share/{id}/report',
    access: 'optional',
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
    errors: { GONE: 'The share has ended or was taken down.' },
    limits: reportLimits,
    auditAction: 'share.report',
    handle: async ({ actor, params, body, audit }) => {
      await report(params.id, body.reason, actor?.user.id, audit);
      return { id: params.id, message: 'Report received.' };
    },
  }),
  route({
    endpoint: 'GET /api/shares',
    access: 'shares:manage',
    summary: 'List all shares',
    description: 'Returns the shares of all users, newest first, or those waiting for a decision.',
    query: z.object({
      ...pageQuery,
      ...sortBy(['createdAt']),
      reported: z
        .enum(['true', 'false'], 'must be true or false')
        .optional()
        .meta({ description: '`true` for shares waiting for a decision, longest waiting first.' }),
    }),
    output: ManagedSharePage,
    handle: async ({ actor, query: { reported, sort, ...request } }) => {
      const isReported = reported === 'true';
      // Reported shares have a fixed order.
      assertSingleFilter({ reported: isReported || undefined, sort });
      return paginated(
        await listAll(actor.user.id, { ...request, sort, reported: isReported }),
        toManaged,
      );
    },
  }),
  route({
    endpoint: 'GET /api/shares/{id}',
    access: 'shares:manage',
    summary: 'Get a share for moderation',
    description: 'Returns the share with its content and reports. Doesn’t count a view.',
    params: ShareId,
    output: Success(ManagedShareDetail),
    versionOf: ({ data }) => data.version,
    handle: async ({ params }) => success(await toDetail(params.id)),
  }),
  route({
    endpoint: 'PUT /api/shares/{id}/decision',
    access: 'shares:manage',
    summary: 'Moderate a share',
    description:
      'Takes the share down, so that it responds with 410, or keeps it. Closes its reports.',
    params: ShareId,
    body: z
      .object({ decision: z.enum(['take-down', 'keep'], 'must be take-down or keep') })
      .meta({ id: 'ModerateShareInput', examples: [{ decision: 'take-down' }] }),
    output: Success(ManagedShare),
    auditAction: 'share.moderate',
    versionOf: ({ data }) => data.version,
    handle: async ({ actor, params, body: { decision }, audit, ifMatch }) => {
      const by = { actorId: actor.user.id, audit, ifMatch };
      const found = await moderate(params.id, decision === 'take-down', by);
      return success(toManaged(found), decision === 'take-down' ? 'Taken down' : 'Kept');
    },
  }),
];
