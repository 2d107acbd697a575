import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';

/** Returns whether an item stays: audit, limits, notifications of others, deletions after an upload form has expired. */
const isKept = ({ pk, sk, key }: Record<string, unknown>) =>
  /^(AUDIT|LIMIT|TRANSFER)#/.test(String(pk)) ||
  /^(NOTIFICATION|RECEIPT)#/.test(String(sk)) ||
  (String(pk).startsWith('DELETIONS#') && String(key).startsWith('uploads/'));

/** Returns the stored items that mention one of these ids, except those that stay. */
export const tracesOf = async (...ids: readonly number[]): Promise<unknown[]> => {
  const found: unknown[] = [];
  const pages = paginateScan({ client: documentClient() }, { TableName: tableName() });
  for await (const { Items = [] } of pages) {
    found.push(
      ...Items.filter(
        (item) => !isKept(item) && ids.some((id) => JSON.stringify(item).includes(String(id))),
      ),
    );
  }
  return found;
};
