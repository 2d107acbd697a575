import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../support/service/call.ts';
import { sendRequests } from '../support/service/direct-calls.ts';
import { itemsOf, useTable } from '../support/table/table.ts';
import { resetPassword } from '../support/users/account.ts';
import { newResetToken } from '../support/users/links.ts';
import { newEmail, newPerson, password, register } from '../support/users/test-users.ts';

useTable();
sendRequests();

/** Operations whose next response is lost, with an action that runs before the retry. */
let lose: string[] = [];
let meanwhile: () => Promise<unknown> = async () => undefined;
let network: Server;

beforeAll(async () => {
  const { hostname, port } = new URL(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
  network = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const onward = httpRequest({ hostname, port, method, path: url, headers });
    onward.end(await buffer(request));
    const [answer] = await once(onward, 'response');
    const body = await buffer(answer);
    const at = lose.indexOf(String(headers['x-amz-target']).split('.')[1] ?? '');
    if (at === -1) {
      response.writeHead(answer.statusCode, answer.headers).end(body);
      return;
    }
    lose.splice(at, 1);
    await meanwhile();
    response.destroy();
  });
  network.listen(0, '127.0.0.1');
  await once(network, 'listening');
  const { port: own } = network.address() as AddressInfo;
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = `http://127.0.0.1:${own}`;
});
afterAll(() => {
  network.closeAllConnections();
  network.close();
});
beforeEach(() => {
  lose = [];
  meanwhile = async () => undefined;
});

describe('a write with a lost response', () => {
  it('registers one account', async () => {
    lose = ['TransactWriteItems', 'TransactWriteItems'];
    const email = newEmail();
    expect(await register(email)).toMatchObject({ status: 201, body: { user: { email } } });
    expect(lose).toEqual([]);
    expect(await itemsOf(`EMAIL#${email}`)).toHaveLength(1);
  });

  it('signs in once', async () => {
    const { id, email } = await newPerson();
    lose = ['TransactWriteItems'];
    expect(await call('POST /api/auth/login', { body: { email, password } })).toMatchObject({
      status: 200,
    });
    const items = await itemsOf(`USER#${id}`);
    expect(items.filter(({ sk }) => String(sk).startsWith('SESSION#'))).toHaveLength(2);
  });

  it('rotates a refresh token once, and the new one is valid', async () => {
    const { refreshToken } = await newPerson();
    lose = ['UpdateItem', 'UpdateItem'];
    const first = await call('POST /api/auth/refresh', { body: { refreshToken } });
    expect(first).toMatchObject({ status: 200 });
    const next = { refreshToken: first.body.refreshToken };
    expect(await call('POST /api/auth/refresh', { body: next })).toMatchObject({ status: 200 });
  });

  it('stores one share, and the total counts it once', async () => {
    const { token } = await newPerson();
    lose = ['TransactWriteItems'];
    expect(await call('POST /api/share', { token, body: { content: 'x' } })).toMatchObject({
      status: 201,
    });
    const mine = await call('GET /api/share', { token, query: { mine: 'true' } });
    expect(mine.body).toMatchObject({ total: 1, items: [{ views: 0 }] });
  });

  it('checks in once and succeeds', async () => {
    const { token } = await newPerson();
    lose = ['UpdateItem', 'UpdateItem'];
    const { status, body } = await call('POST /api/checkin', { token });
    expect({ status, streak: body.streak }).toEqual({ status: 200, streak: 1 });
    const { body: state } = await call('GET /api/checkin', { token });
    expect(state).toMatchObject({ totalPoints: body.points, streak: 1 });
  });

  it('sets the new password and succeeds', async () => {
    const { id } = await newPerson();
    const token = await newResetToken(id);
    lose = ['TransactWriteItems'];
    expect(await resetPassword(token)).toMatchObject({ status: 200 });
    expect(lose).toEqual([]);
    expect(await resetPassword(token)).toMatchObject({ status: 400 });
  });

  it('ends all sessions, once', async () => {
    const { id, token } = await newPerson();
    lose = ['TransactWriteItems'];
    const all = { token, body: { scope: 'all' } };
    expect(await call('POST /api/auth/logout', all)).toMatchObject({ status: 200 });
    const items = await itemsOf(`USER#${id}`);
    expect(items.find(({ sk }) => sk === 'USER')).toMatchObject({ sessionEpoch: 1 });
  });

  it('ends the session', async () => {
    const { token } = await newPerson();
    lose = ['TransactWriteItems'];
    expect(await call('POST /api/auth/logout', { token })).toMatchObject({ status: 200 });
    expect(await call('GET /api/auth/me', { token })).toMatchObject({ status: 401 });
  });
});
