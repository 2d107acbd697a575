import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { schema } from '../../../shared/db/key.ts';
import { startSession } from '../../support/cli/session.ts';
import { admin, connectToTable } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';
import { codeOf, followingCode } from '../../support/users/authenticator.ts';

const { email, password } = admin;

/** Starts a session whose super_admin has an authenticator app. */
const startWithApp = async () => {
  const session = await startSession();
  const { url } = session.service;
  const signedIn = await send(`${url}/api/auth/login`, { method: 'POST', body: admin });
  const token: string = signedIn.body.token;
  const begun = await send(`${url}/api/auth/totp`, { method: 'POST', token, body: {} });
  const { secret } = begun.body.data as { secret: string };
  const done = await send(`${url}/api/auth/totp/confirm`, {
    method: 'POST',
    token,
    body: { code: codeOf(secret) },
  });
  return { ...session, url, secret, codes: done.body.data.codes as string[] };
};

describe('handbill login with a second factor', () => {
  it('reads the code after the password, and keeps a token', async () => {
    const { url, secret, run, config } = await startWithApp();
    const login = await run(['login', url], {
      input: `${email}\n${password}\n${followingCode(secret)}\n`,
    });
    expect(login).toEqual({
      code: 0,
      out: '',
      err: `Signed in at ${url}. The token is kept in ${config}.\n`,
    });
    expect((await run(['whoami'])).out).toContain(email);
  });

  it('takes a recovery code once, by --code', async () => {
    const { url, codes, run } = await startWithApp();
    const login = () =>
      run(['login', url, '--email', email, '--code', codes[0] ?? ''], { input: password });
    expect((await login()).code).toBe(0);
    expect(await login()).toEqual({ code: 1, out: '', err: 'Invalid code: is incorrect.\n' });
  });

  it('says what is missing without a code', async () => {
    const { url, run } = await startWithApp();
    const { code, err } = await run(['login', url], { input: `${email}\n${password}\n` });
    expect([code, err]).toEqual([
      1,
      'Your account has a second factor: pass --code with a code of your authenticator app, or add it to the input as a line of its own.\n',
    ]);
  });

  it('names the account page where there are passkeys only', async () => {
    const { service, url, run } = await startWithApp();
    const client = connectToTable(service);
    const TableName = 'handbill';
    const { Items = [] } = await client.send(new ScanCommand({ TableName }));
    const user = Items.find((item) => item['email'] === email && item['secondFactors']);
    await client.send(
      new UpdateCommand({
        TableName,
        Key: {
          [schema.partitionKey]: user?.[schema.partitionKey],
          [schema.sortKey]: user?.[schema.sortKey],
        },
        UpdateExpression: 'SET secondFactors = :passkey',
        ExpressionAttributeValues: { ':passkey': ['passkey'] },
      }),
    );
    client.destroy();
    const { code, err } = await run(['login', url], { input: `${email}\n${password}\n` });
    expect([code, err]).toEqual([
      1,
      `Your account has a passkey, which a command can’t use: create a token at ${url}/account?tab=tokens and keep it with --token. A recovery code works too, with --code.\n`,
    ]);
  });
});

describe('handbill export with a second factor', () => {
  it('takes a code, which also opens the download', async () => {
    const { url, codes, run } = await startWithApp();
    const env = { HANDBILL_URL: url };
    const ran = await run(['export', '--email', email, '--code', codes[0] ?? '', '-o', 'a.zip'], {
      input: password,
      env,
    });
    expect(ran).toMatchObject({ code: 0, out: 'a.zip\n' });
  });
});
