import * as z from 'zod';
import { examplePage, Paginated } from '../../../../shared/http/envelope.ts';
import { readUsers } from '../../../../shared/users/person.ts';
import { admitEditor } from '../reading/admission.ts';
import { isOpenToAll } from '../record/audience.ts';
import { getOwnerName } from '../record/author.ts';
import {
  type FoundShare,
  moderationVersion,
  type OpenedShare,
  type OwnedShare,
  type StoredShare,
} from '../record/share.ts';
import {
  exampleShare,
  Share,
  ShareSummary,
  toModeratorSummary,
  toShare,
} from '../requests/schemas.ts';
import {
  areAllListed,
  type Decision,
  listDecisions,
  listReports,
  type Report,
} from './moderation.ts';

const exampleManaged = {
  ...exampleShare,
  ownerId: 244_212_480_000_000,
  ownerName: 'Ann Example',
  reports: 2,
  reportedAt: '2026-11-21T13:00:00.000Z',
  takenDownAt: null,
};

/** The additional fields for moderators. */
const managedFields = {
  ownerId: z.int().positive(),
  ownerName: z.string().meta({ description: 'The name of the owner.' }),
  reports: z.int().meta({ description: 'The number of reports since the last decision.' }),
  reportedAt: z.iso.datetime().nullable(),
  takenDownAt: z.iso.datetime().nullable(),
};

export const ManagedShare = ShareSummary.extend(managedFields).meta({
  id: 'ManagedShare',
  examples: [exampleManaged],
});

export const exampleReport = {
  id: 'k3JZ0cWbq7x1',
  reason: 'It asks for a password of another site',
  createdAt: '2026-11-21T13:00:00.000Z',
  userId: null,
  userName: null,
};

export const exampleDecision = {
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

export const ManagedShareDetail = Share.extend({
  ...managedFields,
  content: z.string().nullable().meta({
    description:
      'The source. `null` once it is deleted, and for a share that not everyone can open, unless one of its readers has reported this content.',
  }),
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

export const ManagedSharePage = Paginated(ManagedShare).meta({
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

/** Converts a share with the name of its owner. */
export const toManaged = (found: OwnedShare) => ({
  ...toModeratorSummary(found),
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

/** Whether moderators see the content: of a share that isn't open to all, only what one of its readers has reported. */
const isShownToModerators = (share: StoredShare): boolean =>
  share.texts !== undefined && (isOpenToAll(share) || share.texts.id === share.reportedTexts);

/** Reads a share for moderators, whatever its status. Content that is deleted, or not for them, is omitted. */
const readShare = async (id: string): Promise<FoundShare | OpenedShare> => {
  // Naming the owner refuses the shares of a removed one.
  const found = await admitEditor(id, () => undefined);
  return isShownToModerators(found.share) ? found.readContent() : found;
};

/** Reads a share with its content, reports and decisions in their API representation. @throws AppError NOT_FOUND */
export const readDetail = async (id: string) => {
  const [found, listed] = await Promise.all([readShare(id), readModeration(id)]);
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
