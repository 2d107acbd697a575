import { randomBytes } from 'node:crypto';
import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { type Condition, updateFields, versionCondition } from '../../../shared/db/field-update.ts';
import { keys } from '../../../shared/db/table.ts';
import { createItemWrite, transact, type Write } from '../../../shared/db/transaction.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/etag.ts';
import { enqueueWrite } from '../../../shared/jobs/outbox.ts';
import { queryMatches, startAt } from '../../../shared/lists/pagination.ts';
import type { NotificationContent } from '../../../shared/notifications/notification.ts';
import { notificationTemplates } from '../../../shared/notifications/templates.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { moderationNotification } from './ending/notify.ts';
import { find } from './reading/reading.ts';
import { auditSubject, auditUpdated } from './record/audit.ts';
import { ends } from './record/expiry-schedule.ts';
import { shareReported } from './record/jobs.ts';
import { assertHasOwner } from './record/owner.ts';
import {
  assertOpen,
  type FoundShare,
  moderationVersion,
  type StoredShare,
  untilChanged,
} from './record/share.ts';

/** What somebody wrote about a share. */
export interface Report {
  readonly id: string;
  readonly reason: string;
  readonly createdAt: string;
  /** The user who reported it, where one was signed in. */
  readonly userId?: number;
}

/** Reports are forgotten by then, decided about or not. */
const keptMs = 365 * 86_400_000;
/** As many as a moderator is shown. */
const shownReports = 100;

const updateShare = (id: string, expression: string, values: Record<string, unknown>): Write => ({
  Update: {
    TableName: tableName(),
    Key: keys.share(id),
    UpdateExpression: expression,
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: values,
  },
});

/**
 * Keeps a report of a share that readers can see, and lets those know who decide about shares.
 * @throws AppError NOT_FOUND, GONE
 */
export const report = async (
  shareId: string,
  reason: string,
  userId: number | undefined,
  audit: AuditRecorder,
): Promise<void> => {
  const found = await find(shareId);
  assertOpen(found);
  await assertHasOwner(found.share, userId);
  const now = new Date();
  const createdAt = now.toISOString();
  const id = randomBytes(9).toString('base64url');
  const { pk, sk } = keys.reportedShares(createdAt, shareId);
  const failed = await transact({
    report: createItemWrite(keys.shareReport(shareId, createdAt, id), {
      id,
      reason,
      createdAt,
      userId,
      ttl: Math.ceil((now.getTime() + keptMs) / 1_000),
    }),
    share: updateShare(
      shareId,
      'SET reports = if_not_exists(reports, :none) + :one, totalReports = if_not_exists(totalReports, :none) + :one, reportedAt = if_not_exists(reportedAt, :now), gsi1pk = if_not_exists(gsi1pk, :pk), gsi1sk = if_not_exists(gsi1sk, :sk)',
      { ':none': 0, ':one': 1, ':now': createdAt, ':pk': pk, ':sk': sk },
    ),
    // One notice for all the reports that wait for the same decision.
    notice:
      found.share.reportedAt === undefined
        ? enqueueWrite(shareReported, { id: shareId })
        : undefined,
    ...audit.writes({ subject: auditSubject(shareId), after: { report: id } }),
  });
  if (failed) throw new AppError('NOT_FOUND', 'There is no such share');
};

/** The latest reports of a share, the newest first. */
export const listReports = async (shareId: string): Promise<Report[]> => {
  const { pk } = keys.shareReport(shareId, '', '');
  const { items } = await queryMatches(
    { ...startAt({ pk, sk: 'REPORT#' }), ScanIndexForward: false },
    { matches: shownReports, scanned: shownReports },
  );
  return items as unknown as Report[];
};

/** Are all among these reports that wait for a decision about the share, as far as they are shown? */
export const isListed = (
  { reports = 0, reportedAt = '' }: StoredShare,
  listed: readonly Report[],
): boolean => {
  const waiting = listed.filter(({ createdAt }) => createdAt >= reportedAt);
  return waiting.length >= Math.min(reports, shownReports);
};

/** Neither changed nor reported since: no report is settled that nobody has seen. */
const isAsSeen = ({ version, totalReports }: StoredShare): Condition => {
  const { expression, values } = versionCondition(version);
  return totalReports === undefined
    ? { expression: `${expression} AND attribute_not_exists(totalReports)`, values: { ...values } }
    : {
        expression: `${expression} AND totalReports = :totalReports`,
        values: { ...values, ':totalReports': totalReports },
      };
};

/** What a decision has to tell a share's owner: nothing where it was taken down before, or nobody had reported it. */
const decisionNotification = (
  { title, takenDownAt, reports }: StoredShare,
  isTakenDown: boolean,
): NotificationContent | undefined => {
  const wasTakenDown = takenDownAt !== undefined;
  if (isTakenDown) return wasTakenDown ? undefined : notificationTemplates.shareTakenDown(title);
  return wasTakenDown || reports !== undefined ? notificationTemplates.shareKept(title) : undefined;
};

/**
 * Decides about a share (decisions.md#moderation): takes it down, so that it answers 410, or lets it be seen, again too. Either way its reports
 * are settled, and the owner is told of what is new. The content is kept, for its owner can't bring it back and moderators may think again.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED, so that no report is settled unseen
 */
export const moderate = async (
  id: string,
  isTakenDown: boolean,
  {
    actorId,
    change,
    ifMatch,
  }: {
    readonly actorId: number;
    readonly change: AuditRecorder;
    readonly ifMatch: IfMatch | undefined;
  },
): Promise<FoundShare> =>
  untilChanged(async () => {
    const { share } = await find(id);
    await assertHasOwner(share);
    assertVersion(ifMatch, moderationVersion(share));
    const now = new Date().toISOString();
    const settled = {
      takenDownAt: isTakenDown ? (share.takenDownAt ?? now) : undefined,
      reports: undefined,
      reportedAt: undefined,
      ...ends.none,
      version: share.version + 1,
    };
    const takenDown = isTakenDown || undefined;
    const notice = decisionNotification(share, isTakenDown);
    const failed = await transact({
      share: updateFields(keys.share(id), settled, isAsSeen(share)),
      gate: updateFields(
        keys.shareAccess(id),
        { takenDown },
        { expression: 'attribute_exists(pk)' },
      ),
      ...(notice && (await moderationNotification(share, actorId, notice))),
      ...change.writes(auditUpdated(share, { ...share, ...settled } as object as StoredShare)),
    });
    return failed ? undefined : find(id);
  });
