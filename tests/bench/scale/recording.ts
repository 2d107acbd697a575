import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { type Key, keys } from '../../../shared/db/table.ts';

/** As on the wire. */
export type Item = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** How far counters of an item move when one more record like it is made. */
export interface Move {
  readonly key: Key;
  readonly deltas: Readonly<Record<string, number>>;
}

/** What the service wrote when it made one record. */
export interface Recorded<Answer> {
  readonly answer: Answer;
  /** As they are on the wire. */
  readonly items: readonly Item[];
  readonly moves: readonly Move[];
  /** The keys of items that were updated otherwise, and of those that were deleted again. */
  readonly others: readonly Key[];
  /** Between these times (ms since 1970) it was done. */
  readonly from: number;
  readonly to: number;
}

type Transacted = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Update = NonNullable<Transacted['Update']>;

/** Of `ADD #count :delta, …`; `undefined` of any other update. */
const deltasOf = ({
  UpdateExpression = '',
  ExpressionAttributeNames: names = {},
  ExpressionAttributeValues: values = {},
}: Update): Record<string, number> | undefined => {
  const [verb, rest] = [UpdateExpression.slice(0, 4), UpdateExpression.slice(4)];
  if (verb !== 'ADD ') return undefined;
  const parts = rest.split(', ').map((part) => {
    const [name = '', value = ''] = part.trim().split(' ');
    return [names[name] ?? name, values[value] as unknown] as const;
  });
  if (parts.some(([, value]) => typeof value !== 'number')) return undefined;
  return Object.fromEntries(parts) as Record<string, number>;
};

const { pk: unsent } = keys.outboxJob('', '');

const keyOf = ({ pk, sk }: Readonly<Record<string, unknown>>): Key => ({
  pk: String(pk),
  sk: String(sk),
});

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

/** Has the service make a record, and notes the writes of all its transactions meanwhile. */
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
  }));
  return {
    answer: response,
    items: puts
      // A job that waits to be sent is sent by now.
      .filter((item) => !isDeleted(keyOf(item)) && item['pk'] !== unsent)
      .map((item) => marshall(item, { removeUndefinedValues: true }) as unknown as Item),
    moves: moved.flatMap(({ key, deltas }) => (deltas ? [{ key, deltas }] : [])),
    others: moved.filter(({ deltas }) => !deltas).map(({ key }) => key),
    from,
    to: Date.now(),
  };
};
