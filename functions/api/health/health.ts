import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { keys } from '../../../shared/db/table.ts';

/** The check of the table is kept this long (decisions.md#health). */
const keepMs = 5_000;

let last: { readonly at: number; readonly check: Promise<boolean> } | undefined;

const readTable = async (): Promise<boolean> => {
  try {
    await documentClient().send(new GetCommand({ TableName: tableName(), Key: keys.health() }), {
      requestTimeout: 1_000,
    });
    return true;
  } catch {
    return false;
  }
};

/** Does the table answer? Asked at most once in 5 s, however many ask. */
export const isTableReachable = (): Promise<boolean> => {
  const now = Date.now();
  if (!last || now - last.at >= keepMs) last = { at: now, check: readTable() };
  return last.check;
};
