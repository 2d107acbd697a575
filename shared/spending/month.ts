import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient, tableName } from '../db/dynamodb.ts';
import { spendingKeys } from './keys.ts';

/** Percent of the limit at which administrators are told. */
export const noticePercents = [80, 100] as const;
export type NoticePercent = (typeof noticePercents)[number];

/** Months are kept for as long as bills are looked up. */
const keptMs = 400 * 86_400_000;

/** Returns the month (UTC) of a time (ms), such as `2026-11`: bills begin with it. */
export const getMonth = (now = Date.now()): string => new Date(now).toISOString().slice(0, 7);

const keyOf = (month: string) => spendingKeys.month.at({ month });

type Change =
  | { readonly nanos: number }
  | { readonly told: NoticePercent }
  | { readonly reachedAt: string }
  | { readonly raisedBy: number }
  | { readonly isLifted: true };

/** How each field is written: numbers are added up, so that concurrent writes don't lose any. */
const isAdded: ReadonlySet<string> = new Set(['nanos', 'raisedBy']);

/** Returns the update that changes a field of a month, for a write of its own or a transaction. */
export const changeMonth = (month: string, change: Change) => {
  const [[name = '', value] = []] = Object.entries(change);
  const ttl = Math.ceil((Date.parse(`${month}-01`) + keptMs) / 1_000);
  return {
    TableName: tableName(),
    Key: keyOf(month),
    UpdateExpression: isAdded.has(name)
      ? 'SET #ttl = if_not_exists(#ttl, :ttl) ADD #name :value'
      : 'SET #ttl = if_not_exists(#ttl, :ttl), #name = :value',
    ExpressionAttributeNames: { '#name': name, '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':value': value, ':ttl': ttl },
  };
};

/** Writes a change of a month. Repeated by the SDK after a lost response, amounts count twice, which errs on the safe side. */
export const writeMonth = async (
  month: string,
  change: Change,
  abortSignal?: AbortSignal,
): Promise<void> => {
  await documentClient().send(
    new UpdateCommand(changeMonth(month, change)),
    abortSignal && { abortSignal },
  );
};
