import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { call } from '../service/call.ts';
import { newUserOf } from './test-users.ts';

/** Removes a user as a new administrator. */
export const removeUser = async (id: number, transferTo?: number): Promise<void> => {
  const { token } = await newUserOf('super_admin');
  const { status, body } = await call('DELETE /api/users/{id}', {
    token,
    params: { id: String(id) },
    ...(transferTo !== undefined && { query: { transferTo: String(transferTo) } }),
  });
  expect(status, JSON.stringify(body)).toBe(200);
};

/** Items that stay: the audit, rate limits and notifications of other users. */
const isKept = ({ pk, sk }: Record<string, unknown>) =>
  /^(AUDIT|LIMIT|TRANSFER)#/.test(String(pk)) || /^(NOTIFICATION|RECEIPT)#/.test(String(sk));

/** Returns the stored items that contain one of these ids, except those that stay. */
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
