import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import type { Key } from '../../../shared/db/key.ts';
import { removeItems } from './batch-writes.ts';

/** Deletes all items of the table, except those of a partition that stays. */
export const clearTable = async (kept?: string): Promise<void> => {
  const pages = paginateScan({ client: documentClient() }, { TableName: tableName() });
  for await (const { Items = [] } of pages) {
    await removeItems((Items as Key[]).filter(({ pk }) => pk !== kept));
  }
};
