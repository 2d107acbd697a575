import * as z from 'zod';
import { idText } from '../../../shared/db/ids.ts';
import {
  examplePage,
  Paginated,
  paginated,
  Success,
  success,
} from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { multiLine, optional } from '../../../shared/input/fields.ts';
import { assertSingleFilter, emptyAsUndefined } from '../../../shared/lists/filters.ts';
import { pageQuery, skipsNothing } from '../../../shared/lists/pagination.ts';
import { sortBy } from '../../../shared/lists/sort.ts';
import { readUsers } from '../../../shared/users/person.ts';
import { reportLimits } from './limits.ts';
import { findEntries, loadEntries, type ShareFilter } from './listing.ts';
import {
  areAllListed,
  type Decision,
  listDecisions,
  listReports,
  moderate,
  type Report,
  report,
} from './moderation.ts';
import { admit, admitEditor } from './reading/admission.ts';
import { getOwnerName } from './record/owner.ts';
import {
  type FoundShare,
  moderationVersion,
  type OpenedShare,
  type OwnedShare,
  type StoredShare,
} from './record/share.ts';
import { ReportReason, ShareId } from './request-fields.ts';
import { exampleShare, Share, ShareSummary, toShare, toSummary } from './schemas.ts';

const exampleManaged = {
  ...exampleShare,
  ownerId: 244_212_480_000_000,
  ownerName: 'Ann Example',
  reports: 2,
  reportedAt: '2026-11-21T13:00:00.000Z',
  takenDownAt: null,
};

/** The maximum length of the reason of a decision, in UTF-16 code units: its notification has it whole. */
const maxDecisionReason = 500;

/** The additional fields for moderators. */
const managedFields = {
  ownerId: z.int().positive(),
  ownerName: z.string().meta({ description: 'The name of the owner.' }),
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
  userName: null,
};

const exampleDecision = {
  id: 'q2V5c3Rp',
  decision: 'take-down' as const,
  reason: 'It copies a sign-in page.',
  createdAt: '2026-11-21T14:00:00.000Z',
  userId: 244_212_480_004_096,
  userName: 'Bob Example',
};

const userName = z.string().nullable().meta({
  description:
    'The current name of the user; of a deleted one, the name as it was. `null`: there is none.',
});

const ManagedShareDetail = Share.extend({
  ...managedFields,
  content: z.string().nullable().meta({ description: 'The source. `null` once it is deleted.' }),
  reportList: z.array(
    z.object({
      id: z.string(),
      reason: z.string(),
      createdAt: z.iso.datetime(),
      userId: z.int().positive().nullable(),
      userName,
    }),
  ),
  decisions: z
    .array(
      z.object({
        id: z.string(),
        decision: z.enum(['take-down', 'keep']).meta({ description: 'What was decided.' }),
        reason: z.string().nullable().meta({ description: 'What the owner was told.' }),
        createdAt: z.iso.datetime(),
        userId: z.int().positive().nullable().meta({ description: 'The id of the moderator.' }),
        userName,
      }),
    )
    .meta({
      description:
        'The latest 50 decisions of moderators, newest first, as long as the audit log keeps them.',
    }),
}).meta({
  id: 'ManagedShareDetail',
  examples: [
    {
      ...exampleManaged,
      content: '# Hi',
      html: '<h1>Hi</h1>',
      reportList: [exampleReport],
      decisions: [exampleDecision],
    },
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

const toManaged = (found: OwnedShare) => ({
  ...toSummary(found),
  version: moderationVersion(found.share),
  ...toManagedFields(found.share),
  ownerName: found.ownerName,
});

/** What moderators see of a share besides its fields. */
interface Moderation {
  readonly reports: readonly Report[];
  readonly decisions: readonly Decision[];
}

const readModeration = async (id: string): Promise<Moderation> => {
  const [reports, decisions] = await Promise.all([listReports(id), listDecisions(id)]);
  return { reports, decisions };
};

/** Names the owner, the reporters and the moderators of a share. */
const withNames = async ({ ownerId }: StoredShare, { reports, decisions }: Moderation) => {
  const all = [...reports, ...decisions];
  const users = await readUsers([ownerId, ...all.flatMap(({ userId }) => userId ?? [])]);
  const named = <One extends Report | Decision>({
    userId,
    userName: formerName,
    ...rest
  }: One) => ({
    ...rest,
    userId: userId ?? null,
    userName: (userId === undefined ? undefined : users.get(userId)?.name) ?? formerName ?? null,
  });
  return {
    ownerName: getOwnerName({ ownerId }, users),
    reportList: reports.map(named),
    decisions: decisions.map((one) => ({ ...named(one), reason: one.reason ?? null })),
  };
};

/** Reads the owner's name, the reports and the decisions of a share in their API representation. */
export const readNamed = async (share: StoredShare) =>
  withNames(share, await readModeration(share.id));

const toContent = ({ content, html }: z.output<typeof Share>) => ({ content, html });

/** Reads a share for moderators, whatever its status. Deleted content is omitted. */
const inspect = async (id: string): Promise<FoundShare | OpenedShare> => {
  // Naming the owner refuses the shares of a removed one.
  const found = await admitEditor(id, () => undefined);
  return found.share.texts ? found.readContent() : found;
};

const toDetail = async (id: string) => {
  const [found, listed] = await Promise.all([inspect(id), readModeration(id)]);
  // The version includes the reports, so all of them must be listed before a decision closes them.
  const isWhole = areAllListed(found.share, listed.reports);
  const named = await withNames(
    found.share,
    isWhole ? listed : { ...listed, reports: await listReports(id) },
  );
  return {
    ...toManaged({ ...found, ownerName: named.ownerName }),
    content: null,
    ...('source' in found && toContent(toShare(found))),
    ...named,
  };
};

/** Report and moderate shares. */
const AllSharesQuery = z.object({
  ...pageQuery,
  ...sortBy(['createdAt']),
  reported: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({ description: '`true` for shares waiting for a decision, longest waiting first.' }),
  ownerId: z.preprocess(
    emptyAsUndefined,
    idText('a user').optional().meta({ description: 'The id of the user who owns them.' }),
  ),
});

const toFilter = ({ reported, ownerId }: z.output<typeof AllSharesQuery>): ShareFilter => ({
  reported: reported === 'true' || undefined,
  ownerId,
});

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
    errors: { GONE: 'The share has ended or was taken down.' },
    limits: reportLimits,
    auditAction: 'share.report',
    handle: async ({ actor, params, body, audit }) => {
      const admission = await admit(params.id, { actor });
      await report(admission, body.reason, actor?.user, audit);
      return { id: admission.share.id, message: 'Report received.' };
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
      skipsNothing(query) ? findEntries(userId, toFilter(query), query) : undefined,
    handle: async ({ actor, query, ahead }) => {
      const filter = toFilter(query);
      assertSingleFilter({ ...filter });
      // Reported shares have a fixed order.
      assertSingleFilter({ reported: filter.reported, sort: query.sort });
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
      .object({
        decision: z.enum(['take-down', 'keep'], 'must be take-down or keep'),
        reason: optional(multiLine(maxDecisionReason)).meta({
          description: 'Why, for the owner, who is told the decision.',
        }),
      })
      .meta({
        id: 'ModerateShareInput',
        examples: [{ decision: 'take-down', reason: exampleDecision.reason }],
      }),
    output: Success(ManagedShare),
    auditAction: 'share.moderate',
    versionOf: ({ data }) => data.version,
    handle: async ({ actor, params, body: { decision, reason }, audit, ifMatch }) => {
      const by = { actorId: actor.user.id, audit, ifMatch };
      const found = await moderate(params.id, { decision, reason: reason ?? undefined }, by);
      return success(toManaged(found), decision === 'take-down' ? 'Taken down' : 'Kept');
    },
  }),
];
