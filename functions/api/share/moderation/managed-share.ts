import * as z from 'zod';
import { examplePage, Paginated } from '../../../../shared/http/envelope.ts';
import { moderationVersion, type OwnedShare, type StoredShare } from '../record/share.ts';
import { exampleShare, Share, ShareSummary, toModeratorSummary } from '../requests/schemas.ts';

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
