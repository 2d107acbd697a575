import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { documentClient } from '../../../../shared/db/dynamodb.ts';
import type { Key } from '../../../../shared/db/key.ts';
import { jobKeys } from '../../../../shared/jobs/keys.ts';

/** An item in DynamoDB's JSON. */
export type Item = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The increments of an item's counters for each additional record. */
export interface Move {
  readonly key: Key;
  readonly deltas: Readonly<Record<string, number>>;
}

/** The service's writes for one new record. */
export interface Recorded<Answer> {
  readonly answer: Answer;
  /** In DynamoDB's JSON. */
  readonly items: readonly Item[];
  readonly moves: readonly Move[];
  /** Keys of items with other updates, and of items deleted again. */
  readonly others: readonly Key[];
  /** Start and end of the operation (ms since 1970). */
  readonly from: number;
  readonly to: number;
}

type Transacted = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Update = NonNullable<Transacted['Update']>;

/** Returns the increments of `ADD #count :delta, …`, which may follow other changes; `undefined` for any other update. */
const deltasOf = ({
  UpdateExpression = '',
  ExpressionAttributeNames: names = {},
  ExpressionAttributeValues: values = {},
}: Update): Record<string, number> | undefined => {
  const [, rest] = /(?:^| )ADD (.*)$/.exec(UpdateExpression) ?? [];
  if (rest === undefined) return undefined;
  const parts = rest.split(', ').map((part) => {
    const [name = '', value = ''] = part.trim().split(' ');
    return [names[name] ?? name, values[value] as unknown] as const;
  });
  if (parts.some(([, value]) => typeof value !== 'number')) return undefined;
  return Object.fromEntries(parts) as Record<string, number>;
};

const keyOf = ({ pk, sk }: Readonly<Record<string, unknown>>): Key => ({
  pk: String(pk),
  sk: String(sk),
});

const encode = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(encode);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, encode(one)]));
};

/** Converts an item to DynamoDB's JSON, in which binary values are base64. */
const toJson = (item: Readonly<Record<string, unknown>>): Item =>
  encode(marshall(item, { removeUndefinedValues: true })) as Item;

let heard: Transacted[] | undefined;
let isListening = false;

const listen = (): void => {
  if (isListening) return;
  isListening = true;
  documentClient().middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const response = await next(args);
        if (commandName.startsWith('TransactWrite')) {
          heard?.push(...((args.input as TransactWriteCommandInput).TransactItems ?? []));
        }
        return response;
      },
    { step: 'initialize', priority: 'high', name: 'recording' },
  );
};

/** Lets the service create a record, and records the writes of all its transactions. */
export const record = async <Answer>(make: () => Promise<Answer>): Promise<Recorded<Answer>> => {
  listen();
  const writes: Transacted[] = [];
  heard = writes;
  const from = Date.now();
  const response = await make();
  heard = undefined;
  const deleted = writes.flatMap(({ Delete }) => (Delete?.Key ? [keyOf(Delete.Key)] : []));
  const isDeleted = (key: Key) => deleted.some(({ pk, sk }) => pk === key.pk && sk === key.sk);
  const puts = writes.flatMap(({ Put }) => (Put?.Item ? [Put.Item] : []));
  const updates = writes.flatMap(({ Update }) => (Update ? [Update] : []));
  const moved = updates.map((update) => ({
    key: keyOf(update.Key ?? {}),
    deltas: deltasOf(update),
    isOther: !update.UpdateExpression?.startsWith('ADD '),
  }));
  return {
    answer: response,
    items: puts
      // Pending jobs have been sent since.
      .filter((item) => !isDeleted(keyOf(item)) && !jobKeys.outbox.read(keyOf(item)))
      .map(toJson),
    moves: moved.flatMap(({ key, deltas }) => (deltas ? [{ key, deltas }] : [])),
    others: moved.filter(({ deltas, isOther }) => !deltas || isOther).map(({ key }) => key),
    from,
    to: Date.now(),
  };
};
