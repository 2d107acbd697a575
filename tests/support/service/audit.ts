import { expect } from 'vitest';
import { itemsOf } from '../table/table.ts';

/** Expected fields of an audit entry. */
interface Expected {
  readonly action: string;
  readonly subject: string;
  readonly actorId?: number;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** An audit entry as a table item. */
export type Entry = Readonly<Record<string, unknown>>;

const entryOf = ({ actorId, before, after, ...rest }: Expected) => ({
  ...rest,
  id: expect.stringMatching(/^[\w-]{8}$/),
  at: expect.stringMatching(/^\d{4}-.*Z$/),
  actorId,
  address: '192.0.2.1',
  requestId: expect.stringMatching(/^[\da-f-]{36}$/),
  before,
  after,
  ttl: expect.any(Number),
});

/** Returns the two items of an entry: by time, also indexed by actor, and by subject. */
export const auditItems = (expected: Expected): readonly [Entry, Entry] => {
  const entry = entryOf(expected);
  const { actorId, subject } = expected;
  const key = expect.stringMatching(/^\d{4}-.*Z#[\w-]{8}$/);
  return [
    {
      ...entry,
      pk: expect.stringMatching(/^AUDIT#\d+$/),
      sk: key,
      ...(actorId !== undefined && { gsi1pk: `AUDIT#ACTOR#${actorId}`, gsi1sk: key }),
    },
    { ...entry, pk: `AUDIT#SUBJECT#${subject}`, sk: key },
  ];
};

/** Returns the writes of an entry in the transaction of its change. */
export const auditWrites = (expected: Expected) =>
  auditItems(expected).map((Item) => ({
    Put: {
      TableName: 'handbill-test',
      Item,
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  }));

/** Whether a partition has entries by time. */
export const isEntry = (pk: unknown): boolean => /^AUDIT#\d+$/.test(String(pk));

/** Returns all audit entries, oldest first. */
export const entries = async (): Promise<Entry[]> =>
  (await itemsOf('AUDIT#'))
    .filter(({ pk }) => isEntry(pk))
    .sort((a, b) => String(a['sk']).localeCompare(String(b['sk'])));

/** Returns the entries about one subject, oldest first. */
export const entriesAbout = async (subject: string): Promise<Entry[]> =>
  (await itemsOf(`AUDIT#SUBJECT#${subject}`)).sort((a, b) =>
    String(a['sk']).localeCompare(String(b['sk'])),
  );
