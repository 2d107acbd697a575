import { randomBytes } from 'node:crypto';
import type { Change } from '../../../shared/audit/audit-log.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { type Condition, isVersion, updateFields } from '../../../shared/db/field-update.ts';
import { keys } from '../../../shared/db/table.ts';
import { putNew, transact, type Write } from '../../../shared/db/transaction.ts';
import { checkVersion, type IfMatch } from '../../../shared/http/etag.ts';
import { jobWrite } from '../../../shared/jobs/outbox.ts';
import { readMatches, startingWith } from '../../../shared/lists/pagination.ts';
import type { Notice } from '../../../shared/notifications/notification.ts';
import { notices } from '../../../shared/notifications/templates.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { noticeByModerator } from './ending/notify.ts';
import { find } from './reading/reading.ts';
import { ofChanged, subjectOf } from './record/audit.ts';
import { ends } from './record/expiry-schedule.ts';
import { shareReported } from './record/jobs.ts';
import { checkHasOwner } from './record/owner.ts';
import {
  checkIsOpen,
  type FoundShare,
  managedVersion,
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
  change: Change,
): Promise<void> => {
  const found = await find(shareId);
  checkIsOpen(found);
  await checkHasOwner(found.share, userId);
  const now = new Date();
  const createdAt = now.toISOString();
  const id = randomBytes(9).toString('base64url');
  const { pk, sk } = keys.reportedShares(createdAt, shareId);
  const failed = await transact({
    report: putNew(keys.shareReport(shareId, createdAt, id), {
      id,
      reason,
      createdAt,
      userId,
      ttl: Math.ceil((now.getTime() + keptMs) / 1_000),
    }),
    share: updateShare(
      shareId,
      'SET reports = if_not_exists(reports, :none) + :one, reportsEver = if_not_exists(reportsEver, :none) + :one, reportedAt = if_not_exists(reportedAt, :now), gsi1pk = if_not_exists(gsi1pk, :pk), gsi1sk = if_not_exists(gsi1sk, :sk)',
      { ':none': 0, ':one': 1, ':now': createdAt, ':pk': pk, ':sk': sk },
    ),
    // One notice for all the reports that wait for the same decision.
    notice:
      found.share.reportedAt === undefined ? jobWrite(shareReported, { id: shareId }) : undefined,
    ...change.writes({ subject: subjectOf(shareId), after: { report: id } }),
  });
  if (failed) throw new AppError('NOT_FOUND', 'There is no such share');
};

/** The latest reports of a share, the newest first. */
export const reportsOf = async (shareId: string): Promise<Report[]> => {
  const { pk } = keys.shareReport(shareId, '', '');
  const { items } = await readMatches(
    { ...startingWith({ pk, sk: 'REPORT#' }), ScanIndexForward: false },
    { matches: shownReports, scanned: shownReports },
  );
  return items as unknown as Report[];
};

/** Are all among these reports that wait for a decision about the share, as far as they are shown? */
export const areListed = (
  { reports = 0, reportedAt = '' }: StoredShare,
  listed: readonly Report[],
): boolean => {
  const waiting = listed.filter(({ createdAt }) => createdAt >= reportedAt);
  return waiting.length >= Math.min(reports, shownReports);
};

/** Neither changed nor reported since: no report is settled that nobody has seen. */
const isAsSeen = ({ version, reportsEver }: StoredShare): Condition => {
  const { expression, values } = isVersion(version);
  return reportsEver === undefined
    ? { expression: `${expression} AND attribute_not_exists(reportsEver)`, values: { ...values } }
    : {
        expression: `${expression} AND reportsEver = :reportsEver`,
        values: { ...values, ':reportsEver': reportsEver },
      };
};

/** What a decision has to tell a share's owner: nothing where it was taken down before, or nobody had reported it. */
const noticeOfDecision = (
  { title, takenDownAt, reports }: StoredShare,
  isTakenDown: boolean,
): Notice | undefined => {
  const wasTakenDown = takenDownAt !== undefined;
  if (isTakenDown) return wasTakenDown ? undefined : notices.shareTakenDown(title);
  return wasTakenDown || reports !== undefined ? notices.shareKept(title) : undefined;
};

/**
 * Decides about a share (decisions.md#moderation): takes it down, so that it answers 410, or lets it be seen, again too. Either way its reports
 * are settled, and the owner is told of what is new. The content is kept, for its owner can't bring it back and moderators may think again.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED, so that no report is settled unseen
 */
export const decide = async (
  id: string,
  isTakenDown: boolean,
  {
    actorId,
    change,
    ifMatch,
  }: {
    readonly actorId: number;
    readonly change: Change;
    readonly ifMatch: IfMatch | undefined;
  },
): Promise<FoundShare> =>
  untilChanged(async () => {
    const { share } = await find(id);
    await checkHasOwner(share);
    checkVersion(ifMatch, managedVersion(share));
    const now = new Date().toISOString();
    const settled = {
      takenDownAt: isTakenDown ? (share.takenDownAt ?? now) : undefined,
      reports: undefined,
      reportedAt: undefined,
      ...ends.none,
      version: share.version + 1,
    };
    const takenDown = isTakenDown || undefined;
    const notice = noticeOfDecision(share, isTakenDown);
    const failed = await transact({
      share: updateFields(keys.share(id), settled, isAsSeen(share)),
      gate: updateFields(
        keys.shareViews(id),
        { takenDown },
        { expression: 'attribute_exists(pk)' },
      ),
      ...(notice && (await noticeByModerator(share, actorId, notice))),
      ...change.writes(ofChanged(share, { ...share, ...settled } as object as StoredShare)),
    });
    return failed ? undefined : find(id);
  });
