import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import { updateFields } from '../../../../shared/db/field-update.ts';
import { createRandomText } from '../../../../shared/db/ids.ts';
import { itemParser } from '../../../../shared/db/item-parser.ts';
import { countItems, type ListKey, queryMatches, startAt } from '../../../../shared/db/query.ts';
import { createItemWrite, transact } from '../../../../shared/db/transaction.ts';
import { assertVersion, type IfMatch } from '../../../../shared/http/content/etag.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import {
  type ListResult,
  maxCountedMatches,
  type PageRequest,
  readPage,
} from '../../../../shared/lists/pagination.ts';
import { notificationTemplates } from '../../../../shared/notifications/templates.ts';
import { readUsers } from '../../../../shared/users/person.ts';
import { ownerNotificationSteps } from '../ending/notify.ts';
import { requestReportedJob } from '../record/jobs.ts';
import { moderationVersion } from '../record/share.ts';
import { auditedRequest, auditRequest } from './audit.ts';
import { requestKeys } from './keys.ts';
import {
  loadRequest,
  loadRequests,
  requestNotFound,
  retryOnConflict,
  type StoredRequest,
} from './request.ts';
import { waitingRequestsQuery } from './waiting.ts';

/** A report of a request. */
interface Report {
  readonly reason: string;
  readonly createdAt: string;
}

const parseReport = itemParser<Report>('share request report', ['reason', 'createdAt']);

/** How long reports are stored. */
const retentionMs = 365 * 86_400_000;

/** The most reports of a request that are listed. */
const maxListed = 20;

/**
 * Stores a visitor's report of a request, and schedules the notification of moderators.
 * @throws AppError NOT_FOUND if the request was deleted concurrently
 */
export const reportRequest = async (
  request: StoredRequest,
  reason: string,
  recorder: ChangeRecorder,
): Promise<void> => {
  const { id, reportedAt } = request;
  const now = new Date();
  const createdAt = now.toISOString();
  const reportId = createRandomText(9);
  const { pk, sk } = requestKeys.reported.at({ reportedAt: createdAt, id });
  await transact([
    createItemWrite(requestKeys.report.at({ id, at: createdAt, reportId }), {
      reason,
      createdAt,
      ttl: Math.ceil((now.getTime() + retentionMs) / 1_000),
    }),
    {
      write: {
        Update: {
          TableName: tableName(),
          Key: requestKeys.record.at({ id }),
          UpdateExpression:
            'SET reports = if_not_exists(reports, :none) + :one, totalReports = if_not_exists(totalReports, :none) + :one, reportedAt = if_not_exists(reportedAt, :now), gsi1pk = if_not_exists(gsi1pk, :pk), gsi1sk = if_not_exists(gsi1sk, :sk)',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeValues: {
            ...{ ':none': 0, ':one': 1, ':now': createdAt, ':pk': pk, ':sk': sk },
          },
        },
      },
      refused: requestNotFound,
    },
    // One notification for all reports that wait for the same decision.
    reportedAt === undefined ? enqueueWrite(requestReportedJob, { id }) : undefined,
    ...recorder.steps({ ...auditedRequest(request), after: { report: reportId } }),
  ]);
};

/** A reported request, with what moderators see besides. */
export interface ReportedRequest {
  readonly request: StoredRequest;
  readonly ownerName: string;
  /** The latest reports, newest first. */
  readonly reports: readonly Report[];
}

const listReports = async (id: string): Promise<Report[]> => {
  const query = { ...startAt(requestKeys.report.prefix({ id })), ScanIndexForward: false };
  const { items } = await queryMatches(query, { matches: maxListed, scanned: maxListed });
  return items.map(parseReport);
};

/** Adds the names of owners and the reports. Requests of removed owners are omitted, because a job still deletes them. */
const addReports = async (requests: readonly StoredRequest[]): Promise<ReportedRequest[]> => {
  const [users, reports] = await Promise.all([
    readUsers(requests.map(({ ownerId }) => ownerId)),
    Promise.all(requests.map(({ id }) => listReports(id))),
  ]);
  return requests.flatMap((request, at) => {
    const owner = users.get(request.ownerId);
    return owner ? [{ request, ownerName: owner.name, reports: reports[at] ?? [] }] : [];
  });
};

/** Finds the requests waiting for a decision, longest waiting first. */
export const findReported = async (
  callerId: number,
  request: PageRequest,
): Promise<ListResult<ListKey>> => {
  const [page, total] = await Promise.all([
    readPage(waitingRequestsQuery(), request, `reported-requests#${callerId}`),
    countItems(waitingRequestsQuery(), maxCountedMatches + 1),
  ]);
  return {
    ...page,
    total: Math.min(total, maxCountedMatches),
    totalIsExact: total <= maxCountedMatches,
  };
};

/** Reads the reported requests of a page of entries. */
export const loadReported = async (
  found: ListResult<ListKey>,
): Promise<ListResult<ReportedRequest>> => ({
  ...found,
  items: await addReports(await loadRequests(found.items.map(({ id }) => id as string))),
});

/** A decision of a moderator about a request. */
interface Decision {
  readonly decision: 'take-down' | 'keep';
  /** What the moderator wrote to the owner. */
  readonly reason?: string | undefined;
}

const toNotice = (
  { title, takenDownAt, reports }: StoredRequest,
  { decision, reason }: Decision,
) => {
  const wasTakenDown = takenDownAt !== undefined;
  if (decision === 'take-down') {
    return wasTakenDown ? undefined : notificationTemplates.requestTakenDown(title, reason);
  }
  return wasTakenDown || reports !== undefined
    ? notificationTemplates.requestKept(title, reason)
    : undefined;
};

/**
 * Takes a request down, so that its page responds with 410, or keeps or restores it. Closes its reports and tells the owner.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED if it was changed or reported since
 */
export const moderateRequest = (
  id: string,
  decided: Decision,
  {
    actorId,
    recorder,
    ifMatch,
  }: { actorId: number; recorder: ChangeRecorder; ifMatch: IfMatch | undefined },
): Promise<ReportedRequest> =>
  retryOnConflict(async () => {
    const before = await loadRequest(id);
    const [found] = await addReports([before]);
    if (!found) throw requestNotFound();
    assertVersion(ifMatch, moderationVersion(before));
    const { version, totalReports = 0, takenDownAt } = before;
    const now = new Date().toISOString();
    const fields = {
      takenDownAt: decided.decision === 'take-down' ? (takenDownAt ?? now) : undefined,
      ...{ reports: undefined, reportedAt: undefined, gsi1pk: undefined, gsi1sk: undefined },
      version: version + 1,
    };
    const after = { ...before, ...fields } as object as StoredRequest;
    const changed = auditRequest(before, after);
    const notice = toNotice(before, decided);
    const refused = await transact([
      {
        write: updateFields(requestKeys.record.at({ id }), fields, {
          // No report that was not listed is closed.
          expression: `version = :seenVersion AND ${totalReports === 0 ? 'attribute_not_exists(totalReports)' : 'totalReports = :totalReports'}`,
          values: {
            ':seenVersion': version,
            ...(totalReports > 0 && { ':totalReports': totalReports }),
          },
        }),
        refused: 'changed',
      },
      ...(notice ? await ownerNotificationSteps(before, actorId, notice) : []),
      ...recorder.steps({ ...changed, after: { ...changed.after, ...decided } }),
    ]);
    return refused ? undefined : { ...found, request: after };
  });
