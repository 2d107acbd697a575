import { type AuditEntry, parseAuditEntry } from '../../../shared/audit/audit-log.ts';
import { auditKeys } from '../../../shared/audit/keys.ts';
import { parseSubjectId } from '../../../shared/audit/record-diff.ts';
import { schema } from '../../../shared/db/key.ts';
import { assertSingleFilter } from '../../../shared/lists/filters.ts';
import {
  countItems,
  type ListKey,
  type ListQuery,
  type ListResult,
  maxCountedMatches,
  type Page,
  type PageRequest,
  queryItems,
  readPageFrom,
  type Slice,
} from '../../../shared/lists/pagination.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { readUsers } from '../../../shared/users/person.ts';

/** Selects entries of one actor or about one subject, from `from` until before `to` (ISO 8601, UTC). */
export interface AuditFilter {
  readonly actor?: number | undefined;
  readonly subject?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** An entry with the names of its actor and subject, `null` for removed users and subjects without a name. */
export interface NamedEntry extends Omit<AuditEntry, 'subjectName'> {
  readonly actorName: string | null;
  readonly subjectName: string | null;
}

interface Span {
  readonly from: string;
  readonly to: string;
}

/** A partition of entries in order of time: those of an actor, about a subject, or of a month. */
interface Partition {
  readonly pk: string;
  readonly isIndex: boolean;
}

/** No entry is older. Limits the number of months to query. */
const oldest = Date.UTC(2025, 0, 1);

/** How far the clocks of writers can be ahead. */
const maxClockSkewMs = 60_000;

const toIsoTime = (ms: number): string => new Date(ms).toISOString();

/** Returns the time span of a filter, limited to AUDIT_KEEP, because expired entries are deleted late. */
const getSpan = ({ from, to }: AuditFilter): Span => {
  const latest = Date.now() + maxClockSkewMs;
  const earliest = Math.max(oldest, Date.now() - getSetting('AUDIT_KEEP'));
  return {
    from: toIsoTime(from === undefined ? earliest : Math.max(earliest, Date.parse(from))),
    to: toIsoTime(to === undefined ? latest : Math.min(latest, Date.parse(to))),
  };
};

/** Lists the months of a span, newest first, each as its first instant. */
const listMonths = ({ from, to }: Span): string[] => {
  const last = new Date(to);
  const months: string[] = [];
  for (let back = 0; ; back++) {
    const month = toIsoTime(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - back));
    if (month.slice(0, 7) < from.slice(0, 7)) return months;
    months.push(month);
  }
};

const listPartitions = ({ actor, subject }: AuditFilter, span: Span): Partition[] => {
  if (actor !== undefined)
    return [{ ...auditKeys.byActor.partition({ actorId: actor }), isIndex: true }];
  if (subject !== undefined)
    return [{ ...auditKeys.bySubject.partition({ subject }), isIndex: false }];
  return listMonths(span).map((month) => ({
    ...auditKeys.entry.partition({ at: month }),
    isIndex: false,
  }));
};

const getKeyNames = (isIndex: boolean) => (isIndex ? schema.index : schema);

/** Builds the query for a span of a partition, newest first or reversed. Sort keys are a time followed by an id. */
const buildQuery = (
  { pk, isIndex }: Partition,
  { from, to }: Span,
  isReversed = false,
): ListQuery => {
  const { partitionKey, sortKey } = getKeyNames(isIndex);
  return {
    ...(isIndex ? { IndexName: schema.index.name } : { ConsistentRead: true }),
    KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#pk': partitionKey, '#sk': sortKey },
    ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
    ScanIndexForward: isReversed,
  };
};

/** Reads up to `count` entries after a key, one partition after another. */
const readEntries = async (
  newestFirst: readonly Partition[],
  span: Span,
  count: number,
  after: ListKey | undefined,
  isReversed: boolean,
): Promise<Slice> => {
  const partitions = isReversed ? newestFirst.toReversed() : newestFirst;
  const { partitionKey, sortKey } = getKeyNames(partitions[0]?.isIndex ?? false);
  // A query rejects a start key outside the span. After an expired key there is nothing, or reversed, everything.
  const isExpired = after !== undefined && String(after[sortKey]) < span.from;
  if (isExpired && !isReversed) return { items: [] };
  const from = isExpired ? undefined : after;
  const first = from ? partitions.findIndex(({ pk }) => pk === from[partitionKey]) : 0;
  const items: ListKey[] = [];
  for (const [at, partition] of partitions.slice(first).entries()) {
    const query = buildQuery(partition, span, isReversed);
    items.push(...(await queryItems(query, count - items.length, at === 0 ? from : undefined)));
    if (items.length === count) break;
  }
  return { items };
};

/** Counts up to `max` entries: first in the newest partition, then in all others concurrently. */
const countEntries = async (
  [newest, ...others]: readonly Partition[],
  span: Span,
  max: number,
): Promise<number> => {
  if (!newest) return 0;
  const count = await countItems(buildQuery(newest, span), max);
  if (count >= max) return count;
  const counts = await Promise.all(
    others.map((partition) => countItems(buildQuery(partition, span), max - count)),
  );
  return counts.reduce((sum, one) => sum + one, count);
};

/** Returns the user that an entry is about, if any. A calendar feed has the id of its user. */
const getSubjectUser = ({ subject }: AuditEntry): number | undefined =>
  /^(user|feed):\d+$/.test(subject) ? parseSubjectId(subject) : undefined;

const withNames = async (page: Page<ListKey>): Promise<Page<NamedEntry>> => {
  const entries = page.items.map(parseAuditEntry);
  const ids = entries.flatMap((entry) => [entry.actorId ?? [], getSubjectUser(entry) ?? []].flat());
  const users = await readUsers(ids);
  const getName = (id: number | undefined) => (id === undefined ? undefined : users.get(id)?.name);
  const items = entries.map((entry) => ({
    ...entry,
    actorName: getName(entry.actorId) ?? null,
    subjectName: entry.subjectName ?? getName(getSubjectUser(entry)) ?? null,
  }));
  return { ...page, items };
};

/**
 * Returns a page of audit entries, newest first, and their number, counted up to 1,000. The filter by actor is eventually
 * consistent. Without a filter each month takes one query.
 * @throws AppError VALIDATION_ERROR about `cursor`, `page` or combined filters
 */
export const list = async (
  callerId: number,
  filter: AuditFilter,
  request: PageRequest,
): Promise<ListResult<NamedEntry>> => {
  assertSingleFilter({ actor: filter.actor, subject: filter.subject });
  const span = getSpan(filter);
  const partitions = span.from < span.to ? listPartitions(filter, span) : [];
  const scope = `audit#${callerId}#${JSON.stringify(filter)}`;
  const [page, count] = await Promise.all([
    readPageFrom(
      (wanted, from, isReversed) => readEntries(partitions, span, wanted, from, isReversed),
      filter.actor !== undefined,
      request,
      scope,
    ).then(withNames),
    countEntries(partitions, span, maxCountedMatches + 1),
  ]);
  return {
    ...page,
    total: Math.min(count, maxCountedMatches),
    totalIsExact: count <= maxCountedMatches,
  };
};
