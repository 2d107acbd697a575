import { listEvents } from '../../../functions/jobs/activity/activity-event.ts';
import type { Told } from './activity.ts';

/** Returns the names of these messages in a ledger. */
export const namesOf = (...messages: readonly Told[]): string[] =>
  listEvents(messages).map(({ name }) => name);

const bytesOf = (messages: readonly Told[]): Buffer =>
  Buffer.concat(namesOf(...messages).map((name) => Buffer.from(name, 'base64url')));

/** Returns the write of a part of a ten-minute ledger at a time (ms since 1970). */
export const partWrite = (
  span: string,
  number: string,
  messages: readonly Told[],
  now: number,
) => ({
  Put: {
    TableName: 'handbill-test',
    Item: {
      pk: `ACTIVITY#${span}`,
      sk: number,
      names: bytesOf(messages),
      ttl: Math.ceil(now / 1_000) + 19 * 86_400,
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** Returns the parts of a ledger as a query response. */
export const ledgerOf = (...parts: readonly (readonly Told[])[]) => ({
  Items: parts.map((own, at) => ({
    pk: 'ACTIVITY',
    sk: String(at).padStart(6, '0'),
    names: new Uint8Array(bytesOf(own)),
  })),
});
