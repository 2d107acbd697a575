import { type AuditEntry, parseAuditEntry } from '../../../shared/audit/audit-log.ts';
import { auditKeys } from '../../../shared/audit/keys.ts';
import { conditionalDelete, conditionalPut } from '../../../shared/db/conditional-write.ts';
import type { Item } from '../../../shared/db/item-parser.ts';
import { listShards } from '../../../shared/db/key.ts';
import {
  type ListKey,
  type ListQuery,
  partitionQuery,
  queryItems,
} from '../../../shared/db/query.ts';
import { enqueueAll } from '../../../shared/jobs/enqueue-all.ts';
import type { Deadline } from '../../../shared/lists/process-items.ts';
import { isBusOn } from '../../../shared/webhooks/event-bus.ts';
import { busEvents, webhookEvent } from '../../../shared/webhooks/jobs.ts';
import { webhookKeys } from '../../../shared/webhooks/keys.ts';
import { keepEntitled, type Listeners, toListeners } from './listeners.ts';
import { toAuditEvent } from './payload.ts';

/*
 * Every change writes its audit entry in its own transaction, so the audit is the outbox of its events: nothing else has to be
 * written, and while nobody wants them nothing is read but the empty list of who does. Each minute tells what is new since the
 * mark. An entry has the time at which its transaction was made, and may appear later than others: so each run reads the last
 * two minutes again, and leaves out what the mark says was told (decisions.md#events).
 */

/** Longer than a request or a job can last, with what clocks differ. ms. */
const overlapMs = 120_000;

/** How far the clocks of writers can be ahead. ms. */
const maxClockSkewMs = 60_000;

/** How far the first run reads back: the one before found nobody who wants anything. ms. */
const firstMs = 60_000;

/** How many webhooks are told, of all users. */
const maxWebhooks = 1_000;

/** How many entries of a shard are read together. */
const sliceSize = 100;

/** How many entries the mark names. More are told again, which their ids make one event of. */
const maxNamed = 1_000;

const busBatch = 10;

/** Up to when entries were told, and the ids of those that were and are read again. */
interface Mark {
  readonly at: string;
  readonly told: readonly string[];
}

const toIso = (ms: number): string => new Date(ms).toISOString();

const markKey = webhookKeys.auditMark.at();

/** Reads who wants what, and the mark: one query of half a unit while nobody wants anything. */
const readWanted = async () => {
  const partition = webhookKeys.ofAudit.partition();
  const query = { ...partitionQuery(partition, false), ConsistentRead: false };
  const items = await queryItems(query, maxWebhooks + 1, undefined);
  const mark = items.find(({ sk }) => sk === markKey.sk) as unknown as Mark | undefined;
  const listeners = toListeners(items.filter(({ sk }) => sk !== markKey.sk));
  return { mark, listeners };
};

/** Writes the mark, unless another run has. */
const writeMark = async (before: Mark | undefined, after: Mark): Promise<void> => {
  await conditionalPut({
    Item: { ...markKey, ...after },
    ...(before
      ? {
          ConditionExpression: '#at = :seen',
          ExpressionAttributeNames: { '#at': 'at' },
          ExpressionAttributeValues: { ':seen': before.at },
        }
      : { ConditionExpression: 'attribute_not_exists(pk)' }),
  });
};

/** Tells the webhooks that want them of entries, and the event bus of all. */
const tell = async (entries: readonly AuditEntry[], listeners: Listeners): Promise<void> => {
  const events = entries.map(toAuditEvent);
  const jobs = events.flatMap((event) =>
    [...listeners].flatMap(([userId, names]) => (names.has(event.type) ? [{ userId, event }] : [])),
  );
  await enqueueAll(webhookEvent, jobs);
  if (!isBusOn()) return;
  const batches = Array.from({ length: Math.ceil(events.length / busBatch) }, (_, at) => ({
    events: events.slice(at * busBatch, (at + 1) * busBatch),
  }));
  await enqueueAll(busEvents, batches);
};

/** A shard of the audit, read up to an item, and whether there is more. */
interface Cursor {
  readonly query: ListQuery;
  last: ListKey | undefined;
  isAtEnd: boolean;
}

const toCursor = (pk: string, from: string, to: string): Cursor => ({
  query: {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
  },
  last: undefined,
  isAtEnd: false,
});

/** Reads on in a shard, the oldest first. */
const readOn = async (cursor: Cursor): Promise<readonly AuditEntry[]> => {
  const { query, last } = cursor;
  const from = last && { pk: last['pk'], sk: last['sk'] };
  const items = await queryItems(query, sliceSize, from);
  cursor.last = items.at(-1) ?? last;
  cursor.isAtEnd = items.length < sliceSize;
  return items.map((item) => parseAuditEntry(item as Item));
};

const byTime = (one: AuditEntry, other: AuditEntry): number =>
  Number(one.at > other.at) - Number(one.at < other.at);

/** Returns up to when all entries were read: now, or what the shard that got least far has. */
const findReached = (cursors: readonly Cursor[], now: string): string =>
  cursors
    .filter(({ isAtEnd }) => !isAtEnd)
    .map(({ last }) => String(last?.['at']))
    .reduce((least, at) => (at < least ? at : least), now);

/**
 * Tells webhooks, and the event bus if it is on, of what is new in the audit, until the deadline; the run of the next minute
 * goes on. Safe to repeat and to run concurrently: the same entry is the same event.
 * @throws what the table throws, and the queue with it
 */
export const tellAuditEvents = async ({ deadline }: Deadline): Promise<void> => {
  const { mark, listeners } = await readWanted();
  if (listeners.size === 0 && !isBusOn()) {
    if (mark) {
      await conditionalDelete({ Key: markKey, ConditionExpression: 'attribute_exists(pk)' });
    }
    return;
  }
  const now = Date.now();
  const from = toIso(mark ? Date.parse(mark.at) - overlapMs : now - firstMs);
  const cursors = listShards(auditKeys.entry).map((pk) =>
    toCursor(pk, from, toIso(now + maxClockSkewMs)),
  );
  const told = new Set(mark?.told);
  let named: AuditEntry[] = [];
  let entitled: Promise<Listeners> | undefined;
  let hasNew = false;
  do {
    const open = cursors.filter(({ isAtEnd }) => !isAtEnd);
    const found = (await Promise.all(open.map(readOn))).flat().sort(byTime);
    const fresh = found.filter(({ id }) => !told.has(id));
    if (fresh.length > 0) {
      hasNew = true;
      entitled ??= keepEntitled(listeners);
      await tell(fresh, await entitled);
    }
    named = [...named, ...found].sort(byTime).slice(-maxNamed);
  } while (cursors.some(({ isAtEnd }) => !isAtEnd) && Date.now() < deadline);
  if (!hasNew && mark) return;
  const at = findReached(cursors, toIso(now));
  const again = toIso(Date.parse(at) - overlapMs);
  await writeMark(mark, {
    at,
    told: named.filter((entry) => entry.at >= again).map(({ id }) => id),
  });
};
