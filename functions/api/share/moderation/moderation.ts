import { randomBytes } from 'node:crypto';
import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { listEntriesAbout } from '../../../../shared/audit/entries-about.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import {
  type Condition,
  updateFields,
  versionCondition,
} from '../../../../shared/db/field-update.ts';
import { itemParser } from '../../../../shared/db/item-parser.ts';
import { queryMatches, startAt } from '../../../../shared/db/query.ts';
import { createItemWrite, transact, type Write } from '../../../../shared/db/transaction.ts';
import { assertVersion, type IfMatch } from '../../../../shared/http/content/etag.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import type { Notice } from '../../../../shared/notifications/notification.ts';
import { notificationTemplates } from '../../../../shared/notifications/templates.ts';
import { endSteps } from '../ending/notify.ts';
import { isLinkReadable } from '../reading/access.ts';
import type { Admission } from '../reading/admission.ts';
import { loadShare } from '../reading/load.ts';
import type { ShareEnd } from '../reading/share-events.ts';
import { isOpenToAll } from '../record/audience.ts';
import { auditedShare, auditSubject, auditUpdated } from '../record/audit.ts';
import { readOwnerName } from '../record/author.ts';
import { expiryIndex } from '../record/expiry-schedule.ts';
import { shareReportedJob } from '../record/jobs.ts';
import { shareKeys } from '../record/keys.ts';
import { canClose } from '../record/rights.ts';
import {
  type FoundShare,
  getTitle,
  hasEnded,
  moderationVersion,
  notFound,
  type OwnedShare,
  retryOnConflict,
  type StoredShare,
} from '../record/share.ts';

/** A report of a share. */
export interface Report {
  readonly id: string;
  readonly reason: string;
  readonly createdAt: string;
  /** The reporting user, if signed in, with the name at that time. */
  readonly userId?: number;
  readonly userName?: string;
}

const parseReport = itemParser<Report>('share report', ['id', 'reason', 'createdAt']);

/** How long reports are stored. */
const reportRetentionMs = 365 * 86_400_000;
/** The maximum number of listed reports. */
const maxListedReports = 100;

const updateShareWrite = (
  id: string,
  expression: string,
  values: Record<string, unknown>,
): Write => ({
  Update: {
    TableName: tableName(),
    Key: shareKeys.record.at({ id }),
    UpdateExpression: expression,
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: values,
  },
});

/**
 * Returns the id of the texts that moderators see by a report of a share that isn't open to all: what its reader has seen,
 * unless a moderator is the reader, or the reader's link was revoked, has expired or asks for a code that wasn’t entered.
 */
const getReportedTexts = (admission: Admission, actor: Actor | undefined): string | undefined => {
  const { share, link } = admission;
  const isUnproven = admission.reading === undefined && admission.isUnproven;
  const isSeen =
    !isUnproven && !(actor && canClose(actor, share)) && isLinkReadable(admission, link);
  return isSeen && !isOpenToAll(share) ? share.texts?.id : undefined;
};

/**
 * Stores a reader's report of a share, and schedules the notification of moderators. `isNamed` says whether they learn who
 * reported it.
 * @throws AppError NOT_FOUND if the share was deleted concurrently
 */
export const report = async (
  admission: Admission,
  reason: string,
  { actor, isNamed }: { readonly actor: Actor | undefined; readonly isNamed: boolean },
  recorder: ChangeRecorder,
): Promise<void> => {
  const reporter = isNamed ? actor?.user : undefined;
  const { share } = admission;
  const reportedTexts = getReportedTexts(admission, actor);
  const shareId = share.id;
  const now = new Date();
  const createdAt = now.toISOString();
  const id = randomBytes(9).toString('base64url');
  const { pk, sk } = shareKeys.reported.at({ reportedAt: createdAt, id: shareId });
  await transact([
    createItemWrite(shareKeys.report.at({ id: shareId, at: createdAt, reportId: id }), {
      id,
      reason,
      createdAt,
      userId: reporter?.id,
      userName: reporter?.name,
      ttl: Math.ceil((now.getTime() + reportRetentionMs) / 1_000),
    }),
    {
      write: updateShareWrite(
        shareId,
        `SET reports = if_not_exists(reports, :none) + :one, totalReports = if_not_exists(totalReports, :none) + :one, reportedAt = if_not_exists(reportedAt, :now), gsi1pk = if_not_exists(gsi1pk, :pk), gsi1sk = if_not_exists(gsi1sk, :sk)${reportedTexts === undefined ? '' : ', reportedTexts = :texts'}`,
        {
          ...{ ':none': 0, ':one': 1, ':now': createdAt, ':pk': pk, ':sk': sk },
          ...(reportedTexts !== undefined && { ':texts': reportedTexts }),
        },
      ),
      refused: notFound,
    },
    // One notification for all reports that wait for the same decision.
    share.reportedAt === undefined ? enqueueWrite(shareReportedJob, { id: shareId }) : undefined,
    ...recorder.steps({ ...auditedShare(share), after: { report: id } }),
  ]);
};

/** Lists the latest reports of a share, newest first. */
export const listReports = async (shareId: string): Promise<Report[]> => {
  const { items } = await queryMatches(
    { ...startAt(shareKeys.report.prefix({ id: shareId })), ScanIndexForward: false },
    { matches: maxListedReports, scanned: maxListedReports },
  );
  return items.map(parseReport);
};

/** A decision of a moderator about a share. */
export interface Decision {
  readonly id: string;
  readonly decision: 'take-down' | 'keep';
  /** What the moderator wrote to the owner. */
  readonly reason?: string | undefined;
  readonly createdAt: string;
  readonly userId?: number | undefined;
  /** The moderator's name at that time. */
  readonly userName?: string | undefined;
}

/** The maximum number of listed decisions. */
const maxListedDecisions = 50;

/** Lists the latest decisions about a share, newest first, as long as the audit log keeps them. */
export const listDecisions = async (shareId: string): Promise<Decision[]> => {
  const entries = await listEntriesAbout(
    auditSubject(shareId),
    'share.moderate',
    maxListedDecisions,
  );
  return entries.map(({ id, at, actorId, actorName, after }) => ({
    id,
    decision: after?.['decision'] === 'take-down' ? 'take-down' : 'keep',
    reason: after?.['reason'] as string | undefined,
    createdAt: at,
    userId: actorId,
    userName: actorName,
  }));
};

/** Whether the list contains all reports since the last decision, up to its maximum length. */
export const areAllListed = (
  { reports = 0, reportedAt = '' }: StoredShare,
  listed: readonly Report[],
): boolean => {
  const pending = listed.filter(({ createdAt }) => createdAt >= reportedAt);
  return pending.length >= Math.min(reports, maxListedReports);
};

/** Requires that the share was neither changed nor reported since, so that no unseen report is closed. */
const unchangedCondition = ({ version, totalReports }: StoredShare): Condition => {
  const { expression, values } = versionCondition(version);
  return totalReports === undefined
    ? { expression: `${expression} AND attribute_not_exists(totalReports)`, values: { ...values } }
    : {
        expression: `${expression} AND totalReports = :totalReports`,
        values: { ...values, ':totalReports': totalReports },
      };
};

/** Returns the notification of a decision, if it changes something for the owner. */
const decisionNotification = (
  share: StoredShare,
  isTakenDown: boolean,
  reason: string | undefined,
): Notice | undefined => {
  const { takenDownAt, reports } = share;
  const title = getTitle(share);
  const wasTakenDown = takenDownAt !== undefined;
  if (isTakenDown)
    return wasTakenDown ? undefined : notificationTemplates.shareTakenDown(title, reason);
  return wasTakenDown || reports !== undefined
    ? notificationTemplates.shareKept(title, reason)
    : undefined;
};

/** Returns how a decision ends a share, unless it doesn’t, or the share had ended before. */
const findTakeDown = (
  before: FoundShare,
  isTakenDown: boolean,
  at: string,
): ShareEnd | undefined =>
  isTakenDown && !before.access.takenDown && !hasEnded(before)
    ? { by: 'moderator', how: 'taken-down', at }
    : undefined;

/**
 * Takes a share down, so that it responds with 410, or keeps or restores it (decisions.md#moderation). Closes its reports
 * and tells the owner, with the reason if there is one. The content stays, because moderators may reverse the decision.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED if the share was changed or reported since
 */
export const moderate = async (
  id: string,
  { decision, reason }: Pick<Decision, 'decision' | 'reason'>,
  {
    moderator,
    recorder,
    ifMatch,
  }: {
    readonly moderator: StoredUser;
    readonly recorder: ChangeRecorder;
    readonly ifMatch: IfMatch | undefined;
  },
): Promise<OwnedShare> =>
  retryOnConflict(async () => {
    const before = await loadShare(id);
    const { share } = before;
    const ownerName = await readOwnerName(share);
    assertVersion(ifMatch, moderationVersion(share));
    const now = new Date().toISOString();
    const isTakenDown = decision === 'take-down';
    const fields = {
      takenDownAt: isTakenDown ? (share.takenDownAt ?? now) : undefined,
      reports: undefined,
      reportedAt: undefined,
      // A take-down can be reversed by who sees what was taken down.
      reportedTexts: isTakenDown ? share.reportedTexts : undefined,
      ...expiryIndex.none,
      version: share.version + 1,
    };
    const takenDown = isTakenDown || undefined;
    const changed = auditUpdated(share, { ...share, ...fields } as object as StoredShare);
    const content = decisionNotification(share, isTakenDown, reason);
    const refused = await transact([
      {
        write: updateFields(shareKeys.record.at({ id }), fields, unchangedCondition(share)),
        refused: 'changed',
      },
      updateFields(
        shareKeys.access.at({ id }),
        { takenDown },
        { expression: 'attribute_exists(pk)' },
      ),
      ...(await endSteps(before, moderator, content, findTakeDown(before, isTakenDown, now))),
      ...recorder.steps({ ...changed, after: { ...changed.after, decision, reason } }),
    ]);
    return refused ? undefined : { ...(await loadShare(id)), ownerName };
  });
