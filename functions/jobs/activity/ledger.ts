import { createItemWrite, type Write } from '../../../shared/db/transaction.ts';
import { queryItems } from '../../../shared/lists/pagination.ts';
import { nameBytes } from './activity-event.ts';
import { visitKeys } from './keys.ts';

/** Longer than messages stay in the queue and the dead-letter queue. */
const retentionSeconds = 19 * 86_400;

/** More parts than two concurrent consumers can add in ten minutes. */
const maxParts = 20_000;

/** The counted events of ten minutes. */
export interface Ledger {
  /** The names of the events. */
  readonly counted: ReadonlySet<string>;
  /** The number of stored parts, which is the number of the next one. */
  readonly parts: number;
}

const parseNames = (part: Uint8Array): string[] =>
  Array.from({ length: part.length / nameBytes }, (_, at) =>
    Buffer.from(part.subarray(at * nameBytes, (at + 1) * nameBytes)).toString('base64url'),
  );

/** Reads the ledger of ten minutes with a strongly consistent query, which takes one unit per 500 events. */
export const readLedger = async (window: string): Promise<Ledger> => {
  const items = await queryItems(
    {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': visitKeys.ledger.partition({ window }).pk },
      ConsistentRead: true,
    },
    maxParts,
    undefined,
  );
  if (items.length === maxParts) throw new Error('The ledger of ten minutes is full');
  const last = items.at(-1);
  return {
    counted: new Set(items.flatMap(({ names }) => parseNames(names as Uint8Array))),
    parts: last ? Number(last['sk']) + 1 : 0,
  };
};

/**
 * Creates the write that adds names to a ledger, for the transaction that counts the events. It fails if another part was
 * added since the ledger was read.
 */
export const addToLedger = (window: string, { parts }: Ledger, names: readonly string[]): Write =>
  createItemWrite(visitKeys.ledger.at({ window, part: parts }), {
    names: Buffer.concat(names.map((name) => Buffer.from(name, 'base64url'))),
    ttl: Math.ceil(Date.now() / 1_000) + retentionSeconds,
  });
