import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { userKeys } from '../../../shared/auth/keys.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { type CallOptions, call } from '../../support/service/call.ts';
import { recordTypes } from '../../support/sharing/record-types.ts';
import { useMeter } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00.000Z');
useTable();
useBucket();

const meter = useMeter();

/** Returns status, error code and data of a request, and how many requests to the table it made. */
const ask = async (endpoint: string, options: CallOptions) => {
  const { result, requests } = await meter.measure(() => call(endpoint, options));
  const { error, data } = result.body;
  return { status: result.status, code: error?.code, data, requests: requests.table };
};

/** Makes all queries of the table fail. */
const failQueries = (): (() => void) => {
  const { middlewareStack } = documentClient();
  middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (commandName.startsWith('Query')) throw new Error('Refused by the test');
        return next(args);
      },
    { step: 'initialize', name: 'fail-queries' },
  );
  return () => middlewareStack.remove('fail-queries');
};

const refused = (status: number, code: string, requests: number) => ({
  ...{ status, code, requests },
  data: undefined,
});

describe('reading ahead', () => {
  it('takes one round trip with authentication', async () => {
    const { token } = await newUserOf('user');
    const { trips, result } = await meter.measure(() => call('GET /api/documents', { token }));
    expect([trips, result.status]).toEqual([1, 200]);
  });

  it('shows nothing to a caller whose session has ended', async () => {
    const { token } = await newUserOf('user');
    await call('POST /api/auth/logout', { token });
    expect(await ask('GET /api/documents', { token })).toEqual(refused(401, 'UNAUTHORIZED', 6));
  });

  it('shows nothing to a caller without the permission, and then reads no search or skipped items', async () => {
    const { token } = await newUserOf('user');
    const forbidden = (requests: number) => refused(403, 'FORBIDDEN', requests);
    const users = (query: Record<string, string>) => ask('GET /api/users', { token, query });
    expect(await users({})).toEqual(forbidden(3));
    expect(await users({ search: 'ann' })).toEqual(forbidden(1));
    expect(await users({ page: '90', pageSize: '100' })).toEqual(forbidden(1));
    const query = { action: 'user.create' };
    expect(await ask('GET /api/audit', { token, query })).toEqual(forbidden(1));
  });

  it('reads nothing for an API token before it is authenticated', async () => {
    const { token } = await newUserOf('user');
    const created = await call('POST /api/auth/tokens', { token, body: { name: 'Script' } });
    const { id, token: apiToken } = created.body.data;
    expect(await ask('GET /api/documents', { token: apiToken })).toMatchObject({ status: 200 });
    await call('DELETE /api/auth/tokens/{id}', { token, params: { id: String(id) } });
    const response = await ask('GET /api/documents', { token: apiToken });
    expect(response).toEqual(refused(401, 'UNAUTHORIZED', 1));
  });

  it('reports its errors only to callers who may read', async () => {
    const [user, admin] = [await newUserOf('user'), await newUserOf('super_admin')];
    const restore = failQueries();
    const both = await Promise.all(
      [user, admin].map(({ token }) => call('GET /api/users', { token })),
    ).finally(restore);
    expect(both.map(({ status }) => status)).toEqual([403, 500]);
    expect((await call('GET /api/users', { token: admin.token })).status).toBe(200);
  });

  it('rejects an invalid query', async () => {
    const { token } = await newUserOf('user');
    const query = { page: '0' };
    expect(await ask('GET /api/documents', { token, query })).toEqual(
      refused(400, 'VALIDATION_ERROR', 1),
    );
    const cursor = { cursor: 'a.b.c' };
    expect(await call('GET /api/documents', { token, query: cursor })).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'cursor' }] } },
    });
  });

  it.each(Object.values(recordTypes))(
    'shows a user who managed all $group no others any more',
    async (recordType) => {
      const [owner, manager] = [await recordType.newOwner(), await recordType.newManager()];
      const id = await recordType.newRecord(owner);
      expect((await recordType.listed(manager)).ids).toContain(id);
      expect((await recordType.listed(manager)).ids).toContain(id);
      await documentClient().send(
        new UpdateCommand({
          TableName: tableName(),
          Key: userKeys.record.at({ id: manager.id }),
          UpdateExpression: 'SET #role = :role',
          ExpressionAttributeNames: { '#role': 'role' },
          ExpressionAttributeValues: { ':role': 'user' },
        }),
      );
      expect((await recordType.listed(manager)).ids).toEqual([]);
      expect((await recordType.listed(manager)).total).toBe(0);
    },
  );
});
