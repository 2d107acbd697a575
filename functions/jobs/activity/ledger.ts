import { keys } from '../../../shared/db/table.ts';
import { createItemWrite, type Write } from '../../../shared/db/transaction.ts';
import { queryItems } from '../../../shared/lists/pagination.ts';
import { nameBytes } from './activity-event.ts';

/** Longer than a message lives in the queue and among the dead letters. */
const keptSeconds = 19 * 86_400;

/** Ten minutes take a part for each batch that two consumers at once can do. */
const mostParts = 20_000;

/** What was counted of the happenings of ten minutes. */
export interface Ledger {
  /** Their names. */
  readonly counted: ReadonlySet<string>;
  /** How many parts it has: the next one has this number. */
  readonly parts: number;
}

const namesIn = (part: Uint8Array): string[] =>
  Array.from({ length: part.length / nameBytes }, (_, at) =>
    Buffer.from(part.subarray(at * nameBytes, (at + 1) * nameBytes)).toString('base64url'),
  );

/** The ledger of ten minutes: a strongly consistent query, of a unit for each 500 happenings. */
export const readLedger = async (span: string): Promise<Ledger> => {
  const items = await queryItems(
    {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.activityLedger(span, 0).pk },
      ConsistentRead: true,
    },
    mostParts,
    undefined,
  );
  if (items.length === mostParts) throw new Error('The ledger of ten minutes is full');
  const last = items.at(-1);
  return {
    counted: new Set(items.flatMap(({ names }) => namesIn(names as Uint8Array))),
    parts: last ? Number(last['sk']) + 1 : 0,
  };
};

/**
 * The write that adds names to a ledger as it was read, for the transaction that counts what they name. It fails where
 * another part was added since.
 */
export const addToLedger = (span: string, { parts }: Ledger, names: readonly string[]): Write =>
  createItemWrite(keys.activityLedger(span, parts), {
    names: Buffer.concat(names.map((name) => Buffer.from(name, 'base64url'))),
    ttl: Math.ceil(Date.now() / 1_000) + keptSeconds,
  });
