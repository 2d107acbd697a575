import { type AuditEntry, parseAuditEntry } from '../../../shared/audit/audit-log.ts';
import { auditKeys } from '../../../shared/audit/keys.ts';
import { parseSubjectId } from '../../../shared/audit/record-diff.ts';
import { schema } from '../../../shared/db/key.ts';
import { assertSingleFilter } from '../../../shared/lists/filters.ts';
import { withFilter } from '../../../shared/lists/list-partitions.ts';
import {
  countItems,
  type ListKey,
  type ListQuery,
  type ListResult,
  maxCountedMatches,
  type Page,
  type PageRequest,
  queryItems,
  readFilteredSlice,
  readPageFrom,
  type Slice,
} from '../../../shared/lists/pagination.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { maxNamed, readUsers } from '../../../shared/users/person.ts';

/** Selects entries of one actor or about one subject, of an action, from `from` until before `to` (ISO 8601, UTC). */
export interface AuditFilter {
  readonly actor?: number | undefined;
  readonly subject?: string | undefined;
  readonly action?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** An entry with the names of its actor and subject, `null` for removed users and subjects without a name. */
export interface NamedEntry extends Omit<AuditEntry, 'subjectName'> {
  readonly actorName: string | null;
  readonly subjectName: string | null;
  /** The existing users whose ids are in the changed fields. */
  readonly users: { readonly id: number; readonly name: string }[];
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

/** How many entries one request examines for an action, which no key has. A cursor continues after them. */
const maxExamined = 10_000;

/** The fields of entries that hold ids of users. */
const userFields = ['ownerId', 'authorId', 'sharedWith', 'recipients'] as const;

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

/** Returns the key before all entries of a span in a partition, in the order of the list. */
const getEndKey = (
  { pk, isIndex }: Partition,
  { from, to }: Span,
  isReversed: boolean,
): ListKey => {
  const { partitionKey, sortKey } = getKeyNames(isIndex);
  return { [partitionKey]: pk, [sortKey]: isReversed ? to : from };
};

/** Reads up to `count` entries of an action from a partition, and examines up to `max`. */
const queryByAction = async (
  query: ListQuery,
  action: string,
  count: number,
  after: ListKey | undefined,
  max: number,
) => {
  const { ConsistentRead, ...eventual } = query;
  const filtered = withFilter(eventual, { equal: { action } });
  return readFilteredSlice(filtered, count, after, max);
};

/** Reads up to `count` entries after a key, one partition after another. */
const readEntries = async (
  newestFirst: readonly Partition[],
  span: Span,
  action: string | undefined,
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
  const remaining = partitions.slice(first);
  let left = maxExamined;
  for (const [at, partition] of remaining.entries()) {
    const query = buildQuery(partition, span, isReversed);
    const start = at === 0 ? from : undefined;
    const wanted = count - items.length;
    if (action === undefined) items.push(...(await queryItems(query, wanted, start)));
    else {
      const found = await queryByAction(query, action, wanted, start, left);
      items.push(...found.items);
      left -= found.examined;
      if (items.length < count && found.stoppedAt) return { items, stoppedAt: found.stoppedAt };
      if (items.length < count && left <= 0 && at < remaining.length - 1) {
        return { items, stoppedAt: getEndKey(partition, span, isReversed) };
      }
    }
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

/** Counts the newest entries of an action, as far as one request examines them. */
const countMatches = async (
  partitions: readonly Partition[],
  span: Span,
  action: string,
): Promise<Pick<ListResult<unknown>, 'total' | 'totalIsExact'>> => {
  const most = maxCountedMatches + 1;
  const { items, stoppedAt } = await readEntries(partitions, span, action, most, undefined, false);
  return {
    total: Math.min(items.length, maxCountedMatches),
    totalIsExact: items.length < most && stoppedAt === undefined,
  };
};

const countAll = async (
  partitions: readonly Partition[],
  span: Span,
): Promise<Pick<ListResult<unknown>, 'total' | 'totalIsExact'>> => {
  const count = await countEntries(partitions, span, maxCountedMatches + 1);
  return { total: Math.min(count, maxCountedMatches), totalIsExact: count <= maxCountedMatches };
};

/** Returns the user that an entry is about, if any. A calendar feed has the id of its user. */
const getSubjectUser = ({ subject }: AuditEntry): number | undefined =>
  /^(user|feed):\d+$/.test(subject) ? parseSubjectId(subject) : undefined;

/** Returns the ids of users in the changed fields of an entry. */
const listMentioned = ({ before, after }: AuditEntry): number[] => {
  const values = userFields.flatMap((name) => [before?.[name], after?.[name]].flat());
  return [...new Set(values.filter((value): value is number => Number.isSafeInteger(value)))];
};

const withNames = async (page: Page<ListKey>): Promise<Page<NamedEntry>> => {
  const entries = page.items.map(parseAuditEntry);
  const own = entries.flatMap((entry) => [entry.actorId ?? [], getSubjectUser(entry) ?? []].flat());
  const mentioned = entries.flatMap(listMentioned);
  const users = await readUsers([...own, ...mentioned.slice(0, maxNamed)]);
  const getName = (id: number | undefined) => (id === undefined ? undefined : users.get(id)?.name);
  const items = entries.map((entry) => ({
    ...entry,
    actorName: getName(entry.actorId) ?? null,
    subjectName: entry.subjectName ?? getName(getSubjectUser(entry)) ?? null,
    users: listMentioned(entry).flatMap((id) => {
      const name = getName(id);
      return name === undefined ? [] : [{ id, name }];
    }),
  }));
  return { ...page, items };
};

/**
 * Returns a page of audit entries, newest first, and their number, counted up to 1,000. The filters by actor and by action
 * are eventually consistent. Without a filter each month takes one query. By action, a request examines up to 10,000
 * entries, and a page may be short or empty and have a cursor (decisions.md#lists).
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
      (wanted, from, isReversed) =>
        readEntries(partitions, span, filter.action, wanted, from, isReversed),
      filter.actor !== undefined,
      request,
      scope,
    ).then(withNames),
    filter.action === undefined
      ? countAll(partitions, span)
      : countMatches(partitions, span, filter.action),
  ]);
  return { ...page, ...count };
};
