import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';

import { healthKeys } from './keys.ts';

/** How long a check is cached (decisions.md#health). */
const cacheMs = 5_000;

let last: { readonly at: number; readonly check: Promise<boolean> } | undefined;

const readTable = async (): Promise<boolean> => {
  try {
    await documentClient().send(
      new GetCommand({ TableName: tableName(), Key: healthKeys.probe.at() }),
      {
        requestTimeout: 1_000,
      },
    );
    return true;
  } catch {
    return false;
  }
};

/** Returns whether the table responds. Checks at most once in 5 s. */
export const isTableReachable = (): Promise<boolean> => {
  const now = Date.now();
  if (!last || now - last.at >= cacheMs) last = { at: now, check: readTable() };
  return last.check;
};
