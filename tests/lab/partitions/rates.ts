import type {
  BatchGetCommandInput,
  BatchGetCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { counted } from '../../../functions/jobs/recount/counters.ts';
import { listKeyFamilies } from '../../../infra/build/data-model.ts';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { schema } from '../../../shared/db/key.ts';
import { allScopes } from '../../../shared/records/index-entries.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { allTypicalCalls } from '../../support/service/all-sample-requests.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useMail } from '../../support/service/mail.ts';
import { useTable } from '../../support/table/table.ts';
import { type Demand, demandsOf, type Input, type Kind, type Output, restOf } from './units.ts';

/*
 * How often a second all users together can send each request until a partition refuses: what two requests by different
 * users take of the same partitions, against the limits of a partition. Partitions of a user or a record are not among
 * them.
 */

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
export const unitsPerSecond: Readonly<Record<Kind, number>> = { read: 3_000, write: 1_000 };

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

/** Writes of an index take a unit for each KB, also in transactions. */
const ofIndex = (part: { readonly Item?: Record<string, unknown> }): Demand[] => {
  const partition = part.Item?.[schema.index.partitionKey];
  return partition === undefined
    ? []
    : [{ partition: `${partition} (index)`, kind: 'write', units: 1 }];
};

type Plain = Record<string, unknown>;

const marshalled = (part: Plain) => marshall(part, { removeUndefinedValues: true });

const toPart = ({ Key, Item }: { readonly Key?: Plain; readonly Item?: Plain }) => ({
  ...(Key && { Key: marshalled(Key) }),
  ...(Item && { Item: marshalled(Item) }),
});

const operations: Readonly<Record<string, string>> = {
  TransactWrite: 'TransactWriteItems',
  BatchGet: 'BatchGetItem',
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
};

type AnyInput = TransactWriteCommandInput &
  BatchGetCommandInput &
  QueryCommandInput & { readonly Key?: Plain; readonly Item?: Plain };

const ofWrites = (operation: string, input: AnyInput): Demand[] => {
  const parts = (input.TransactItems ?? []).flatMap((one) => Object.values(one));
  const sent = {
    ...toPart(input),
    TransactItems: parts.map((part) => ({ Put: toPart(part as never) })),
  } as Input;
  return [
    ...demandsOf(operation, sent).filter(({ kind }) => kind === 'write'),
    ...[...parts, input].flatMap((part) => ofIndex(part as never)),
  ];
};

/** Reads of an index are of its own partitions. Those that aren't strongly consistent take half. */
const ofReads = (operation: string, input: AnyInput, output: Plain): Demand[] => {
  const { RequestItems = {}, ExpressionAttributeValues: values, IndexName } = input;
  const { Items, Item, Responses } = output as QueryCommandOutput &
    BatchGetCommandOutput & { readonly Item?: Plain };
  const sent = {
    ...toPart(input),
    ...(input.KeyConditionExpression && { KeyConditionExpression: input.KeyConditionExpression }),
    ...(values && { ExpressionAttributeValues: marshalled(values) }),
    RequestItems: Object.fromEntries(
      Object.entries(RequestItems).map(([table, { Keys = [] }]) => [
        table,
        { Keys: Keys.map(marshalled) },
      ]),
    ),
  } as Input;
  const received = {
    ...(Item && { Item: marshalled(Item) }),
    ...(Items && { Items: Items.map(marshalled) }),
    Responses: Object.fromEntries(
      Object.entries(Responses ?? {}).map(([table, items]) => [table, items.map(marshalled)]),
    ),
  } as Output;
  const isConsistent =
    input.ConsistentRead ?? Object.values(RequestItems)[0]?.ConsistentRead ?? false;
  return [...demandsOf(operation, sent), ...restOf(operation, sent, received)]
    .filter(({ kind }) => kind === 'read')
    .map(({ partition, kind, units }) => ({
      partition: IndexName === undefined ? partition : `${partition} (index)`,
      kind,
      units: isConsistent ? units : units / 2,
    }));
};

/** Returns the units that the requests of a function take, by partition. */
export const recordDemands = async (act: () => Promise<unknown>): Promise<readonly Demand[]> => {
  const demands: Demand[] = [];
  const { middlewareStack } = documentClient();
  middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const response = await next(args);
        const name = commandName.replace(/Command$/, '');
        const operation = operations[name] ?? name;
        const input = args.input as AnyInput;
        demands.push(...ofWrites(operation, input));
        demands.push(...ofReads(operation, input, response.output as Plain));
        return response;
      },
    { step: 'initialize', priority: 'high', name: 'demands' },
  );
  try {
    await act();
  } finally {
    middlewareStack.remove('demands');
  }
  return demands;
};

/** What only the examples share: the network, the customer, the category and a sale. */
const isOfOthers = /^(LIMIT#|SALES#C|SALE#)/;

const hourMs = 60 * 60_000;

interface Taken extends Demand {
  readonly shards: number;
}

/** Returns what a request takes of each place, by place and kind. */
const measure = async (send: () => Promise<unknown>): Promise<Map<string, Taken>> => {
  const taken = new Map<string, Taken>();
  for (const { partition, kind, units } of await recordDemands(send)) {
    const { name, shards } = toPlace(partition.replace(/ \(index\)$/, ''));
    const place = partition.endsWith('(index)') ? `${name} (index)` : name;
    const before = taken.get(`${kind} ${place}`)?.units ?? 0;
    taken.set(`${kind} ${place}`, { partition: place, kind, units: before + units, shards });
  }
  return taken;
};

/** What limits a request: the partition that refuses first, and at how many requests a second. */
export interface Rate {
  readonly place: string;
  readonly kind: Kind;
  readonly perSecond: number;
}

/** Starts what a test file that measures rates needs. */
export const useRatedService = (): void => {
  useVirtualTime('2026-11-10T12:00:00Z');
  useTable();
  useBucket();
  useJobs();
  useMail();
};

/** Measures the sample requests of every route, each by two users. Without a shared partition there is no rate. */
export const measureRates = async (): Promise<ReadonlyMap<string, Rate | undefined>> => {
  const rates = new Map<string, Rate | undefined>();
  for (const [name, prepare] of Object.entries(await allTypicalCalls())) {
    const both: Map<string, Taken>[] = [];
    for (const _ of ['one', 'another']) {
      pass(hourMs);
      both.push(await measure(await prepare()));
    }
    const [first = new Map<string, Taken>(), second = new Map<string, Taken>()] = both;
    const shared = [...first].flatMap(([key, { partition: place, kind, units, shards }]) =>
      !second.has(key) || isOfOthers.test(place)
        ? []
        : [{ place, kind, perSecond: Math.floor((unitsPerSecond[kind] * shards) / units) }],
    );
    const [least] = shared.toSorted((a, b) => a.perSecond - b.perSecond);
    rates.set(name, least);
  }
  return rates;
};
