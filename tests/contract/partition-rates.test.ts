import type { BatchGetCommandInput, TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, expect, it, vi } from 'vitest';
import { counted } from '../../functions/jobs/recount/counters.ts';
import { listKeyFamilies } from '../../infra/build/data-model.ts';
import { documentClient } from '../../shared/db/dynamodb.ts';
import { schema } from '../../shared/db/key.ts';
import { allScopes } from '../../shared/sharing/index-entries.ts';
import { type Demand, demandsOf, type Input } from '../support/partition-limits/units.ts';
import { pass, useVirtualTime } from '../support/run/virtual-time.ts';
import { useBucket } from '../support/s3/local-s3.ts';
import { allTypicalCalls } from '../support/service/all-sample-requests.ts';
import { useJobs } from '../support/service/jobs.ts';
import { useMail } from '../support/service/mail.ts';
import { useTable } from '../support/table/table.ts';

/*
 * How often a second all users together can send each request that writes, until a partition refuses: what two requests by
 * different users write to the same partitions, against the limit of a partition. Partitions of a user or a record are not
 * among them.
 */

useVirtualTime('2026-11-10T12:00:00Z');
useTable();
useBucket();
useJobs();
useMail();

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
const unitsPerSecond = 1_000;

interface Place {
  readonly name: string;
  /** The partitions that it is spread over. */
  readonly shards: number;
}

/** Returns the partition of a key with the number of its shard replaced. */
const toPlace = await (async () => {
  const families = await listKeyFamilies();
  const ofCounters = new Map(
    counted.flatMap(({ counters }) => counters.map((one) => [one.family.pk, one.shards] as const)),
  );
  const sharded = families.flatMap(({ family: { pk } }) => {
    const hashed = /\{\w+:shard of (\d+)\}/.exec(pk);
    const shards = hashed ? Number(hashed[1]) : (ofCounters.get(pk) ?? 1);
    if (shards === 1 || !/\{(shard:int|\w+:shard of \d+)\}/.test(pk)) return [];
    const pattern = pk
      .replace(/\{(?:shard:int|\w+:shard of \d+)\}/, '(?<shard>\\d+)')
      .replaceAll(/\{[^}]*\}/g, '[^#]+');
    return [{ pattern: new RegExp(`^${pattern}$`), shards }];
  });
  return (partition: string): Place => {
    if (/^\w+#ALL#/.test(partition))
      return { name: partition.replace(/#ALL#\d+/, '#ALL#*'), shards: allScopes.length };
    const found = sharded.find(({ pattern }) => pattern.test(partition));
    return found
      ? { name: partition.replace(/\d+$/, '*'), shards: found.shards }
      : { name: partition, shards: 1 };
  };
})();

let demands: Demand[] = [];

/** Writes of an index take a unit for each KB, also in transactions. */
const ofIndex = (part: { readonly Item?: Record<string, unknown> }): Demand[] => {
  const partition = part.Item?.[schema.index.partitionKey];
  return partition === undefined
    ? []
    : [{ partition: `${partition} (index)`, kind: 'write', units: 1 }];
};

const listen = (): void => {
  documentClient().middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const response = await next(args);
        const { input } = args as {
          readonly input: TransactWriteCommandInput & BatchGetCommandInput;
        };
        const marshalled = (part: unknown) =>
          part && marshall(part, { removeUndefinedValues: true });
        const toInput = ({ Key, Item }: { Key?: unknown; Item?: unknown }) => ({
          ...(Key !== undefined && { Key: marshalled(Key) }),
          ...(Item !== undefined && { Item: marshalled(Item) }),
        });
        const parts = (input.TransactItems ?? []).flatMap((one) => Object.values(one));
        const operation = commandName.startsWith('TransactWrite')
          ? 'TransactWriteItems'
          : commandName.replace(/Command$/, '');
        const names = { Put: 'PutItem', Update: 'UpdateItem', Delete: 'DeleteItem' };
        const known = names[operation as keyof typeof names] ?? operation;
        const sent = {
          ...toInput(input as never),
          TransactItems: parts.map((part) => ({ Put: toInput(part as never) })),
        } as Input;
        demands.push(...demandsOf(known, sent).filter(({ kind }) => kind === 'write'));
        for (const part of [...parts, input]) demands.push(...ofIndex(part as never));
        return response;
      },
    { step: 'initialize', priority: 'high', name: 'rates' },
  );
};

/** What only the examples share: the network, the customer and the category. */
const isOfOthers = /^(LIMIT#|SALES#C)/;

const hourMs = 60 * 60_000;

/** Returns the units that a request writes, by place. */
const measure = async (send: () => Promise<unknown>): Promise<Map<string, number>> => {
  demands = [];
  await send();
  const units = new Map<string, number>();
  for (const { partition, units: taken } of demands) {
    const { name } = toPlace(partition.replace(/ \(index\)$/, ''));
    const place = partition.endsWith('(index)') ? `${name} (index)` : name;
    units.set(place, (units.get(place) ?? 0) + taken);
  }
  return units;
};

interface Rate {
  readonly place: string;
  readonly perSecond: number;
}

const rates = new Map<string, Rate>();
beforeAll(async () => {
  vi.stubEnv('MAIL_FROM', 'handbill@example.com');
  listen();
  for (const [name, prepare] of Object.entries(await allTypicalCalls())) {
    if (name.startsWith('GET') && !name.includes('/share')) continue;
    const both: Map<string, number>[] = [];
    for (const _ of ['one', 'another']) {
      pass(hourMs);
      both.push(await measure(await prepare()));
    }
    const [first = new Map<string, number>(), second = new Map<string, number>()] = both;
    const shared = [...first].flatMap(([place, units]): Rate[] => {
      if (!second.has(place) || isOfOthers.test(place)) return [];
      // Any shard tells how many there are.
      const { shards } = toPlace(place.replace(/ \(index\)$/, '').replace(/\*$/, '0'));
      return [{ place, perSecond: Math.floor((unitsPerSecond * shards) / units) }];
    });
    const [least] = shared.toSorted((a, b) => a.perSecond - b.perSecond);
    if (least) rates.set(name, least);
  }
  return () => {
    documentClient().middlewareStack.remove('rates');
    vi.unstubAllEnvs();
  };
}, 240_000);

it('lets all users together write so often a second', () => {
  const lines = Object.fromEntries(
    [...rates].map(([name, { place, perSecond }]) => [name, `${perSecond} ${place}`]),
  );
  expect(lines).toMatchInlineSnapshot(`
    {
      "DELETE /api/auth/sessions/{id}": "8000 AUDIT#*",
      "DELETE /api/auth/tokens/{id}": "8000 AUDIT#*",
      "DELETE /api/calendar/events/{id}": "4000 OUTBOX#*",
      "DELETE /api/calendar/events/{id}/occurrences/{start}": "4000 OUTBOX#*",
      "DELETE /api/calendar/feed": "8000 AUDIT#*",
      "DELETE /api/documents/trash/{id}": "8000 AUDIT#*",
      "DELETE /api/documents/{id}": "2000 DOCUMENTS#ALL#*",
      "DELETE /api/files/{id}": "2000 FILES#ALL#*",
      "DELETE /api/sales/{id}": "500 SALE#EXTERNAL#order-1003",
      "DELETE /api/share/{id}": "8000 TOTAL#*",
      "DELETE /api/share/{id}/links/{linkId}": "8000 AUDIT#*",
      "DELETE /api/users/{id}": "500 USERS",
      "DELETE /api/users/{id}/sessions": "8000 AUDIT#*",
      "DELETE /api/users/{id}/sessions/{sessionId}": "8000 AUDIT#*",
      "DELETE /api/users/{id}/tokens/{tokenId}": "8000 AUDIT#*",
      "POST /api/auth/login": "8000 AUDIT#*",
      "POST /api/auth/login (from a new network)": "4000 OUTBOX#*",
      "POST /api/auth/logout": "8000 AUDIT#*",
      "POST /api/auth/register": "500 USERS",
      "POST /api/auth/reset-password": "4000 OUTBOX#*",
      "POST /api/auth/tokens": "4000 OUTBOX#*",
      "POST /api/calendar/events": "4000 OUTBOX#*",
      "POST /api/calendar/feed": "8000 AUDIT#*",
      "POST /api/documents": "2000 DOCUMENTS#ALL#*",
      "POST /api/documents/{id}/restore": "2000 DOCUMENTS#ALL#*",
      "POST /api/documents/{id}/share": "4000 OUTBOX#*",
      "POST /api/documents/{id}/unshare": "8000 AUDIT#*",
      "POST /api/files/folders": "2000 FILES#ALL#*",
      "POST /api/files/presign": "4000 FILES#UPLOADS#ENDS#* (index)",
      "POST /api/files/upload": "2000 FILES#ALL#*",
      "POST /api/files/{id}/complete": "2000 FILES#ALL#*",
      "POST /api/files/{id}/share": "4000 OUTBOX#*",
      "POST /api/files/{id}/unshare": "8000 AUDIT#*",
      "POST /api/messages": "8000 TOTAL#*",
      "POST /api/messages (a reply)": "8000 TOTAL#*",
      "POST /api/messages (to ten)": "8000 TOTAL#*",
      "POST /api/sales/{id}/refund": "500 SALES",
      "POST /api/settings/failed-jobs/{id}/retry": "500 FAILED_JOBS",
      "POST /api/share": "4000 SHARES#ALL#* (index)",
      "POST /api/share/{id}/end": "8000 AUDIT#*",
      "POST /api/share/{id}/links": "8000 AUDIT#*",
      "POST /api/share/{id}/report": "4000 OUTBOX#*",
      "POST /api/share/{id}/revisions/{version}/restore": "8000 AUDIT#*",
      "POST /api/users": "500 USERS",
      "POST /api/users/{id}/invitation": "4000 OUTBOX#*",
      "POST /invite": "8000 AUDIT#*",
      "POST /reset": "4000 OUTBOX#*",
      "POST /s/{id}/end": "8000 AUDIT#*",
      "POST /s/{id}/report": "4000 OUTBOX#*",
      "POST /undo-email": "250 USERS#WORD#u",
      "PUT /api/auth/password": "4000 OUTBOX#*",
      "PUT /api/calendar/events/{id}": "4000 OUTBOX#*",
      "PUT /api/calendar/events/{id}/attendance": "4000 OUTBOX#*",
      "PUT /api/calendar/events/{id}/occurrences/{start}": "4000 OUTBOX#*",
      "PUT /api/documents/{id}": "4000 DOCUMENTS#ALL#*#TITLE (index)",
      "PUT /api/files/{id}": "4000 FILES#ALL#*#NAME (index)",
      "PUT /api/share/{id}": "8000 AUDIT#*",
      "PUT /api/shares/{id}/decision": "8000 AUDIT#*",
      "PUT /api/users/me": "250 USERS#NAME",
      "PUT /api/users/{id}": "250 USERS#NAME",
    }
  `);
});
