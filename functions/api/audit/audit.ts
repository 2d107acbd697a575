import { type AuditEntry, parseAuditEntry } from '../../../shared/audit/audit-log.ts';
import { auditKeys } from '../../../shared/audit/keys.ts';
import { parseSubjectId } from '../../../shared/audit/record-diff.ts';
import { schema } from '../../../shared/db/key.ts';
import {
  type ListKey,
  type ListQuery,
  type Partition,
  queryItems,
  readFilteredSlice,
} from '../../../shared/db/query.ts';
import { assertSingleFilter } from '../../../shared/lists/filters.ts';
import { mergedSources, mergeShards, withFilter } from '../../../shared/lists/list-partitions.ts';
import {
  type ListResult,
  maxCountedMatches,
  type Page,
  type PageRequest,
  readPageFrom,
  type Source,
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

/** An entry with the names of its actor and subject; `null` where no name is known. */
export interface NamedEntry extends Omit<AuditEntry, 'actorName' | 'subjectName'> {
  readonly actorName: string | null;
  readonly subjectName: string | null;
  /** The existing users whose ids are in the changed fields. */
  readonly users: { readonly id: number; readonly name: string }[];
}

interface Span {
  readonly from: string;
  readonly to: string;
}

/** No entry is older. The service is younger. */
const oldest = Date.UTC(2025, 0, 1);

/** How many entries one request examines for an action, which no key has. A cursor continues after them. */
const maxExamined = 10_000;

/** The fields of entries that hold ids of users. */
const userFields = [
  'ownerId',
  'authorId',
  'userId',
  'sharedWith',
  'readers',
  'recipients',
] as const;

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

/** Returns where the entries of a filter are: those of an actor, about a subject, or of all in shards. */
const listPartitions = ({ actor, subject }: AuditFilter): readonly Partition[] => {
  if (actor !== undefined)
    return [{ ...auditKeys.byActor.partition({ actorId: actor }), ofIndex: true }];
  if (subject !== undefined) return [auditKeys.bySubject.partition({ subject })];
  return auditKeys.entry.partitions();
};

/**
 * Builds the query for a span of a partition, newest first or reversed. Sort keys are a time followed by an id. Entries
 * about one subject are read consistently.
 */
const buildQuery = (
  { pk, ofIndex }: Partition,
  { from, to }: Span,
  { subject }: AuditFilter,
  isReversed = false,
): ListQuery => {
  const { partitionKey, sortKey } = ofIndex ? schema.index : schema;
  return {
    ...(ofIndex && { IndexName: schema.index.name }),
    ...(subject !== undefined && { ConsistentRead: true }),
    KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#pk': partitionKey, '#sk': sortKey },
    ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
    ScanIndexForward: isReversed,
  };
};

/** Creates the source of a filter's entries in a span. By action, all shards together examine up to `maxExamined`. */
const createSource = (filter: AuditFilter, span: Span): Source => {
  const partitions = span.from < span.to ? listPartitions(filter) : [];
  const { action } = filter;
  const shards = partitions.map(
    (partition): Source =>
      async (count, after, isReversed) => {
        const query = buildQuery(partition, span, filter, isReversed);
        // The page before may have ended in another shard: each continues after it in the same order.
        const from = after && (partition.ofIndex ? after : { pk: partition.pk, sk: after['sk'] });
        if (action === undefined) return { items: await queryItems(query, count, from) };
        const { ConsistentRead, ...eventual } = query;
        const matching = withFilter(eventual, { equal: { action } });
        return readFilteredSlice(matching, count, from, maxExamined / partitions.length);
      },
  );
  return async (count, after, isReversed) => {
    // A query rejects a start key outside the span. After an expired key there is nothing, or reversed, everything.
    const isExpired = after !== undefined && String(after['sk']) < span.from;
    if (isExpired && !isReversed) return { items: [] };
    const merge = action === undefined ? mergeShards : mergedSources;
    return merge(shards, !isReversed)(count, isExpired ? undefined : after, isReversed);
  };
};

/** Counts entries up to 1,000; by action, the newest ones, as far as one request examines them. */
const countEntries = async (
  filter: AuditFilter,
  span: Span,
): Promise<Pick<ListResult<unknown>, 'total' | 'totalIsExact'>> => {
  const most = maxCountedMatches + 1;
  const { items, stoppedAt } = await createSource(filter, span)(most, undefined, false);
  return {
    total: Math.min(items.length, maxCountedMatches),
    totalIsExact: items.length < most && stoppedAt === undefined,
  };
};

/** Returns the user that an entry is about, if any. A calendar feed has the id of its user. */
const getSubjectUser = ({ subject }: AuditEntry): number | undefined =>
  /^(user|feed):\d+$/.test(subject) ? parseSubjectId(subject) : undefined;

/** Returns the ids of users in the changed fields of an entry. */
const listMentioned = ({ before, after }: AuditEntry): number[] => {
  const values = userFields.flatMap((name) => [before?.[name], after?.[name]].flat());
  return [...new Set(values.filter((value): value is number => Number.isSafeInteger(value)))];
};

/** Returns what the subject was called when the entry was written. */
const getFormerName = (entry: AuditEntry): string | undefined =>
  entry.subjectName ?? (entry.actorId === getSubjectUser(entry) ? entry.actorName : undefined);

/** Adds names, of users the current ones. They are as fresh as the entries: only those about a subject are read consistently. */
const withNames = async (
  page: Page<ListKey>,
  { subject }: AuditFilter,
): Promise<Page<NamedEntry>> => {
  const entries = page.items.map(parseAuditEntry);
  const own = entries.flatMap((entry) => [entry.actorId ?? [], getSubjectUser(entry) ?? []].flat());
  const mentioned = entries.flatMap(listMentioned);
  const users = await readUsers(
    [...own, ...mentioned.slice(0, maxNamed)],
    subject === undefined ? { isEventual: true } : {},
  );
  const getName = (id: number | undefined) => (id === undefined ? undefined : users.get(id)?.name);
  const items = entries.map((entry) => ({
    ...entry,
    actorName: getName(entry.actorId) ?? entry.actorName ?? null,
    subjectName: getName(getSubjectUser(entry)) ?? getFormerName(entry) ?? null,
    users: listMentioned(entry).flatMap((id) => {
      const name = getName(id);
      return name === undefined ? [] : [{ id, name }];
    }),
  }));
  return { ...page, items };
};

/** Returns how many entries there are at least, as a page shows; by action, those before it are not known. */
const countShown = (
  { items, page, pageSize, nextCursor }: Page<unknown>,
  { action }: AuditFilter,
) => {
  const isAfterOthers = items.length > 0 && action === undefined;
  const before = isAfterOthers ? (page - 1) * pageSize : 0;
  return {
    total: before + items.length + (isAfterOthers && nextCursor !== null ? 1 : 0),
    totalIsExact: nextCursor === null && (page === 1 || isAfterOthers),
  };
};

/** A page of entries without names. */
export interface FoundEntries {
  readonly page: Page<ListKey>;
  readonly filter: AuditFilter;
  readonly span: Span;
}

/**
 * Finds a page of audit entries, newest first. Only the entries about a subject are read consistently. By action, a request
 * examines up to 10,000 entries, and a page may be short or empty and have a cursor (decisions.md#lists).
 * @throws AppError VALIDATION_ERROR about `cursor`, `page` or combined filters
 */
export const find = async (
  callerId: number,
  filter: AuditFilter,
  request: PageRequest,
): Promise<FoundEntries> => {
  assertSingleFilter({ actor: filter.actor, subject: filter.subject });
  const span = getSpan(filter);
  const scope = `audit#${callerId}#${JSON.stringify(filter)}`;
  const isOfIndex = filter.actor !== undefined;
  const page = await readPageFrom(createSource(filter, span), isOfIndex, request, scope);
  return { page, filter, span };
};

/** Adds the names to a page, without counting. */
export const loadPage = ({ page, filter }: FoundEntries): Promise<Page<NamedEntry>> =>
  withNames(page, filter);

/**
 * Adds the names to a page, and the number of all entries: counted up to 1,000 on request, otherwise what the page shows.
 */
export const load = async (
  { page, filter, span }: FoundEntries,
  { isCounted }: { readonly isCounted: true | undefined },
): Promise<ListResult<NamedEntry>> => {
  const [named, count] = await Promise.all([
    withNames(page, filter),
    isCounted ? countEntries(filter, span) : countShown(page, filter),
  ]);
  return { ...named, ...count };
};
