import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { call } from '../service/call.ts';
import type { Person } from './test-users.ts';

/** Removes a user, and transfers what the user owns if `transferTo` is given. */
export const removeUser = async (
  { token }: Pick<Person, 'token'>,
  id: number,
  transferTo?: number,
): Promise<void> => {
  const response = await call('DELETE /api/users/{id}', {
    token,
    params: { id: String(id) },
    ...(transferTo !== undefined && { query: { transferTo: String(transferTo) } }),
  });
  expect(response.status, JSON.stringify(response.body)).toBe(200);
};

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
