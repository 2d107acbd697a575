import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { documentClient, tableName } from '../../../../shared/db/dynamodb.ts';
import { call } from '../../../support/service/call.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { login, newPerson } from '../../../support/users/test-users.ts';

useTable();
afterEach(() => vi.unstubAllEnvs());

/** Returns the cookie of a new user, whose session must set up a second factor or not. */
const cookieOf = async (mustEnrol: boolean): Promise<string> => {
  const { id, email } = await newPerson();
  const cookie = (await login(email)).cookies?.[0]?.split(';')[0] ?? '';
  const sessions = (await itemsOf(`USER#${id}`)).filter(({ sk }) =>
    String(sk).startsWith('SESSION#'),
  );
  for (const { pk, sk } of mustEnrol ? sessions : []) {
    await documentClient().send(
      new UpdateCommand({
        TableName: tableName(),
        Key: { pk, sk },
        UpdateExpression: 'SET mustEnrol = :yes',
        ExpressionAttributeValues: { ':yes': true },
      }),
    );
  }
  return cookie;
};

const open = (cookie?: string, query = {}) =>
  call('GET /enrol', { query, ...(cookie !== undefined && { cookies: [cookie] }) });

describe('GET /enrol', () => {
  it('shows the page to sessions that must set up a second factor', async () => {
    vi.stubEnv('PUBLIC_URL', 'https://share.example.com');
    const { status, body, headers } = await open(await cookieOf(true), { next: '/shares?a=b' });
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toContain('data-destination="/shares?a=b"');
    expect(body).toContain('data-passkeys="on"');
  });

  it('leads to paths of this host only, and offers no passkeys at an IP address', async () => {
    vi.stubEnv('PUBLIC_URL', 'http://127.0.0.1:3000');
    const { body } = await open(await cookieOf(true), { next: '//evil.test/' });
    expect(body).toContain('data-destination="/dashboard"');
    expect(body).toContain('data-passkeys="off"');
  });

  it('leads on whoever needs none, and to the sign-in page whoever is signed out', async () => {
    const { status, headers } = await open(await cookieOf(false), { next: '/shares' });
    expect([status, headers['location']]).toEqual([303, '/shares']);
    const signedOut = await open(undefined, { next: '/shares' });
    const to = new URL(signedOut.headers['location'] ?? '', 'https://handbill.test');
    expect([signedOut.status, to.pathname]).toEqual([303, '/login']);
    const back = new URL(to.searchParams.get('next') ?? '', to);
    expect([back.pathname, back.searchParams.get('next')]).toEqual(['/enrol', '/shares']);
  });
});
