import type { AuditEntry } from '../../../shared/audit/audit-log.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { keys, schema } from '../../../shared/db/table.ts';
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

/** Which entries: of one actor or about one subject at most, from a time on and before another (ISO 8601, UTC). */
export interface AuditFilter {
  readonly actor?: number | undefined;
  readonly subject?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** An entry with the name of who did it, `null` where that user was removed since. */
export interface ShownEntry extends AuditEntry {
  readonly actorName: string | null;
}

interface Span {
  readonly from: string;
  readonly to: string;
}

/** Entries that lie together in the order of their times: of an actor, about a subject, or of a month. */
interface Partition {
  readonly pk: string;
  readonly ofIndex: boolean;
}

/** No entry is older, however long they are kept: it bounds the months that are looked through. */
const oldest = Date.UTC(2025, 0, 1);

/** The clocks of those who write may be ahead by so much. */
const aheadMs = 60_000;

const toIsoTime = (ms: number): string => new Date(ms).toISOString();

/** The time that is shown: nothing past AUDIT_KEEP, also while the table still has it. */
const getSpan = ({ from, to }: AuditFilter): Span => {
  const latest = Date.now() + aheadMs;
  const earliest = Math.max(oldest, Date.now() - getSetting('AUDIT_KEEP'));
  return {
    from: toIsoTime(from === undefined ? earliest : Math.max(earliest, Date.parse(from))),
    to: toIsoTime(to === undefined ? latest : Math.min(latest, Date.parse(to))),
  };
};

/** The months of a span from the last to the first, each as its first instant. */
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
  if (actor !== undefined) return [{ pk: keys.auditOfActor(actor, '', '').pk, ofIndex: true }];
  if (subject !== undefined)
    return [{ pk: keys.auditOfSubject(subject, '', '').pk, ofIndex: false }];
  return listMonths(span).map((month) => ({ pk: keys.audit(month, '').pk, ofIndex: false }));
};

const listNames = (ofIndex: boolean) => (ofIndex ? schema.index : schema);

/** The query of what a partition has of a span, newest first or in reverse. A sort key is a time with an id behind it. */
const buildQuery = (
  { pk, ofIndex }: Partition,
  { from, to }: Span,
  isReversed = false,
): ListQuery => {
  const { partitionKey, sortKey } = listNames(ofIndex);
  return {
    ...(ofIndex ? { IndexName: schema.index.name } : { ConsistentRead: true }),
    KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#pk': partitionKey, '#sk': sortKey },
    ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
    ScanIndexForward: isReversed,
  };
};

/** Reads up to `count` entries that follow a key, through one partition after another. */
const readThrough = async (
  newestFirst: readonly Partition[],
  span: Span,
  count: number,
  after: ListKey | undefined,
  isReversed: boolean,
): Promise<Slice> => {
  const partitions = isReversed ? newestFirst.toReversed() : newestFirst;
  const { partitionKey, sortKey } = listNames(partitions[0]?.ofIndex ?? false);
  // Time goes on between two pages, and a query refuses a key that is no longer kept. Behind it is nothing, or all that is.
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

/** Counts in the newest partition, and where it has fewer than the bound in all the others at once. */
const countThrough = async (
  [newest, ...others]: readonly Partition[],
  span: Span,
  bound: number,
): Promise<number> => {
  if (!newest) return 0;
  const count = await countItems(buildQuery(newest, span), bound);
  if (count >= bound) return count;
  const counts = await Promise.all(
    others.map((partition) => countItems(buildQuery(partition, span), bound - count)),
  );
  return counts.reduce((sum, one) => sum + one, count);
};

const withActors = async (page: Page<ListKey>): Promise<Page<ShownEntry>> => {
  const entries = page.items as unknown as AuditEntry[];
  const ids = [...new Set(entries.flatMap(({ actorId }) => actorId ?? []))];
  const users = (await batchGet(ids.map(keys.user))) as (StoredUser | undefined)[];
  const nameOf = new Map(users.map((user) => [user?.id, user?.name]));
  const items = entries.map((entry) => ({
    ...entry,
    actorName: nameOf.get(entry.actorId) ?? null,
  }));
  return { ...page, items };
};

/**
 * A page of the audit, newest first, and how many entries there are, counted up to 1 000. Those of an actor may lag
 * behind. Without a filter the months are looked through backward, one query each.
 * @throws AppError VALIDATION_ERROR about `cursor`, `page` or two filters at once
 */
export const list = async (
  callerId: number,
  filter: AuditFilter,
  request: PageRequest,
): Promise<ListResult<ShownEntry>> => {
  assertSingleFilter({ actor: filter.actor, subject: filter.subject });
  const span = getSpan(filter);
  const partitions = span.from < span.to ? listPartitions(filter, span) : [];
  const scope = `audit#${callerId}#${JSON.stringify(filter)}`;
  const [page, count] = await Promise.all([
    readPageFrom(
      (wanted, from, isReversed) => readThrough(partitions, span, wanted, from, isReversed),
      filter.actor !== undefined,
      request,
      scope,
    ).then(withActors),
    countThrough(partitions, span, maxCountedMatches + 1),
  ]);
  return {
    ...page,
    total: Math.min(count, maxCountedMatches),
    totalIsExact: count <= maxCountedMatches,
  };
};
